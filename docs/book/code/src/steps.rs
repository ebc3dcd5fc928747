//! The steps of the tutorial, with the programs that the chapters show. In: a program. Out: what it
//! does. Invariant: each program is run by the tests, and measured for the figures.

use book_host::Run;
use verdigris::Options;

/// A step that has a JIT.
pub struct Step {
    /// Its number.
    pub number: usize,
    run: fn(&str, Options) -> Run,
    /// What its chapter shows.
    pub programs: &'static [Program],
}

/// A program of a chapter.
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// A part of its text that says how much there is to do, and what is there for measurements.
    more: (&'static str, &'static str),
}

macro_rules! program {
    ($name:literal, $less:literal, $more:literal) => {
        Program {
            name: $name,
            text: include_str!(concat!("../programs/", $name, ".penny")),
            more: ($less, $more),
        }
    };
    ($name:literal) => {
        program!($name, "let n = 20000\n", "let n = 20000000\n")
    };
}

/// How often the expressions of step 2 are evaluated by tests.
const TIMES: i64 = 5_000;

/// All steps that have a JIT.
pub static STEPS: &[Step] = &[
    Step {
        number: 2,
        run: |text, options| match text.split_once(" for ") {
            None => book_step2::sum(text, TIMES, options),
            Some((text, times)) => {
                let times = times.trim().parse().unwrap_or(TIMES);
                book_step2::sum(text, times, options)
            }
        },
        programs: &[Program {
            name: "expression",
            text: "x * x - 3 * (x + 1)",
            more: ("(x + 1)", "(x + 1) for 5000000"),
        }],
    },
    Step {
        number: 3,
        run: book_step3::run,
        programs: &[program!("squares"), program!("branches")],
    },
    Step {
        number: 4,
        run: book_step4::run,
        programs: &[program!("squares"), program!("mixed")],
    },
    Step {
        number: 5,
        run: book_step5::run,
        programs: &[
            program!("calls"),
            program!("fib", "let n = 20\n", "let n = 32\n"),
        ],
    },
    Step {
        number: 6,
        run: book_step6::run,
        programs: &[program!("texts")],
    },
    Step {
        number: 7,
        run: book_step7::run,
        programs: &[program!("closures")],
    },
    Step {
        number: 8,
        run: book_step8::run,
        programs: &[program!("points", "let n = 20000\n", "let n = 2000000\n")],
    },
    Step {
        number: 9,
        run: book_step9::run,
        programs: &[
            program!("points", "let n = 20000\n", "let n = 2000000\n"),
            program!("fib", "let n = 20\n", "let n = 32\n"),
        ],
    },
];

impl Step {
    /// Runs a program.
    pub fn run(&self, text: &str, options: Options) -> Run {
        (self.run)(text, options)
    }

    /// What a program prints.
    ///
    /// # Errors
    /// The program's.
    pub fn output(&self, text: &str, options: Options) -> Result<String, String> {
        output(self.run(text, options))
    }
}

impl Program {
    /// The program with more to do.
    pub fn large(&self) -> String {
        let (less, more) = self.more;
        assert!(self.text.contains(less), "{}", self.name);
        self.text.replace(less, more)
    }
}

macro_rules! benchmark {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../bench/", $name, ".penny")),
            include_str!(concat!("../bench/", $name, ".lua")),
        )
    };
}

/// What the last step is compared with LuaJIT by: names, texts, and the same in Lua.
pub static BENCHMARKS: [(&str, &str, &str); 7] = [
    benchmark!("integers"),
    benchmark!("floats"),
    benchmark!("fib"),
    benchmark!("closures"),
    benchmark!("objects"),
    benchmark!("list"),
    benchmark!("strings"),
];

/// What a program prints in the last step.
///
/// # Errors
/// The program's.
pub fn last(text: &str, options: Options) -> Result<String, String> {
    output(book_step9::run(text, options))
}

fn output(run: Run) -> Result<String, String> {
    match run.error {
        None => Ok(run.output),
        Some(error) => Err(error),
    }
}
