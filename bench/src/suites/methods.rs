//! Method calls. In: two programs of `languages/objmodel`, in the three object models of the 2011
//! paper on runtime feedback. Out: seconds of the interpreter, of the JIT cold (the first run in a
//! VM) and warm (the second), and of the same in Rust, with structs and trait objects. Invariant:
//! the Rust programs compute what the guest programs print.

use crate::measure::interleave::{Contestant, Repeat, Run, least, race, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;
use objmodel::image::Image;
use objmodel::machine::{MAX_DEPTH, Machine, Stage, load};
use objmodel::output;
use std::hint::black_box;
use verdigris::Options;

/// A program, its argument, what the interpreter's is divided by, and the same in Rust.
struct Program {
    name: &'static str,
    text: &'static str,
    n: i64,
    fewer: i64,
    rust: fn(i64) -> String,
}

const PROGRAMS: [Program; 2] = [
    Program {
        name: "counter",
        text: include_str!("../../../languages/objmodel/programs/counter.om"),
        n: 10_000_000,
        fewer: 200,
        rust: counter,
    },
    Program {
        name: "shapes",
        text: include_str!("../../../languages/objmodel/programs/shapes.om"),
        n: 2_000_000,
        fewer: 200,
        rust: shapes,
    },
];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &Repeat, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut rows = vec![row([
        "program",
        "n",
        "interp",
        "jit cold",
        "jit warm",
        "rust",
        "interp/warm",
        "warm/rust",
    ])];
    let mut records = Vec::new();
    for program in &PROGRAMS {
        let image = load(program.text.as_bytes(), program.name)?;
        let (n, runs) = match settings.quick {
            true => (program.n / 1000, 1),
            false => (program.n, args.runs),
        };
        for stage in Stage::ALL {
            let name = format!("{} {}", program.name, stage.name());
            let fewer = program.fewer;
            let contestants: Vec<Contestant> = vec![
                single("interp", || {
                    let off = Options::parse("off").map_err(|error| error.to_string())?;
                    let run = runs_of(&image, stage, n / fewer, off, 1)?.remove(0);
                    Ok(run.scaled(fewer as f64))
                }),
                Box::new(|| {
                    let runs = runs_of(&image, stage, n, args.jit.clone(), 2)?;
                    Ok(["jit-cold", "jit-warm"].into_iter().zip(runs).collect())
                }),
                single("rust", || timed(|| Ok((program.rust)(black_box(n))))),
            ];
            let new = race("methods", &name, n, runs, contestants)?;
            let times = ["interp", "jit-cold", "jit-warm", "rust"].map(|s| least(&new, s));
            let mut cells = vec![name, n.to_string()];
            cells.extend(times.map(|time| time.map_or("-".to_string(), seconds)));
            cells.extend([ratio(times[0], times[2]), ratio(times[2], times[3])]);
            rows.push(cells);
            records.extend(new);
        }
    }
    println!("{}", align(&rows));
    println!("the interpreter's seconds are those of a smaller n, scaled");
    Ok(records)
}

/// The first runs in a VM; what they print is their result.
fn runs_of(
    image: &Image,
    stage: Stage,
    n: i64,
    options: Options,
    runs: usize,
) -> Result<Vec<Run>, String> {
    let machine = Machine::new(options, stage, MAX_DEPTH)?;
    machine.enter(image, |program| {
        let run = |_| {
            output::begin(image, true);
            let result = timed(|| program.run(&[n]).map(|()| ""));
            let printed = output::finish().map_err(|error| error.to_string())?;
            let printed = String::from_utf8_lossy(&printed).trim().to_string();
            Ok(Run {
                result: Some(printed),
                ..result?
            })
        };
        (0..runs).map(run).collect()
    })?
}

/// What a counter answers. Which class it has is not known to rustc, as it is not to the
/// interpreter.
trait Bump {
    fn bump(&mut self) -> i64;
    fn value(&self) -> i64;
}

struct Counter {
    value: i64,
    step: i64,
}

impl Bump for Counter {
    fn bump(&mut self) -> i64 {
        self.value = self.value.wrapping_add(self.step);
        self.value
    }

    fn value(&self) -> i64 {
        self.value
    }
}

#[inline(never)]
fn counter(n: i64) -> String {
    let counter: Box<dyn Bump> = Box::new(Counter { value: 5, step: 1 });
    let mut counter = black_box(counter);
    let mut i = 0;
    while i < n {
        counter.bump();
        i += 1;
    }
    let value = counter.value();
    format!("{value} {}", counter.bump())
}

/// The results of the three classes of shapes.
trait Shape {
    fn area(&self) -> i64;
    fn grow(&mut self, n: i64);
}

struct Square {
    side: i64,
}

impl Shape for Square {
    fn area(&self) -> i64 {
        self.side.wrapping_mul(self.side)
    }

    fn grow(&mut self, _: i64) {
        if self.side < 100 {
            self.side += 1;
        }
    }
}

struct Rectangle {
    width: i64,
    height: i64,
}

impl Shape for Rectangle {
    fn area(&self) -> i64 {
        self.width.wrapping_mul(self.height)
    }

    fn grow(&mut self, n: i64) {
        (self.width, self.height) = (self.height, self.width.wrapping_add(n / 1000));
    }
}

struct Nothing;

impl Shape for Nothing {
    fn area(&self) -> i64 {
        0
    }

    fn grow(&mut self, _: i64) {}
}

#[inline(never)]
fn shapes(mut n: i64) -> String {
    let mut shapes: Vec<Box<dyn Shape>> = black_box(vec![
        Box::new(Square { side: 3 }),
        Box::new(Rectangle {
            width: 2,
            height: 5,
        }),
        Box::new(Nothing),
    ]);
    let mut sum = 0i64;
    while n > 0 {
        n -= 1;
        for shape in &mut shapes {
            shape.grow(n);
            sum = sum.wrapping_add(shape.area());
        }
    }
    format!("sum {sum}")
}
