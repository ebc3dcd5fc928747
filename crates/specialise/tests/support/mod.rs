//! Small interpreters that are specialised step by step, as the papers' examples need it. Every
//! piece of residual code is verified, printed and read back.

pub mod no_heap;

use verdigris_jitcode::{Unit, parse, verify};
use verdigris_ops::{ClassId, DataOp, FnId, Ty};
use verdigris_opt::{BuilderInput, GuardKnowledge, Host, Optimised, Optimiser, Passes};
use verdigris_specialise::{
    Decoded, Decoder, FailedGuard, SpecialiseLimits, Specialised, SpecialiserHistory,
    StencilContext, learn, specialise, specialise_from, stencil,
};
use verdigris_trace::{Descr, OptimisedTrace, Resume, print, verify as verify_trace};

/// The guest program's object among the greens. Its class is `Code`, an array of integers.
pub const PROGRAM: u64 = 0x1000;

/// The words of the guest program.
struct Program<'a> {
    unit: &'a Unit,
    words: &'a [i64],
}

impl Host for Program<'_> {
    fn load(&mut self, op: DataOp, args: &[u64], _: Descr) -> u64 {
        assert_eq!(args[0], PROGRAM, "there is no other constant object");
        match op {
            DataOp::ArrayLen => self.words.len() as u64,
            DataOp::GetItemI => self.words[args[1] as usize] as u64,
            _ => unreachable!("a program is an array of integers"),
        }
    }

    fn call(&mut self, _: FnId, _: &[u64]) -> Option<Vec<u64>> {
        None
    }

    fn is_object(&mut self, word: u64) -> bool {
        word == PROGRAM
    }

    fn class_of(&self, object: u64) -> Option<ClassId> {
        let is_program = object == PROGRAM;
        is_program.then(|| self.unit.descrs.class_by_name("Code"))?
    }
}

/// An interpreter with a guest program, and what has been compiled of it so far.
pub struct Guest {
    unit: Unit,
    words: Vec<i64>,
    optimiser: Optimiser,
    history: SpecialiserHistory,
}

/// A piece of residual code.
pub struct Piece {
    code: Optimised,
    /// Its text.
    pub text: String,
    /// How often it was left to the interpreter what follows, and why.
    pub left: Vec<String>,
}

impl Guest {
    /// A guest program, and the passes of the optimiser that it is compiled with.
    pub fn new(jitcode: &str, words: &[i64], passes: &str) -> Guest {
        let unit = parse(jitcode).expect("jitcode");
        verify(&unit).expect("right jitcode");
        Guest {
            unit,
            words: words.to_vec(),
            optimiser: Optimiser::new(Passes::parse(passes).expect("known passes")),
            history: SpecialiserHistory::default(),
        }
    }

    /// From now on, what the optimiser is given is kept.
    pub fn keep_inputs(&mut self) {
        self.optimiser.keep_inputs();
    }

    /// The input of the last compilation.
    pub fn take_inputs(&mut self) -> Vec<BuilderInput> {
        self.optimiser.take_inputs()
    }

    /// The code for the place with these greens.
    pub fn specialise(&mut self, greens: &[u64]) -> Piece {
        let mut host = Program {
            unit: &self.unit,
            words: &self.words,
        };
        let (unit, limits) = (&self.unit, SpecialiseLimits::default());
        let done = specialise(
            unit,
            greens,
            &mut self.history,
            &mut self.optimiser,
            &mut host,
            limits,
        );
        self.piece(done)
    }

    /// The code of the instruction at the place with these greens, known by its number; the
    /// function of the unit that answers records, and the one that runs them, are called
    /// `record_of` and `run`.
    pub fn stencil(&mut self, greens: &[u64], number: u32) -> (Piece, Decoder) {
        let mut host = Program {
            unit: &self.unit,
            words: &self.words,
        };
        let function = |name| self.unit.descrs.fn_by_name(name).expect("it is declared");
        let threading = StencilContext {
            record_of: function("record_of"),
            run: function("run"),
            number,
        };
        let (unit, limits) = (&self.unit, SpecialiseLimits::default());
        let (history, optimiser) = (&mut self.history, &mut self.optimiser);
        let made = stencil(
            unit, greens, threading, history, optimiser, &mut host, limits,
        );
        (self.piece(made.specialised), made.decoder)
    }

    /// What the place with these greens has in its record, if its code is the one that the decoder
    /// belongs to.
    pub fn decode(&self, decoder: &Decoder, greens: &[u64]) -> Option<Decoded> {
        let mut host = Program {
            unit: &self.unit,
            words: &self.words,
        };
        decoder.decode(greens, &mut host)
    }

    /// Whether a stencil wants an arm where it is left at its `n`-th exit, with this word for every
    /// integer.
    pub fn learn(&mut self, of: &Piece, n: usize, word: u64) -> bool {
        let mut host = Program {
            unit: &self.unit,
            words: &self.words,
        };
        let (history, optimiser) = (&mut self.history, &mut self.optimiser);
        let unit = &self.unit;
        of.leave(n, word, |left| {
            let limits = SpecialiseLimits::default();
            learn(unit, left, history, optimiser, &mut host, limits)
        })
    }

    /// The code behind the `n`-th exit of a piece, when every integer that the exit hands over is
    /// `word`: the arm for that value, if the exit waits for one.
    pub fn arm(&mut self, of: &Piece, n: usize, word: u64) -> Piece {
        let mut host = Program {
            unit: &self.unit,
            words: &self.words,
        };
        let (history, optimiser) = (&mut self.history, &mut self.optimiser);
        let unit = &self.unit;
        let done = of.leave(n, word, |left| {
            let limits = SpecialiseLimits::default();
            specialise_from(unit, left, history, optimiser, &mut host, limits)
        });
        self.piece(done.expect("there is something to do"))
    }

    fn piece(&self, done: Specialised) -> Piece {
        let (descrs, trace) = (&self.unit.descrs, &done.optimised.trace);
        verify_trace(descrs, trace).expect("residual code is right");
        let text = print(descrs, trace);
        let read: OptimisedTrace = verdigris_trace::parse(descrs, &text).expect("it can be read");
        assert_eq!(print(descrs, &read), text);
        let left = done.left.iter().map(|(why, n)| format!("{why}: {n}"));
        Piece {
            left: left.collect(),
            text,
            code: done.optimised,
        }
    }
}

impl Piece {
    /// Leaves at the `n`-th exit, with this word for every value that is handed over.
    fn leave<R>(&self, n: usize, word: u64, then: impl FnOnce(&FailedGuard<'_>) -> R) -> R {
        let exits = exits(&self.code);
        let (resume, facts) = exits[n];
        let trace = &self.code.trace;
        let types: Vec<Ty> = resume.fail_args.iter().map(|&v| trace.types[v]).collect();
        let words = vec![word; types.len()];
        then(&FailedGuard {
            resume,
            facts,
            types: &types,
            words: &words,
            compared: 0,
            generalise: false,
        })
    }

    /// The lines with operations of this name, without their results and what a guard carries.
    pub fn all(&self, name: &str) -> Vec<&str> {
        let lines = self.text.lines().filter(|line| !line.starts_with(' '));
        let operations = lines.map(|line| line.split_once(" = ").map_or(line, |(_, op)| op));
        let named = operations.filter(|op| op.split('(').next() == Some(name));
        named
            .map(|op| op.split(" => ").next().unwrap_or(op))
            .collect()
    }
}

/// The guards that lead out of a piece.
fn exits(code: &Optimised) -> Vec<(&Resume, &GuardKnowledge)> {
    let resumes = code.trace.ops().iter().filter_map(|op| op.resume());
    resumes.zip(&code.guard_knowledge).collect()
}
