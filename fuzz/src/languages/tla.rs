//! TLA: boxed integers and strings, calls that recurse in the interpreter, loops in the frames of
//! functions. In: a tape. Out: a program with a hot loop in its first function. Invariant: programs
//! end, and the verifier accepts them: the writer knows the height of the stack. Loops count down
//! from small numbers; a function calls those before it, and recursion counts down, except where it
//! runs into the limit of the depth.

use super::text::Text;
use crate::heap::{self, Look};
use crate::language::{DEPTH, KEEPER_DEPTH, Keeper, Language, Program, run_both};
use fuzz_tape::Tape;
use tla::machine::{Machine, load};
use tla::object::{Obj, ObjKind};
use verdigris::Options;
use verdigris_testing::{Outcome, Run};

/// The language.
pub struct Tla;

impl Language for Tla {
    fn name(&self) -> &'static str {
        "tla"
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
            nested: 0,
            height: 0,
            ints: Vec::new(),
            strings: Vec::new(),
            rank: 0,
        };
        writer.program();
        Program {
            text: writer.text.finish(),
            args: vec![turns],
        }
    }

    fn run(&self, program: &Program, _: &str, options: Options) -> Result<Run, String> {
        let image = load(&program.text, "fuzz.tla")?;
        let machine = Machine::new(options, DEPTH)?;
        let entered = machine.enter(&image, |loaded| {
            let stack = loaded.stack(&program.args)?;
            let result = loaded.run_on(stack);
            let value = result.as_ref().ok().copied();
            let slots = (0..stack.len()).map(|index| stack[index].get());
            let roots: Vec<Obj> = slots.chain(value).collect();
            Ok::<_, String>((heap::describe(&roots, look), result.err()))
        });
        let (output, error) = match entered {
            Ok(done) => done?,
            Err(error) => (String::new(), Some(error)),
        };
        Ok(Run {
            outcome: Outcome { output, error },
            stats: machine.vm().stats(),
            traces: machine.vm().traces(),
        })
    }

    fn command(&self, file: &str, program: &Program, _: &str, jit: &str) -> String {
        let turns = program.args.first().unwrap_or(&0);
        format!("tla run {file} {turns} --max-depth {DEPTH} --jit {jit}")
    }

    fn keeper(&self) -> Option<Keeper> {
        Some(Keeper {
            write: keeping,
            next: (
                "main(1):\nloop:\nCONST_INT 1\nSUB\nDUP\nJUMP_IF loop\nEXIT\n",
                &[100],
            ),
            run: |programs, options| {
                let machine = Machine::new(options, KEEPER_DEPTH)?;
                run_both(programs, |program| {
                    let image = load(&program.text, "limits")?;
                    Ok(match machine.run(&image, &program.args) {
                        Ok(result) => (result, None),
                        Err(error) => (String::new(), Some(error)),
                    })
                })
            },
        })
    }
}

/// A program that keeps something this many times.
fn keeping(tape: &mut Tape<'_>, count: i64) -> Program {
    let kept = tape.pick(&["", "NEWSTR \"x\"\nDUP\nADD\nPOP\n", "CONST_INT 7\nPOP\n"]);
    let text = format!(
        "main(1):\nCALL down\nEXIT\n\ndown(1):\n{kept}DUP\nJUMP_IF more\nCONST_INT 0\nRET 1\n\
         more:\nDUP\nCONST_INT 1\nSUB\nCALL down\nCONST_INT 1\nADD\nRET 1\n"
    );
    Program {
        text,
        args: vec![count % KEEPER_DEPTH],
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
        ObjKind::Str(string) => Look::Plain(format!("{:?}", string.text.as_str())),
    }
}

/// The type that is wanted.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Int,
    Str,
}

/// The functions that a function of a rank may call, those of lower rank, with the number of their
/// arguments.
const CALLEES: [(&str, usize); 3] = [("f0", 1), ("f1", 2), ("f2", 1)];

/// The rank of the first function.
const MAIN: usize = CALLEES.len();

struct Writer<'t, 'b> {
    tape: &'t mut Tape<'b>,
    text: Text,
    /// How many expressions may still be written before they have to be small.
    fuel: usize,
    /// In how many loops this is, beside the main loop.
    nested: usize,
    /// How many values are on the stack.
    height: usize,
    /// The places of the stack that are variables.
    ints: Vec<usize>,
    strings: Vec<usize>,
    rank: usize,
}

impl Writer<'_, '_> {
    fn program(&mut self) {
        self.lines("main(1):");
        self.begin(1, MAIN, 40);
        self.variables(2, 1);
        self.lines("loop:");
        for _ in 0..1 + self.tape.below(6) {
            self.statement(3);
        }
        self.read(0);
        self.lines("CONST_INT 1, SUB, DUP");
        self.height += 1;
        self.write(0);
        self.lines("JUMP_IF loop");
        self.height -= 1;
        self.lines("DUPN 1, EXIT");
        for (rank, (name, params)) in CALLEES.into_iter().enumerate() {
            self.function(name, params, rank);
        }
        self.recursive();
    }

    /// Begins a function with this many values on its stack.
    fn begin(&mut self, height: usize, rank: usize, fuel: usize) {
        self.height = height;
        self.rank = rank;
        self.fuel = fuel;
        self.strings.clear();
        self.ints = (0..height).collect();
    }

    /// Pushes variables.
    fn variables(&mut self, ints: usize, strings: usize) {
        for n in 0..ints {
            self.push(&format!("CONST_INT {}", 3 * n + 1));
            self.ints.push(self.height - 1);
        }
        for _ in 0..strings {
            self.push("NEWSTR \"s\"");
            self.strings.push(self.height - 1);
        }
    }

    fn function(&mut self, name: &str, params: usize, rank: usize) {
        self.lines(&format!("{name}({params}):"));
        self.begin(params, rank, 10);
        match self.tape.chance(1, 2) {
            // With nothing but its arguments and its result on the stack.
            false => {
                self.expr(Want::Int, 3);
                self.lines(&format!("RET {params}"));
            }
            true => {
                self.variables(1, 1);
                for _ in 0..1 + self.tape.below(3) {
                    self.statement(2);
                }
                self.expr(Want::Int, 3);
                self.lines("EXIT");
            }
        }
    }

    /// `rec(d, x)` counts `d` down by one or, calling itself twice, by one and two.
    fn recursive(&mut self) {
        self.lines("rec(2):");
        self.begin(2, 0, 12);
        self.read(0);
        self.lines("CONST_INT 1, LT, JUMP_IF bottom");
        self.height -= 1;
        self.expr(Want::Int, 2);
        // One in many runs into the limit of the depth.
        let down = if self.tape.chance(1, 30) { 0 } else { 1 };
        self.deeper(down);
        let join = self.tape.pick(&["ADD", "SUB", "MUL", "LT"]);
        self.binary(join);
        self.lines("RET 2, bottom:");
        self.height = 2;
        self.expr(Want::Int, 2);
        self.lines("RET 2, twice(1):");
        self.begin(1, 0, 6);
        self.lines("DUP, CONST_INT 2, LT, JUMP_IF bottom");
        self.lines("DUP, CONST_INT 1, SUB, CALL twice, DUPN 1, CONST_INT 2, SUB, CALL_JIT twice");
        self.lines(join);
        self.lines("RET 1, bottom:");
        self.expr(Want::Int, 2);
        self.lines("RET 1");
    }

    fn deeper(&mut self, down: usize) {
        self.read(0);
        self.lines(&format!("CONST_INT {down}, SUB"));
        self.expr(Want::Int, 2);
        let call = self.tape.pick(&["CALL", "CALL_JIT"]);
        self.lines(&format!("{call} rec"));
        self.height -= 1;
    }

    fn lines(&mut self, lines: &str) {
        self.text.lines(lines);
    }

    /// An instruction that pushes a value.
    fn push(&mut self, line: &str) {
        self.lines(line);
        self.height += 1;
    }

    /// An instruction on two values.
    fn binary(&mut self, line: &str) {
        self.lines(line);
        self.height -= 1;
    }

    /// Pushes what is at a place of the stack.
    fn read(&mut self, place: usize) {
        let depth = self.height - 1 - place;
        self.push(&format!("DUPN {depth}"));
    }

    /// Pops into a place of the stack.
    fn write(&mut self, place: usize) {
        self.height -= 1;
        let depth = self.height - 1 - place;
        self.lines(&format!("PUTN {depth}"));
    }

    fn statement(&mut self, depth: usize) {
        let weights: &[u16] = match depth {
            0 => &[6, 3, 1],
            _ => &[6, 3, 1, 4, 4],
        };
        match self.tape.weighted(weights) {
            1 if !self.strings.is_empty() => {
                self.expr(Want::Str, 2);
                let place = self.tape.below(self.strings.len());
                self.write(self.strings[place]);
            }
            2 => {
                self.expr(Want::Int, 2);
                self.lines("POP");
                self.height -= 1;
            }
            3 => self.conditional(depth - 1),
            4 if self.nested < 2 => self.counted(depth - 1),
            _ => {
                self.expr(Want::Int, 3);
                // The first place counts the main loop or the recursion, and is left alone.
                let place = 1 + self.tape.below((self.ints.len() - 1).max(1));
                match self.ints.get(place) {
                    Some(&place) => self.write(place),
                    None => {
                        self.lines("POP");
                        self.height -= 1;
                    }
                }
            }
        }
    }

    fn conditional(&mut self, depth: usize) {
        let label = self.text.label();
        self.condition();
        self.lines(&format!("JUMP_IF then{label}"));
        self.height -= 1;
        for _ in 0..self.tape.below(2) {
            self.statement(depth);
        }
        self.lines(&format!("JUMP end{label}, then{label}:"));
        for _ in 0..1 + self.tape.below(2) {
            self.statement(depth);
        }
        self.lines(&format!("end{label}:"));
    }

    /// A loop whose counter is on the stack.
    fn counted(&mut self, depth: usize) {
        let label = self.text.label();
        let turns = self.tape.pick(&[1, 2, 3, 4, 5, 12]);
        self.push(&format!("CONST_INT {turns}"));
        let place = self.height - 1;
        self.lines(&format!("loop{label}:"));
        self.nested += 1;
        for _ in 0..1 + self.tape.below(2) {
            self.statement(depth);
        }
        self.nested -= 1;
        self.read(place);
        self.lines("CONST_INT 1, SUB, DUP");
        self.height += 1;
        self.write(place);
        self.lines(&format!("JUMP_IF loop{label}, POP"));
        self.height -= 2;
    }

    /// Something to decide by, which often changes in the course of a loop.
    fn condition(&mut self) {
        match self.tape.weighted(&[3, 2, 2]) {
            0 => {
                let turn = self.tape.within(0, 60);
                self.small_int();
                self.lines(&format!("CONST_INT {turn}, LT"));
            }
            1 => {
                let by = self.tape.within(2, 5);
                self.small_int();
                self.lines(&format!("CONST_INT {by}, MOD"));
            }
            _ => {
                let want = self.tape.pick(&[Want::Int, Want::Str]);
                self.expr(want, 2);
            }
        }
    }

    /// An expression that leaves one value.
    fn expr(&mut self, want: Want, depth: usize) {
        let small = depth == 0 || self.fuel == 0 || self.tape.is_empty();
        self.fuel = self.fuel.saturating_sub(1);
        let want = match self.tape.chance(1, 64) {
            true => self.tape.pick(&[Want::Int, Want::Str]),
            false => want,
        };
        match (want, small) {
            (Want::Int, true) => self.small_int(),
            (Want::Int, false) => self.int(depth - 1),
            (Want::Str, true) => self.small_string(),
            (Want::Str, false) => self.string(depth - 1),
        }
    }

    fn small_int(&mut self) {
        match self.tape.weighted(&[3, 2]) {
            0 if !self.ints.is_empty() => {
                let place = self.tape.below(self.ints.len());
                self.read(self.ints[place]);
            }
            _ => {
                let value = match self.tape.chance(1, 6) {
                    true => self.tape.integer(),
                    false => self.tape.within(-20, 20),
                };
                self.push(&format!("CONST_INT {value}"));
            }
        }
    }

    fn small_string(&mut self) {
        match self.tape.weighted(&[3, 2]) {
            0 if !self.strings.is_empty() => {
                let place = self.tape.below(self.strings.len());
                self.read(self.strings[place]);
            }
            _ => {
                let text = self.tape.pick(&["", "s", "b", "ä", "something longer"]);
                self.push(&format!("NEWSTR \"{text}\""));
            }
        }
    }

    fn int(&mut self, depth: usize) {
        match self.tape.weighted(&[3, 10, 3, 3, 7, 2]) {
            0 => self.small_int(),
            1 => {
                self.expr(Want::Int, depth);
                self.expr(Want::Int, depth);
                let op = self
                    .tape
                    .pick(&["ADD", "SUB", "MUL", "LT", "EQ", "ADD", "SUB"]);
                self.binary(op);
            }
            2 => {
                self.expr(Want::Int, depth);
                self.divisor(depth);
                let op = self.tape.pick(&["DIV", "MOD"]);
                self.binary(op);
            }
            3 => self.choice(Want::Int, depth),
            4 => self.call(depth),
            _ => {
                self.expr(Want::Str, depth);
                self.expr(Want::Str, depth);
                let op = self.tape.pick(&["EQ", "LT"]);
                self.binary(op);
            }
        }
    }

    /// Zero hardly ever, or in the middle of the loop.
    fn divisor(&mut self, depth: usize) {
        match self.tape.weighted(&[10, 2, 1]) {
            0 => {
                let by = self.tape.pick(&[7, 1, 2, -3, -1, 100]);
                self.push(&format!("CONST_INT {by}"));
            }
            1 => {
                let turn = self.tape.within(1, 40);
                self.small_int();
                self.lines(&format!("CONST_INT {turn}, SUB"));
            }
            _ => self.expr(Want::Int, depth),
        }
    }

    fn string(&mut self, depth: usize) {
        match self.tape.weighted(&[3, 2, 1]) {
            0 => self.small_string(),
            // What is put behind a string is short, so that it does not double.
            1 => {
                self.expr(Want::Str, depth);
                let more = self.tape.pick(&["", "a", "long enough to differ"]);
                self.lines(&format!("NEWSTR \"{more}\", ADD"));
            }
            _ => self.choice(Want::Str, depth),
        }
    }

    /// One of two, by a condition.
    fn choice(&mut self, want: Want, depth: usize) {
        let label = self.text.label();
        self.condition();
        self.lines(&format!("JUMP_IF then{label}"));
        self.height -= 1;
        self.expr(want, depth);
        self.lines(&format!("JUMP end{label}, then{label}:"));
        self.height -= 1;
        self.expr(want, depth);
        self.lines(&format!("end{label}:"));
    }

    fn call(&mut self, depth: usize) {
        if self.rank == 0 {
            return self.small_int();
        }
        let call = self.tape.pick(&["CALL", "CALL_JIT", "CALL", "CALL_NORMAL"]);
        match self.tape.weighted(&[6, 3, 1]) {
            1 if self.rank == MAIN => {
                match self.tape.pick(&["CONST_INT 3", "CONST_INT 9", ""]) {
                    "" => self.read(0),
                    constant => self.push(constant),
                }
                self.expr(Want::Int, depth);
                self.binary(&format!("{call} rec"));
            }
            2 if self.rank == MAIN => {
                self.expr(Want::Int, depth);
                self.lines("CONST_INT 7, MOD");
                self.lines(&format!("{call} twice"));
            }
            _ => {
                let (name, params) = CALLEES[self.tape.below(self.rank)];
                for _ in 0..params {
                    self.expr(Want::Int, depth);
                }
                self.height -= params;
                self.push(&format!("{call} {name}"));
            }
        }
    }
}
