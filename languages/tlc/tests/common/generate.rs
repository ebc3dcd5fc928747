//! Random programs. In: expressions as trees. Out: images. Each turn of the main loop sends `body` two arguments: the
//! counter and the value of the turn before. Types are not tracked, so some programs end in an error.

use proptest::prelude::*;
use tlc::image::Image;
use tlc::machine::load;

/// An expression: leaves one value on the stack.
#[derive(Clone, Debug)]
pub enum Expr {
    Int(i8),
    Nil,
    Counter,
    Last,
    New,
    Attr(Name),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Car(Box<Expr>),
    Cdr(Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Stores in an attribute of the object that all turns share, then computes.
    Store(Name, Box<Expr>, Box<Expr>),
    /// Sends `twice` to an object.
    Send(Box<Expr>),
    /// Counts down from a small number, adding up an expression.
    Loop(i8, Box<Expr>),
}

pub type Name = &'static str;

fn name() -> impl Strategy<Value = Name> + Clone {
    prop::sample::select(vec!["a", "b"])
}

/// Any expression.
pub fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        3 => any::<i8>().prop_map(Expr::Int),
        1 => Just(Expr::Nil),
        4 => Just(Expr::Counter),
        3 => Just(Expr::Last),
        1 => Just(Expr::New),
        3 => name().prop_map(Expr::Attr),
    ];
    let arithmetic = prop::sample::select(vec![
        "ADD", "SUB", "MUL", "LT", "LE", "GT", "GE", "EQ", "NE", "EQ", "ADD",
    ]);
    // What is put in front of a list is an integer: lists that share their halves would take exponentially long to compare.
    let item = prop_oneof![any::<i8>().prop_map(Expr::Int), Just(Expr::Counter)].prop_map(Box::new);
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            6 => (arithmetic.clone(), boxed.clone(), boxed.clone()).prop_map(|(op, a, b)| Expr::Binary(op, a, b)),
            1 => (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Expr::Binary("DIV", a, b)),
            2 => (boxed.clone(), item.clone()).prop_map(|(a, b)| Expr::Binary("CONS", a, b)),
            1 => (boxed.clone(), item.clone()).prop_map(|(a, b)| Expr::Car(Box::new(Expr::Binary("CONS", a, b)))),
            1 => (boxed.clone(), item.clone()).prop_map(|(a, b)| Expr::Cdr(Box::new(Expr::Binary("CONS", a, b)))),
            3 => (boxed.clone(), boxed.clone(), boxed.clone()).prop_map(|(c, a, b)| Expr::If(c, a, b)),
            3 => (name(), boxed.clone(), boxed.clone()).prop_map(|(name, a, b)| Expr::Store(name, a, b)),
            1 => boxed.clone().prop_map(Expr::Send),
            1 => (1..5i8, boxed).prop_map(|(n, a)| Expr::Loop(n, a)),
        ]
    })
}

/// Writes assembly.
#[derive(Default)]
struct Writer {
    text: String,
    labels: usize,
}

impl Writer {
    fn lines(&mut self, lines: &str) {
        for line in lines.split(", ") {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Int(value) => self.lines(&format!("PUSH {value}")),
            Expr::Nil => self.lines("NIL"),
            Expr::Counter => self.lines("PUSHARGN 1"),
            Expr::Last => self.lines("PUSHARGN 2"),
            Expr::New => self.lines("NEW a,twice=twice"),
            Expr::Attr(name) => self.lines(&format!("PUSHARG, GETATTR {name}")),
            Expr::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                self.lines(op);
            }
            Expr::Car(a) => {
                self.expr(a);
                self.lines("CAR");
            }
            Expr::Cdr(a) => {
                self.expr(a);
                self.lines("CDR");
            }
            Expr::If(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            Expr::Store(name, value, rest) => {
                self.lines("PUSHARG");
                self.expr(value);
                self.lines(&format!("SETATTR {name}"));
                self.expr(rest);
            }
            Expr::Send(argument) => {
                self.lines("NEW a,b,twice=twice");
                self.expr(argument);
                self.lines("SEND twice/1");
            }
            Expr::Loop(count, step) => self.counted(*count, step),
        }
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) {
        let label = self.label();
        self.expr(condition);
        self.lines(&format!("BR_COND then{label}"));
        self.expr(otherwise);
        self.lines(&format!("BR end{label}, then{label}:"));
        self.expr(then);
        self.lines(&format!("end{label}:"));
    }

    fn counted(&mut self, count: i8, step: &Expr) {
        let label = self.label();
        self.lines(&format!("PUSH 0, PUSH {count}, loop{label}:, SWAP"));
        self.expr(step);
        self.lines(&format!(
            "ADD, SWAP, PUSH 1, SUB, PICK 0, BR_COND loop{label}, POP"
        ));
    }
}

/// The program around a body; `None` if a branch in it is too long.
pub fn program(body: &Expr) -> Option<Image> {
    let mut writer = Writer::default();
    writer.lines(
        "NEW a,b,body=body, PICK 0, PUSH 1, SETATTR a, PICK 0, PUSH 0, SETATTR b, PUSH 0, PUSHARG",
    );
    // [object last counter]
    writer.lines(
        "loop:, PUSH 1, SUB, SWAP, PICK 2, PICK 2, ROLL 3, SEND body/2, SWAP, PICK 0, BR_COND loop",
    );
    writer.lines("DUMP, POP, RETURN, twice:, PUSHARGN 1, PUSHARGN 1, ADD, RETURN, body:");
    writer.expr(body);
    writer.lines("RETURN");
    load(writer.text.as_bytes(), "fuzz.tlc").ok()
}
