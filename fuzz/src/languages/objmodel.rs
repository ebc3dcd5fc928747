//! The language with classes, in its three object models. In: a tape. Out: a program with a hot
//! loop over two objects and two classes. Invariant: programs end. Loops count down from small
//! numbers; methods have ranks and call those of lower rank only, also where methods are replaced
//! or copied.
//!
//! Types are not tracked, so that some programs end in an error. The first object model, with
//! dictionaries, says what is right for all of them.

use crate::heap::{self, Look};
use crate::language::{DEPTH, KEEPER_DEPTH, Keeper, Language, Program, run_both};
use fuzz_tape::Tape;
use objmodel::machine::{Machine, Stage, load};
use objmodel::object::{Class, Obj, ObjKind};
use objmodel::output;
use std::fmt::Write;
use verdigris::{Gc, Options};
use verdigris_testing::{Outcome, Run};

/// The language.
pub struct ObjModel;

impl Language for ObjModel {
    fn name(&self) -> &'static str {
        "objmodel"
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn variants(&self) -> &'static [&'static str] {
        &["dict", "maps", "versions"]
    }

    fn program(&self, tape: &mut Tape<'_>) -> Program {
        let turns = 20 + tape.within(0i64, 60);
        let mut writer = Writer {
            tape,
            text: String::new(),
            loops: 0,
            fuel: 0,
            rank: None,
        };
        writer.program();
        Program {
            text: writer.text,
            args: vec![turns],
        }
    }

    fn run(&self, program: &Program, variant: &str, options: Options) -> Result<Run, String> {
        let image = load(program.text.as_bytes(), "fuzz.om")?;
        let machine = Machine::new(options, variant.parse::<Stage>()?, DEPTH)?;
        output::begin(&image, true);
        let entered = machine.enter(&image, |loaded| {
            let frame = loaded.frame(&program.args)?;
            let error = loaded.run_in(frame).err();
            let constants = loaded.constants();
            let slots = (0..frame.slots.len()).map(|index| frame.slots[index].get());
            let roots: Vec<Obj> = slots.chain(constants.as_slice().iter().copied()).collect();
            Ok::<_, String>((heap::describe(&roots, look), error))
        });
        let printed = output::finish().unwrap_or_default();
        let (left, error) = match entered {
            Ok(done) => done?,
            Err(error) => (String::new(), Some(error)),
        };
        Ok(Run {
            outcome: Outcome {
                output: String::from_utf8_lossy(&printed).into_owned() + &left,
                error,
            },
            stats: machine.vm().stats(),
            traces: machine.vm().traces(),
        })
    }

    fn command(&self, file: &str, program: &Program, variant: &str, jit: &str) -> String {
        let turns = program.args.first().unwrap_or(&0);
        format!("objmodel run {file} {turns} --max-depth {DEPTH} --stage {variant} --jit {jit}")
    }

    fn keeper(&self) -> Option<Keeper> {
        Some(Keeper {
            write: keeping,
            next: (
                "i = 0; s = 0; while i < 100 { s = s + i; i = i + 1; } print s;",
                &[],
            ),
            run: |programs, options| {
                let stage = Stage::ALL[programs[0].text.len() % Stage::ALL.len()];
                let machine = Machine::new(options, stage, KEEPER_DEPTH)?;
                run_both(programs, |program| {
                    let image = load(program.text.as_bytes(), "limits")?;
                    let done = machine.run(&image, &program.args, true);
                    Ok((done.output, done.error))
                })
            },
        })
    }
}

/// A program that keeps something this many times.
fn keeping(tape: &mut Tape<'_>, count: i64) -> Program {
    let fields: String = (0..tape.below(8))
        .map(|n| format!(" self.f{n} = value + {n};"))
        .collect();
    let gone = tape.pick(&["", " new Node(i, nil);"]);
    let step = 1 + tape.below(500);
    let text = format!(
        "args n;\nclass Node {{ def init(value, next) {{ self.value = value; self.next = next;{fields} }} }}\n\
         list = nil;\ni = 0;\nwhile i < n {{\n  list = new Node(i, list);{gone}\n  i = i + 1;\n  if i % {step} == 0 {{ print i; }}\n}}\n\
         sum = 0;\nwhile list {{ sum = sum + list.value; list = list.next; }}\nprint sum;\n"
    );
    Program {
        text,
        args: vec![count],
    }
}

/// The visible content of a value: attributes in the order of their names, for a dictionary and a
/// map keep them differently.
fn look(value: Obj) -> Look<Obj> {
    match value.kind() {
        ObjKind::Int(int) => Look::Plain(int.value.to_string()),
        ObjKind::Nil(_) => Look::Plain("nil".to_string()),
        ObjKind::Text(text) => Look::Plain(format!("text{}", text.number)),
        ObjKind::Function(function) => Look::Plain(format!("function{}", function.number)),
        ObjKind::Class(class) => {
            let entries = class.methods.iter().collect();
            object(
                format!("{class:?}"),
                format!("class{}", class.number),
                entries,
                None,
            )
        }
        ObjKind::DictInstance(instance) => {
            let entries = instance.attributes.iter().collect();
            let identity = format!("{instance:?}");
            object(
                identity,
                "instance".to_string(),
                entries,
                Some(instance.class),
            )
        }
        ObjKind::MapInstance(instance) => {
            let mut entries = Vec::new();
            let mut map = instance.map.get();
            while let Some(before) = map.back {
                let value = match before.len {
                    0 => instance.value0.get(),
                    1 => instance.value1.get(),
                    2 => instance.value2.get(),
                    3 => instance.value3.get(),
                    more => instance.storage.get()[more - 4].get(),
                };
                entries.push((map.name, value));
                map = before;
            }
            let identity = format!("{instance:?}");
            object(
                identity,
                "instance".to_string(),
                entries,
                Some(instance.class),
            )
        }
    }
}

fn object(
    identity: String,
    label: String,
    mut entries: Vec<(i64, Obj)>,
    class: Option<Gc<Class>>,
) -> Look<Obj> {
    entries.sort_by_key(|(name, _)| *name);
    let names: Vec<i64> = entries.iter().map(|(name, _)| *name).collect();
    let values = entries.into_iter().map(|(_, value)| value);
    Look::Object {
        identity,
        label: format!("{label} {names:?}"),
        parts: class.map(Obj::from).into_iter().chain(values).collect(),
    }
}

/// The methods by rank.
const METHODS: [&str; 3] = ["f", "g", "h"];

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "k"];

/// Where an attribute is: a variable of the loop, or a class. A method has `self` instead of the
/// variables.
const OBJECTS: [&str; 7] = ["o", "o", "o", "p", "p", "C", "D"];

const CLASSES: [&str; 2] = ["C", "D"];

struct Writer<'t, 'b> {
    tape: &'t mut Tape<'b>,
    text: String,
    loops: usize,
    /// How many expressions may still be written before they have to be small.
    fuel: usize,
    /// The rank of the method that is being written.
    rank: Option<usize>,
}

impl Writer<'_, '_> {
    fn program(&mut self) {
        self.add("args n;\n");
        for class in CLASSES {
            self.add(&format!(
                "class {class} {{\na = 1; b = 2; c = 3; d = 4; e = 5; k = 6;\n"
            ));
            self.add(&format!(
                "def init(x) {{ self.a = x; self.{class}1 = 0; }}\n"
            ));
            for rank in 0..METHODS.len() {
                self.fuel = 6;
                self.method("", rank, 0);
            }
            self.add("}\n");
        }
        self.add("o = new C(7);\np = new D(8);\nlast = 0;\ni = 0;\nwhile i < n {\n");
        self.fuel = 40;
        for _ in 0..2 + self.tape.below(6) {
            self.statement(2);
        }
        self.add("i = i + 1;\n}\nprint last, i, o.a, o.b, o.k, p.a, p.b, p.k, C.a, D.a;\n");
    }

    fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn object(&mut self) -> &'static str {
        match (self.rank, self.tape.pick(&OBJECTS)) {
            (Some(_), "o" | "p") => "self",
            (_, object) => object,
        }
    }

    fn statement(&mut self, depth: usize) {
        let weights: &[u16] = match depth {
            0 => &[6, 2, 8, 1, 1],
            _ => &[6, 2, 8, 1, 1, 7, 2, 1],
        };
        match self.tape.weighted(weights) {
            0 => {
                let target = if self.rank.is_some() { "x" } else { "last" };
                self.assign(target);
            }
            1 => {
                let object = self.tape.pick(&["o", "p"]);
                let class = self.tape.pick(&CLASSES);
                self.add(&format!("{object} = new {class}("));
                self.expr(3);
                self.add(");\n");
            }
            2 => {
                let target = format!("{}.{}", self.object(), self.tape.pick(&NAMES));
                self.assign(&target);
            }
            3 => self.copy(),
            4 => {
                self.add("print \"here\", ");
                self.expr(3);
                self.add(";\n");
            }
            5 => {
                self.add("if ");
                self.condition();
                self.block(depth - 1);
                self.add("else");
                self.block(depth - 1);
            }
            6 => self.counted(depth - 1),
            _ => self.replace_method(depth - 1),
        }
    }

    fn assign(&mut self, target: &str) {
        self.add(&format!("{target} = "));
        self.expr(3);
        self.add(";\n");
    }

    fn block(&mut self, depth: usize) {
        self.add(" {\n");
        for _ in 0..self.tape.below(3) {
            self.statement(depth);
        }
        self.add("}\n");
    }

    fn counted(&mut self, depth: usize) {
        self.loops += 1;
        let counter = format!("n{}", self.loops);
        let turns = self.tape.within(1, 4);
        self.add(&format!("{counter} = {turns};\nwhile {counter} > 0 {{\n"));
        self.add(&format!("{counter} = {counter} - 1;\n"));
        for _ in 0..self.tape.below(3) {
            self.statement(depth);
        }
        self.add("}\n");
    }

    /// A method of a rank, with so deep statements.
    fn method(&mut self, place: &str, rank: usize, depth: usize) {
        let outside = self.rank.replace(rank);
        self.add(&format!("def {place}{}(x) {{\n", METHODS[rank]));
        if depth > 0 {
            for _ in 0..self.tape.below(3) {
                self.statement(depth - 1);
            }
        }
        self.add("return ");
        self.expr(3);
        self.add(";\n}\n");
        self.rank = outside;
    }

    fn replace_method(&mut self, depth: usize) {
        let rank = self.tape.below(METHODS.len());
        let rank = self.rank.map_or(rank, |outside| rank % (outside + 1));
        let place = format!("{}.", self.object());
        self.method(&place, rank, depth);
    }

    /// Copies a method into one of at least its rank.
    fn copy(&mut self) {
        let (m, n) = (
            self.tape.below(METHODS.len()),
            self.tape.below(METHODS.len()),
        );
        let (to, from) = (self.object(), self.object());
        let (to_name, from_name) = (METHODS[m.max(n)], METHODS[m.min(n)]);
        self.add(&format!("{to}.{to_name} = {from}.{from_name};\n"));
    }

    /// Something to decide by, which often changes in the course of the loop.
    fn condition(&mut self) {
        match self.tape.weighted(&[3, 2, 3]) {
            0 => {
                let turn = self.tape.within(0, 60);
                self.counter();
                self.add(&format!(" < {turn}"));
            }
            1 => {
                let by = self.tape.within(2, 5);
                self.counter();
                self.add(&format!(" % {by}"));
            }
            _ => self.expr(2),
        }
    }

    fn counter(&mut self) {
        let counter = if self.rank.is_some() { "x" } else { "i" };
        self.add(counter);
    }

    fn small(&mut self) {
        match self.tape.weighted(&[24, 24, 16, 32, 1, 1, 1]) {
            0 => self.counter(),
            1 => {
                let value = self.tape.within(0u8, 255) as i8;
                let _ = write!(self.text, "{value}");
            }
            2 => {
                let last = if self.rank.is_some() { "x" } else { "last" };
                self.add(last);
            }
            3 => {
                let attribute = format!("{}.{}", self.object(), self.tape.pick(&NAMES));
                self.add(&attribute);
            }
            4 => {
                let object = self.object();
                self.add(object);
            }
            5 => self.add("nil"),
            _ => self.add("9223372036854775807"),
        }
    }

    fn expr(&mut self, depth: usize) {
        if depth == 0 || self.fuel == 0 || self.tape.is_empty() {
            return self.small();
        }
        self.fuel -= 1;
        match self.tape.weighted(&[4, 6, 2, 1, 5, 1]) {
            0 => self.small(),
            1 => {
                let op = self.tape.pick(&[
                    "+", "-", "*", "+", "-", "<", "<=", ">", ">=", "==", "!=", "and", "or",
                ]);
                self.binary(op, depth - 1);
            }
            2 => self.division(depth - 1),
            3 => {
                self.add("(not ");
                self.expr(depth - 1);
                self.add(")");
            }
            4 => self.send(depth - 1),
            _ => {
                let class = self.tape.pick(&CLASSES);
                self.add(&format!("(new {class}("));
                self.expr(depth - 1);
                self.add(")).a");
            }
        }
    }

    fn binary(&mut self, op: &str, depth: usize) {
        self.add("(");
        self.expr(depth);
        self.add(&format!(" {op} "));
        self.expr(depth);
        self.add(")");
    }

    /// Mostly by what is not zero, or else division is how most programs end.
    fn division(&mut self, depth: usize) {
        let op = self.tape.pick(&["/", "%"]);
        self.add("(");
        self.expr(depth);
        self.add(&format!(" {op} "));
        match self.tape.weighted(&[12, 2, 1]) {
            0 => {
                let by = self.tape.within(1, 9);
                self.add(&by.to_string());
            }
            1 => {
                let turn = self.tape.within(5, 60);
                self.add("(");
                self.counter();
                self.add(&format!(" - {turn})"));
            }
            _ => self.small(),
        }
        self.add(")");
    }

    fn send(&mut self, depth: usize) {
        let method = self.tape.below(METHODS.len());
        let method = match self.rank {
            Some(0) => return self.expr(depth),
            Some(rank) => method % rank,
            None => method,
        };
        let object = self.object();
        self.add(&format!("{object}.{}(", METHODS[method]));
        self.expr(depth);
        self.add(")");
    }
}
