//! TLC: boxed integers, lists, objects with methods. In: a tape. Out: a program with a hot loop
//! that sends `body` the counter and the value of the turn before. Invariant: programs end. Loops
//! count down from small numbers; a method sends to objects that it has just made, or not at all,
//! except for `rec`, which counts down.
//!
//! Most expressions have the type that is wanted, so that loops get hot before something goes
//! wrong; now and then one has another type, which is how types change and errors come about.

use super::text::Text;
use crate::heap::{self, Look};
use crate::language::{DEPTH, KEEPER_DEPTH, Keeper, Language, Program, run_both};
use fuzz_tape::Tape;
use tlc::machine::{Machine, load};
use tlc::object::{Obj, ObjKind};
use tlc::output;
use verdigris::Options;
use verdigris_testing::{Outcome, Run};

/// The language.
pub struct Tlc;

impl Language for Tlc {
    fn name(&self) -> &'static str {
        "tlc"
    }

    fn comment(&self) -> &'static str {
        ";"
    }

    fn program(&self, tape: &mut Tape<'_>) -> Program {
        let turns = 20 + tape.within(0i64, 60);
        let mut writer = Writer {
            tape,
            text: Text::default(),
            fuel: 0,
            rank: 0,
        };
        writer.program();
        Program {
            text: writer.text.finish(),
            args: vec![turns],
        }
    }

    fn run(&self, program: &Program, _: &str, options: Options) -> Result<Run, String> {
        let image = load(program.text.as_bytes(), "fuzz.tlc")?;
        let machine = Machine::new(options, DEPTH)?;
        output::begin(&image, true);
        let entered = machine.enter(&image, |loaded| {
            let stack = loaded.stack();
            let result = loaded.run_on(&program.args, stack);
            let value = result.as_ref().ok().and_then(|value| *value);
            let slots = (0..stack.len()).map(|index| stack[index].get());
            let roots: Vec<Obj> = slots.chain(value).collect();
            let left = heap::describe(&roots, look);
            (left, result.err())
        });
        let printed = output::finish().unwrap_or_default();
        let (left, error) = entered.unwrap_or_else(|error| (String::new(), Some(error)));
        Ok(Run {
            outcome: Outcome {
                output: String::from_utf8_lossy(&printed).into_owned() + &left,
                error,
            },
            stats: machine.vm().stats(),
            traces: machine.vm().traces(),
        })
    }

    fn command(&self, file: &str, program: &Program, _: &str, jit: &str) -> String {
        let turns = program.args.first().unwrap_or(&0);
        format!("tlc run {file} {turns} --max-depth {DEPTH} --jit {jit}")
    }

    fn keeper(&self) -> Option<Keeper> {
        Some(Keeper {
            write: keeping,
            next: (
                "PUSHARG\nloop:\nPUSH 1\nSUB\nPICK 0\nBR_COND loop\nRETURN\n",
                &[100],
            ),
            run: |programs, options| {
                let machine = Machine::new(options, KEEPER_DEPTH)?;
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
    let (item, back) = tape.pick(&[
        ("PICK 1", ""),
        ("NEW a,b,c\nPICK 0\nPICK 3\nSETATTR a", "GETATTR a"),
        ("NIL\nPICK 2\nCONS\nPICK 2\nCONS", "CAR"),
    ]);
    let text = format!(
        "PUSH 1\nPRINT\nNIL\nPUSHARG\nbuild:\nPICK 0\nPUSH 0\nLE\nBR_COND built\nSWAP\n{item}\nCONS\nSWAP\nPUSH 1\nSUB\nBR build\n\
         built:\nPUSH 2\nPRINT\nSWAP\nsum:\nPICK 0\nBR_COND more\nPOP\nRETURN\n\
         more:\nPICK 0\nCAR\n{back}\nROLL 3\nADD\nSWAP\nCDR\nBR sum\n"
    );
    Program {
        text,
        args: vec![count],
    }
}

/// The visible content of a value.
fn look(value: Obj) -> Look<Obj> {
    match value.kind() {
        // Whether two places hold one integer or two, the program cannot tell, but its embedder
        // can.
        ObjKind::Int(int) => Look::Object {
            identity: format!("{int:?}"),
            label: int.value.to_string(),
            parts: Vec::new(),
        },
        ObjKind::Nil(_) => Look::Plain("nil".to_string()),
        ObjKind::Cons(pair) => Look::Object {
            identity: format!("{pair:?}"),
            label: "pair".to_string(),
            parts: vec![pair.car, pair.cdr],
        },
        ObjKind::Instance(object) => Look::Object {
            identity: format!("{object:?}"),
            label: format!("object {:?}", object.shape.attrs.as_slice()),
            parts: (0..object.attrs.len())
                .map(|index| object.attrs[index].get())
                .collect(),
        },
    }
}

/// The type that is wanted.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Int,
    List,
    Object,
}

/// The classes: in the second one the attributes are elsewhere and the method is another one, the
/// third one lacks some.
const CLASSES: [&str; 3] = [
    "NEW a,b,c,body=body,m=m0,rec=rec",
    "NEW c,b,a,m=m1,rec=rec",
    "NEW b,m=m0",
];

/// What the main method may do, and what methods may that it sends: those below it.
const BODY: usize = 2;

struct Writer<'t, 'b> {
    tape: &'t mut Tape<'b>,
    text: Text,
    /// How many expressions may still be written before they have to be small: branches reach 127
    /// bytes.
    fuel: usize,
    /// The part that is being written: `m0`, `m1`, the body.
    rank: usize,
}

impl Writer<'_, '_> {
    fn program(&mut self) {
        let first = CLASSES[0];
        self.lines(&format!(
            "{first}, PICK 0, PUSH 1, SETATTR a, PICK 0, NIL, PUSH 3, CONS, SETATTR b"
        ));
        self.lines(&format!(
            "PICK 0, {}, PICK 0, PUSH 5, SETATTR a, SETATTR c",
            CLASSES[1]
        ));
        // [object last counter]
        self.lines("PUSH 0, PUSHARG, loop:, PUSH 1, SUB, SWAP, PICK 2, PICK 2, ROLL 3");
        self.lines("SEND body/2, SWAP, PICK 0, BR_COND loop, POP, RETURN");
        self.lines("sub:, PUSHARG, PUSH 9, SUB, RETURN");
        self.method("body:", BODY, 26);
        self.method("m0:", 0, 8);
        self.method("m1:", 1, 10);
        self.lines("rec:, PUSHARGN 1, PUSH 0, GT, BR_COND deeper");
        self.rank = 0;
        self.fuel = 5;
        self.expr(Want::Int, 2);
        self.lines("RETURN, deeper:");
        self.fuel = 6;
        self.expr(Want::Int, 2);
        let receiver = self.tape.pick(&["PUSHARG", CLASSES[0], CLASSES[1]]);
        self.lines(receiver);
        self.lines("PUSHARGN 1, PUSH 1, SUB, SEND rec/1");
        let join = self.tape.pick(&["ADD", "SUB", "MUL", "LT", "POP"]);
        self.lines(join);
        self.lines("RETURN");
    }

    fn method(&mut self, label: &str, rank: usize, fuel: usize) {
        self.lines(label);
        self.rank = rank;
        self.fuel = fuel;
        if rank == BODY {
            for _ in 0..self.tape.below(4) {
                self.store(3);
            }
        }
        self.expr(Want::Int, 4);
        self.lines("RETURN");
    }

    fn lines(&mut self, lines: &str) {
        self.text.lines(lines);
    }

    /// An expression that leaves one value on the stack.
    fn expr(&mut self, want: Want, depth: usize) {
        let small = depth == 0 || self.fuel == 0 || self.tape.is_empty();
        self.fuel = self.fuel.saturating_sub(1);
        let want = match self.tape.chance(1, 48) {
            true => self.tape.pick(&[Want::Int, Want::List, Want::Object]),
            false => want,
        };
        match (want, small) {
            (Want::Int, true) => self.small_int(),
            (Want::Int, false) => self.int(depth - 1),
            (Want::List, true) => {
                let list = self
                    .tape
                    .pick(&["PUSHARG, GETATTR b", "NIL", "NIL, PUSH 2, CONS"]);
                self.lines(list);
            }
            (Want::List, false) => self.list(depth - 1),
            (Want::Object, true) => self.lines("PUSHARG"),
            (Want::Object, false) => self.object(depth - 1),
        }
    }

    fn small_int(&mut self) {
        match self.tape.weighted(&[6, 6, 5, 4, 1]) {
            0 => self.lines("PUSHARGN 1"),
            1 => {
                let value = self.tape.within(0u8, 255) as i8;
                self.lines(&format!("PUSH {value}"));
            }
            // What the turn before gave; methods have one argument.
            2 if self.rank == BODY => self.lines("PUSHARGN 2"),
            2 | 3 => self.lines("PUSHARG, GETATTR a"),
            // Next to where integers wrap: 127 to the 8th, and times 127.
            _ => {
                self.lines("PUSH 127, PICK 0, MUL, PICK 0, MUL, PICK 0, MUL");
                if self.tape.chance(1, 2) {
                    self.lines("PUSH 127, MUL");
                }
            }
        }
    }

    fn int(&mut self, depth: usize) {
        match self
            .tape
            .weighted(&[4, 12, 3, 5, 4, 2, 2, 3, 5, 2, 2, 2, 1])
        {
            0 => self.small_int(),
            1 => {
                self.expr(Want::Int, depth);
                self.expr(Want::Int, depth);
                let op = self.tape.pick(&[
                    "ADD", "SUB", "MUL", "LT", "LE", "GT", "GE", "EQ", "NE", "ADD",
                ]);
                self.lines(op);
            }
            2 => self.quotient(depth),
            3 => self.conditional(Want::Int, depth),
            4 => {
                self.store(depth);
                self.expr(Want::Int, depth);
            }
            // An item of a list that has one.
            5 => {
                self.expr(Want::List, depth);
                self.expr(Want::Int, 0);
                self.lines("CONS, CAR");
            }
            6 => {
                self.expr(Want::List, depth);
                let index = self
                    .tape
                    .pick(&["PUSH 0, DIV", "PUSH 1, DIV", "PUSH 3, DIV"]);
                self.lines(index);
            }
            7 => self.counted(depth),
            8 => self.send(depth),
            9 => {
                let want = self.tape.pick(&[Want::Object, Want::List]);
                self.expr(want, depth);
                self.expr(want, depth);
                let op = self.tape.pick(&["EQ", "NE"]);
                self.lines(op);
            }
            10 => {
                self.expr(Want::Int, depth);
                let print = self.tape.pick(&["PICK 0, PRINT", "PRINT, PUSH 1", "DUMP"]);
                self.lines(print);
            }
            11 => {
                (0..3).for_each(|_| self.expr(Want::Int, depth));
                let join = self.tape.pick(&[
                    "ROLL 3, SUB, ADD",
                    "ROLL -3, SUB, MUL",
                    "SWAP, SUB, ADD",
                    "PUT 1, SUB",
                ]);
                self.lines(join);
            }
            _ if self.rank == BODY => self.lines("CALL sub"),
            _ => self.small_int(),
        }
    }

    /// A division, by zero hardly ever, or in the middle of the loop.
    fn quotient(&mut self, depth: usize) {
        self.expr(Want::Int, depth);
        match self.tape.weighted(&[12, 2, 1]) {
            0 => {
                let by = self.tape.pick(&[7, 1, 2, 3, -1, -5, 100]);
                self.lines(&format!("PUSH {by}"));
            }
            1 => {
                let turn = self.tape.within(0, 20);
                self.lines(&format!("PUSHARGN 1, PUSH {turn}, SUB"));
            }
            _ => self.expr(Want::Int, depth),
        }
        self.lines("DIV");
    }

    fn list(&mut self, depth: usize) {
        match self.tape.weighted(&[4, 4, 2, 2, 2]) {
            0 => self.lines("PUSHARG, GETATTR b"),
            1 => {
                self.expr(Want::List, depth);
                self.item();
                self.lines("CONS");
            }
            2 => {
                self.expr(Want::List, depth);
                self.item();
                self.lines("CONS, CDR");
            }
            3 => {
                self.expr(Want::List, depth);
                self.lines("NIL, PUSH 1, CONS, ADD");
            }
            _ => self.conditional(Want::List, depth),
        }
    }

    /// What is put in front of a list: an integer for sure. Lists that share their halves would
    /// take exponentially long to compare and to print, and what a turn gives may be a list.
    fn item(&mut self) {
        match self.tape.within(0u8, 255) as i8 {
            // The counter; what a method is sent may be a list too.
            0..=63 if self.rank == BODY => self.lines("PUSHARGN 1"),
            value => self.lines(&format!("PUSH {value}")),
        }
    }

    fn object(&mut self, depth: usize) {
        match self.tape.weighted(&[4, 4, 4, 3]) {
            0 => self.lines("PUSHARG"),
            1 => self.fresh(),
            2 => self.lines("PUSHARG, GETATTR c"),
            _ => self.conditional(Want::Object, depth),
        }
    }

    /// A new object, with integers where they are expected.
    fn fresh(&mut self) {
        let class = self.tape.weighted(&[6, 6, 1]);
        self.lines(CLASSES[class]);
        if class < 2 && self.tape.chance(7, 8) {
            self.lines("PICK 0");
            self.small_int();
            self.lines("SETATTR a");
        }
    }

    fn conditional(&mut self, want: Want, depth: usize) {
        let label = self.text.label();
        match self.tape.weighted(&[3, 3, 1]) {
            // Changes once in the course of the loop, or every other turn.
            0 => {
                let turn = self.tape.within(0, 40);
                self.lines(&format!("PUSHARGN 1, PUSH {turn}, LT"));
            }
            1 => self.expr(Want::Int, depth),
            _ => self.lines("PUSHARGN 1, PICK 0, PUSH 2, DIV, PUSH 2, MUL, SUB"),
        }
        self.lines(&format!("BR_COND then{label}"));
        self.expr(want, depth);
        self.lines(&format!("BR end{label}, then{label}:"));
        self.expr(want, depth);
        self.lines(&format!("end{label}:"));
    }

    /// Adds up an expression a few times.
    fn counted(&mut self, depth: usize) {
        let label = self.text.label();
        let count = self.tape.pick(&[1, 2, 3, 4, 5, 12]);
        self.lines(&format!("PUSH 0, PUSH {count}, loop{label}:, SWAP"));
        self.expr(Want::Int, depth);
        self.lines(&format!(
            "ADD, SWAP, PUSH 1, SUB, PICK 0, BR_COND loop{label}, POP"
        ));
    }

    /// Sends `m` or `rec` to an object.
    fn send(&mut self, depth: usize) {
        match self.rank {
            BODY => {
                let receivers = ["PUSHARG", "PUSHARG, GETATTR c"];
                match self.tape.below(4) {
                    n @ (0 | 1) => self.lines(receivers[n]),
                    2 => self.expr(Want::Object, depth),
                    _ => self.fresh(),
                }
                if self.tape.chance(1, 3) {
                    let from = self.tape.pick(&["PUSH 3", "PUSHARGN 1", "PUSH 9"]);
                    self.lines(&format!("{from}, SEND rec/1"));
                    return;
                }
            }
            // `m1`, which sends `m0`.
            1 => {
                self.lines(CLASSES[0]);
                self.lines("PICK 0, PUSH 2, SETATTR a");
            }
            _ => return self.small_int(),
        }
        self.expr(Want::Int, depth);
        self.lines("SEND m/1");
    }

    /// Writes an attribute of the object that all turns share, or of the one that it knows.
    fn store(&mut self, depth: usize) {
        let object = self
            .tape
            .pick(&["PUSHARG", "PUSHARG", "PUSHARG, GETATTR c"]);
        self.lines(object);
        let (name, want) = [("a", Want::Int), ("b", Want::List), ("c", Want::Object)]
            [self.tape.weighted(&[5, 3, 2])];
        self.expr(want, depth);
        self.lines(&format!("SETATTR {name}"));
    }
}
