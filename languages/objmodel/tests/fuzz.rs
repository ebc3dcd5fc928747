//! Random programs. In: random well-formed programs with a hot loop. Out: the same outcome on every stage, with and without
//! JIT. Invariant under test: whatever a loop does (objects whose layout changes, classes and methods that are replaced,
//! types that vary, errors in the middle), compiled code, bridges and deoptimisation agree with the interpreter, and maps
//! and versions with dictionaries.
//!
//! Programs are built as trees and written as text. Types are not tracked, so some programs end in an error: that must
//! agree too. Methods have ranks and call those of lower rank only, so that every program ends.

mod common;

use common::guest;
use objmodel::image::Image;
use objmodel::machine::{Stage, load};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::fmt::Write;
use verdigris::Options;
use verdigris_testing::{Outcome, PLAIN, Run, SETTINGS};

/// An expression. `x` in a method is what the counter and the last value are in the loop.
#[derive(Clone, Debug)]
enum Expr {
    Int(i8),
    Nil,
    Counter,
    Last,
    Object(Object),
    Attribute(Object, Name),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Send(Object, usize, Box<Expr>),
    New(Name, Box<Expr>),
}

/// A statement.
#[derive(Clone, Debug)]
enum Stmt {
    Keep(Expr),
    Replace(Object, Name, Expr),
    Set(Object, Name, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    Loop(u8, Vec<Stmt>),
    /// Writes a method of this rank into an object.
    Method(Object, usize, Vec<Stmt>, Expr),
    /// Copies a method into one of at least its rank.
    Copy(Object, usize, Object, usize),
    Print(Expr),
}

type Name = &'static str;
type Object = &'static str;

/// The methods by rank.
const METHODS: [Name; 3] = ["f", "g", "h"];

fn name() -> impl Strategy<Value = Name> + Clone {
    prop::sample::select(vec!["a", "b", "c", "d", "e", "k"])
}

/// Where an attribute is: a variable of the loop, or a class. A method has `self` instead of the variables.
fn object() -> impl Strategy<Value = Object> + Clone {
    prop::sample::select(vec!["o", "o", "o", "p", "p", "C", "D"])
}

fn expr() -> impl Strategy<Value = Expr> + Clone {
    let leaf = prop_oneof![
        24 => any::<i8>().prop_map(Expr::Int),
        1 => Just(Expr::Nil),
        24 => Just(Expr::Counter),
        16 => Just(Expr::Last),
        1 => object().prop_map(Expr::Object),
        32 => (object(), name()).prop_map(|(o, n)| Expr::Attribute(o, n)),
    ];
    // Mostly by what is not zero, or else division is how most programs end.
    let divisor = prop_oneof![12 => (1..9i8).prop_map(Expr::Int), 1 => Just(Expr::Counter), 1 => Just(Expr::Last)];
    let divisor = divisor.prop_map(Box::new);
    let division = prop::sample::select(vec!["/", "%"]);
    let operator = prop::sample::select(vec![
        "+", "-", "*", "+", "-", "<", "<=", ">", ">=", "==", "!=", "<", ">", "and", "or", "+", "-",
    ]);
    leaf.prop_recursive(3, 12, 2, move |inner| {
        let boxed = inner.prop_map(Box::new);
        prop_oneof![
            6 => (operator.clone(), boxed.clone(), boxed.clone()).prop_map(|(op, a, b)| Expr::Binary(op, a, b)),
            2 => (division.clone(), boxed.clone(), divisor.clone()).prop_map(|(op, a, b)| Expr::Binary(op, a, b)),
            1 => boxed.clone().prop_map(Expr::Not),
            4 => (object(), 0..3usize, boxed.clone()).prop_map(|(o, m, a)| Expr::Send(o, m, a)),
            1 => (prop::sample::select(vec!["C", "D"]), boxed).prop_map(|(class, a)| Expr::New(class, a)),
        ]
    })
}

fn stmt() -> impl Strategy<Value = Stmt> + Clone {
    let leaf = prop_oneof![
        6 => expr().prop_map(Stmt::Keep),
        2 => (prop::sample::select(vec!["o", "p"]), prop::sample::select(vec!["C", "D"]), expr())
            .prop_map(|(o, class, e)| Stmt::Replace(o, class, e)),
        8 => (object(), name(), expr()).prop_map(|(o, n, e)| Stmt::Set(o, n, e)),
        1 => (object(), 0..3usize, object(), 0..3usize).prop_map(|(to, m, from, n)| Stmt::Copy(to, m, from, n)),
        1 => expr().prop_map(Stmt::Print),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let block = prop::collection::vec(inner, 0..3);
        prop_oneof![
            8 => (expr(), block.clone(), block.clone()).prop_map(|(c, a, b)| Stmt::If(c, a, b)),
            1 => (1..4u8, block.clone()).prop_map(|(n, a)| Stmt::Loop(n, a)),
            1 => (object(), 0..3usize, block, expr()).prop_map(|(o, m, a, e)| Stmt::Method(o, m, a, e)),
        ]
    })
}

/// The body of the hot loop, and of the methods that there are from the start.
fn body() -> impl Strategy<Value = (Vec<Stmt>, Vec<Expr>)> {
    let methods = prop::collection::vec(expr(), 6);
    (prop::collection::vec(stmt(), 2..7), methods)
}

/// Writes a program.
#[derive(Default)]
struct Writer {
    text: String,
    loops: usize,
    /// The rank of the method that is being written.
    rank: Option<usize>,
}

impl Writer {
    fn object(&self, object: Object) -> &'static str {
        match (self.rank, object) {
            (Some(_), "o" | "p") => "self",
            _ => object,
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let _ = match expr {
            Expr::Int(value) => write!(self.text, "{value}"),
            Expr::Nil => write!(self.text, "nil"),
            Expr::Counter | Expr::Last if self.rank.is_some() => write!(self.text, "x"),
            Expr::Counter => write!(self.text, "i"),
            Expr::Last => write!(self.text, "last"),
            Expr::Object(object) => write!(self.text, "{}", self.object(object)),
            Expr::Attribute(object, name) => write!(self.text, "{}.{name}", self.object(object)),
            Expr::Binary(op, a, b) => {
                self.text.push('(');
                self.expr(a);
                let _ = write!(self.text, " {op} ");
                self.expr(b);
                write!(self.text, ")")
            }
            Expr::Not(a) => {
                self.text.push_str("(not ");
                self.expr(a);
                write!(self.text, ")")
            }
            Expr::Send(object, method, argument) => {
                let method = match self.rank {
                    Some(0) => return self.expr(argument),
                    Some(rank) => method % rank,
                    None => *method,
                };
                let _ = write!(self.text, "{}.{}(", self.object(object), METHODS[method]);
                self.expr(argument);
                write!(self.text, ")")
            }
            Expr::New(class, argument) => {
                let _ = write!(self.text, "(new {class}(");
                self.expr(argument);
                write!(self.text, ")).a")
            }
        };
    }

    fn assign(&mut self, target: &str, value: &Expr) {
        let _ = write!(self.text, "{target} = ");
        self.expr(value);
        self.text.push_str(";\n");
    }

    fn block(&mut self, body: &[Stmt]) {
        self.text.push_str(" {\n");
        body.iter().for_each(|statement| self.stmt(statement));
        self.text.push_str("}\n");
    }

    fn method(&mut self, place: &str, rank: usize, body: &[Stmt], result: &Expr) {
        let outside = self.rank.replace(rank);
        let _ = writeln!(self.text, "def {place}{}(x) {{", METHODS[rank]);
        body.iter().for_each(|statement| self.stmt(statement));
        self.text.push_str("return ");
        self.expr(result);
        self.text.push_str(";\n}\n");
        self.rank = outside;
    }

    fn stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Keep(value) if self.rank.is_some() => self.assign("x", value),
            Stmt::Keep(value) => self.assign("last", value),
            Stmt::Replace(object, class, value) => {
                let _ = write!(self.text, "{object} = new {class}(");
                self.expr(value);
                self.text.push_str(");\n");
            }
            Stmt::Set(object, name, value) => {
                let target = format!("{}.{name}", self.object(object));
                self.assign(&target, value);
            }
            Stmt::If(condition, then, otherwise) => {
                self.text.push_str("if ");
                self.expr(condition);
                self.block(then);
                self.text.push_str("else");
                self.block(otherwise);
            }
            Stmt::Loop(turns, body) => {
                self.loops += 1;
                let counter = format!("n{}", self.loops);
                let _ = write!(self.text, "{counter} = {turns};\nwhile {counter} > 0 {{\n");
                let _ = writeln!(self.text, "{counter} = {counter} - 1;");
                body.iter().for_each(|statement| self.stmt(statement));
                self.text.push_str("}\n");
            }
            Stmt::Method(object, rank, body, result) => {
                let rank = self.rank.map_or(*rank, |outside| rank % (outside + 1));
                let place = format!("{}.", self.object(object));
                self.method(&place, rank, body, result);
            }
            Stmt::Copy(to, m, from, n) => {
                let (to, from) = (self.object(to), self.object(from));
                let (to_rank, from_rank) = ((*m).max(*n), (*m).min(*n));
                let (to_name, from_name) = (METHODS[to_rank], METHODS[from_rank]);
                let _ = writeln!(self.text, "{to}.{to_name} = {from}.{from_name};");
            }
            Stmt::Print(value) => {
                self.text.push_str("print \"here\", ");
                self.expr(value);
                self.text.push_str(";\n");
            }
        }
    }
}

/// The program around a loop body and methods.
fn source((body, methods): &(Vec<Stmt>, Vec<Expr>)) -> String {
    let mut writer = Writer::default();
    writer.text.push_str("args n;\n");
    for (class, methods) in [("C", &methods[..3]), ("D", &methods[3..])] {
        let _ = writeln!(
            writer.text,
            "class {class} {{\na = 1; b = 2; c = 3; d = 4; e = 5; k = 6;"
        );
        let _ = writeln!(
            writer.text,
            "def init(x) {{ self.a = x; self.{class}1 = 0; }}"
        );
        for (rank, result) in methods.iter().enumerate() {
            writer.method("", rank, &[], result);
        }
        writer.text.push_str("}\n");
    }
    writer
        .text
        .push_str("o = new C(7);\np = new D(8);\nlast = 0;\ni = 0;\nwhile i < n {\n");
    body.iter().for_each(|statement| writer.stmt(statement));
    writer
        .text
        .push_str("i = i + 1;\n}\nprint last, i, o.a, o.b, o.k, p.a, p.b, p.k, C.a, D.a;\n");
    writer.text
}

fn image(program: &(Vec<Stmt>, Vec<Expr>)) -> Image {
    let text = source(program);
    load(text.as_bytes(), "fuzz").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The program on a small heap.
fn small(image: &Image, turns: &[i64], stage: Stage) -> impl Fn(Options) -> Run {
    move |mut options| {
        options.jit.heap_limit = Some(4 << 20);
        guest(image, turns, stage, 200)(options)
    }
}

fn used_up(outcome: &Outcome) -> bool {
    let error = outcome.error.as_ref();
    error.is_some_and(|error| error.contains("used up"))
}

/// The generator makes programs that are worth running: many get to their end, and many have bridges.
#[test]
fn random_programs_reach_compiled_code() {
    let mut runner = TestRunner::deterministic();
    let (mut ended, mut bridged) = (0, 0);
    let programs = 300;
    for _ in 0..programs {
        let tree = body().new_tree(&mut runner).expect("nothing is filtered");
        let image = image(&tree.current());
        let options = Options::parse("threshold=3,trace_eagerness=2").expect("parses");
        let run = small(&image, &[60], Stage::Versions)(options);
        ended += u32::from(run.outcome.error.is_none());
        bridged += u32::from(run.stats.bridges > 0);
    }
    assert!(
        ended * 3 > programs,
        "{ended} of {programs} programs ended without an error"
    );
    assert!(
        bridged * 4 > programs,
        "{bridged} of {programs} programs had bridges"
    );
}

proptest! {
    // `PROPTEST_CASES=20000` makes a campaign of it.
    #[test]
    fn random_programs_depend_neither_on_the_stage_nor_on_the_jit(
        program in body(),
        setting in prop::sample::select(&SETTINGS[1..]),
    ) {
        let image = image(&program);
        let expected = small(&image, &[60], Stage::Dict)(PLAIN.options()).outcome;
        for stage in Stage::ALL {
            let found = small(&image, &[60], stage)(setting.options()).outcome;
            // How much is allocated does depend on the JIT.
            prop_assume!(!used_up(&expected) && !used_up(&found));
            prop_assert_eq!(&found, &expected, "{:?} under `{}`:\n{}", stage, setting.jit, source(&program));
        }
    }

    #[test]
    fn random_text_never_crashes(words in prop::collection::vec(word(), 0..40)) {
        let text = words.join(" ");
        if let Ok(image) = load(text.as_bytes(), "text") {
            objmodel::disasm::disassemble(&image);
        }
    }
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "and",
        "args",
        "break",
        "class",
        "continue",
        "def",
        "else",
        "if",
        "new",
        "nil",
        "not",
        "or",
        "print",
        "return",
        "self",
        "while",
        "==",
        "<",
        "=",
        "=",
        "+",
        "-",
        "(",
        "(",
        ")",
        ")",
        "{",
        "{",
        "}",
        "}",
        ",",
        ";",
        ";",
        ";",
        ".",
        ".",
        "x",
        "x",
        "y",
        "C",
        "f",
        "1",
        "9223372036854775808",
        "\"t\"",
        "# c\n",
        "\"",
        "?",
        "1x",
        "ä",
    ])
}
