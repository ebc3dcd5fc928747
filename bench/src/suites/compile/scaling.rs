//! How the cost of compiling grows with the length of a trace. In: generated programs of one loop
//! each, whose straight body gets longer and longer: of the counter language, which has short ones,
//! and of TLC. Out: per recorded operation the time of tracing, optimising and the backend, and how
//! much longer the optimiser takes for each doubling. Invariant: one loop is compiled and nothing
//! else, so that the figures are those of one trace.

use crate::guests::languages::assemble;
use crate::measure::clock::cpu_seconds;
use crate::measure::pace::paced;
use crate::measure::record::Record;
use crate::measure::statistics::median;
use crate::measure::text::{align, row};
use crate::suites::compile::sample::{PHASES, sample};
use tlc::image::Image;
use verdigris::{Options, Stats};

/// Doubling the length of a trace may cost the optimiser this much.
const BAR: f64 = 2.3;

/// The recorded operations that a trace should have, roughly. A loop that is longer when it is
/// empty starts later.
const LENGTHS: [u64; 8] = [50, 100, 200, 400, 800, 1600, 3200, 6400];

/// Short traces are compiled several times for one figure: until this many operations have been
/// recorded.
const OPERATIONS: u64 = 8000;

/// A kind of loop, which is what it does with a number `n` that counts down on top of the stack.
struct Kind {
    name: &'static str,
    /// The code in front of the loop; leaves `n` on top.
    begin: &'static str,
    /// The part of the body with this number.
    part: fn(usize) -> String,
    /// The code behind this many parts; leaves the stack as the first found it.
    end: fn(usize) -> String,
    /// The number of parts is a multiple of this.
    unit: usize,
    /// The code behind the loop: leaves a result that depends on what the loop did.
    result: &'static str,
    /// The methods that the parts call.
    methods: &'static str,
}

const KINDS: [Kind; 5] = [ARITHMETIC, OBJECTS, STORES, GUARDS, LIVE];

/// The kind of a generated loop.
#[derive(Clone, Copy)]
enum Loops {
    /// Sums in the counter language: a part is one `+`.
    Counter,
    /// TLC.
    Tlc(&'static Kind),
}

impl Loops {
    fn all() -> impl Iterator<Item = Loops> {
        [Loops::Counter]
            .into_iter()
            .chain(KINDS.iter().map(Loops::Tlc))
    }

    fn name(self) -> &'static str {
        match self {
            Loops::Counter => "counter",
            Loops::Tlc(kind) => kind.name,
        }
    }

    /// The number of parts is a multiple of this.
    fn unit(self) -> usize {
        match self {
            Loops::Counter => 1,
            Loops::Tlc(kind) => kind.unit,
        }
    }

    /// Runs a loop of this many parts, so often that it is compiled, in a fresh VM.
    fn program(self, parts: usize, options: &Options) -> Result<Run, String> {
        let mut options = options.clone();
        let set = options.jit.set_trace_limit(100_000);
        set.map_err(|error| error.to_string())?;
        options.clock = Some(cpu_seconds);
        let iterations = i64::from(options.jit.threshold()) + 10;
        match self {
            Loops::Counter => {
                let text = format!("{}-?.", "+".repeat(parts));
                Ok(Box::new(move || {
                    let vm = counter::machine(options.clone()).map_err(|e| e.to_string())?;
                    counter::sum(&vm, &text, iterations);
                    Ok(vm.stats())
                }))
            }
            Loops::Tlc(kind) => {
                let image = assemble_parts(kind, parts)?;
                Ok(Box::new(move || sample(&image, iterations, &options)))
            }
        }
    }
}

/// Runs a program once.
type Run = Box<dyn Fn() -> Result<Stats, String>>;

/// Arithmetic on eight values that live across the whole loop, one of which each part changes.
const ARITHMETIC: Kind = Kind {
    name: "arithmetic",
    begin: "PUSH 1\nPUSH 2\nPUSH 3\nPUSH 4\nPUSH 5\nPUSH 6\nPUSH 7\nPUSH 8\nPUSHARG",
    part: |i| {
        let (a, b) = (1 + i % 8, 1 + (i * 3 + 1) % 8);
        let op = ["ADD", "MUL", "SUB"][i % 3];
        let k = i % 100 + 1;
        format!("PICK {a}\nPICK {}\n{op}\nPUSH {k}\nADD\nPUT {a}\n", b + 1)
    },
    end: |_| String::new(),
    unit: 1,
    result: "POP\nADD\nADD\nADD\nADD\nADD\nADD\nADD",
    methods: "",
};

/// Attributes of two objects that live on, and new objects and pairs, every other one of which is
/// kept.
const OBJECTS: Kind = Kind {
    name: "objects",
    begin: "NEW a,b,c\nPICK 0\nPUSH 0\nSETATTR a\nPICK 0\nNIL\nSETATTR b\n\
        NEW a,b,c\nPICK 0\nPUSH 0\nSETATTR a\nPICK 0\nNIL\nSETATTR b\nPUSHARG",
    part: |i| {
        let (one, other, k) = (1 + i % 2, 2 - i % 2, i % 100 + 1);
        let make = match i % 2 {
            0 => {
                format!("PICK {one}\nNEW x,y\nPICK 0\nPICK 2\nGETATTR a\nSETATTR x\nSETATTR c\n")
            }
            _ => format!(
                "PICK {one}\nPICK {}\nGETATTR a\nNIL\nPUSH 3\nCONS\nCAR\nADD\nSETATTR a\n",
                other + 1
            ),
        };
        format!(
            "PICK {one}\nPICK {}\nGETATTR a\nPUSH {k}\nADD\nSETATTR a\n{make}\
             PICK {one}\nNIL\nPICK 2\nCONS\nSETATTR b\n",
            one + 1,
        )
    },
    end: |_| String::new(),
    unit: 1,
    result: "POP\nGETATTR a\nSWAP\nGETATTR a\nADD",
    methods: "",
};

/// How a ring of three objects is made, with the attributes `next` and `value`; the last lies on
/// top. Two are of one class, and the values are an integer, nil and a list.
macro_rules! ring {
    ($rest:literal) => {
        concat!(
            "NEW next,value,x,y,weight=one\nPICK 0\nPUSH 5\nSETATTR value\n",
            "NEW next,value,x,y,weight=two\nPICK 0\nNIL\nSETATTR value\n",
            "NEW next,value,x,y,weight=two\nPICK 0\nNIL\nPUSH 1\nCONS\nSETATTR value\n",
            "PICK 2\nPICK 2\nSETATTR next\nPICK 1\nPICK 1\nSETATTR next\nPICK 0\nPICK 3\nSETATTR next\n",
            $rest
        )
    };
}

const RING_METHODS: &str = "one:\nPUSH 1\nRETURN\ntwo:\nPUSH 2\nRETURN\n";

/// A walk around the ring that writes attributes of every object it meets, which may be one that it
/// has met.
const STORES: Kind = Kind {
    name: "stores",
    begin: ring!("PUSHARG"),
    part: |i| {
        let attr = ["x", "y"][i % 2];
        format!(
            "PICK 1\nGETATTR next\nPUT 1\nPICK 1\nPICK 1\nPUSH {}\nADD\nSETATTR {attr}\n",
            i % 100 + 1
        )
    },
    end: |_| String::new(),
    unit: 3,
    result: "POP\nGETATTR x",
    methods: RING_METHODS,
};

/// A walk around the ring: every step meets an object of which nothing is known, asks for its class
/// and for the type of its value, and sends to it.
const GUARDS: Kind = Kind {
    name: "guards",
    begin: ring!("PUSH 0\nPUSHARG"),
    part: |i| {
        format!(
            "PICK 2\nGETATTR next\nPUT 2\n\
             PICK 2\nGETATTR value\nBR_COND full{i}\nPICK 1\nPUSH 1\nADD\nPUT 1\nfull{i}:\n\
             PICK 2\nSEND weight/0\nPICK 2\nADD\nPUT 1\n"
        )
    },
    end: |_| String::new(),
    unit: 3,
    result: "POP",
    methods: RING_METHODS,
};

/// A walk around the ring that keeps every object it meets on the stack: values that live across
/// all guards that follow.
const LIVE: Kind = Kind {
    name: "live",
    begin: ring!("PUSHARG"),
    part: |i| {
        let first = if i == 0 { "SWAP\n" } else { "" };
        format!("{first}PICK 0\nGETATTR next\n")
    },
    end: |parts| "SWAP\nPOP\n".repeat(parts) + "SWAP\n",
    unit: 3,
    result: "POP\nGETATTR value",
    methods: RING_METHODS,
};

/// Every kind of loop that is wanted, at every length.
///
/// # Errors
/// If a program fails, or compiles something else than one loop.
pub fn run(
    options: &Options,
    runs: u32,
    quick: bool,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Record>, String> {
    let longest = if quick { 400 } else { u64::MAX };
    let mut rows = vec![row([
        "loop",
        "recorded",
        "optimised",
        "trace us/op",
        "opt us/op",
        "backend us/op",
        "total us/op",
        "opt, of the half",
    ])];
    let mut programs = Vec::new();
    for loops in Loops::all().filter(|loops| wanted(loops.name())) {
        let sizes = Sizes::of(loops, options)?;
        for length in (LENGTHS.into_iter()).filter(|&l| sizes.empty <= l && l <= longest) {
            let parts = sizes.parts(loops, length, options)?;
            programs.push(Generated::new(loops, parts, length, options)?);
        }
    }
    // One sample of each in every round, so that those of one lie far apart.
    for _ in 0..runs {
        for program in &mut programs {
            program.measure()?;
        }
    }
    let (mut records, mut worst) = (Vec::new(), 0.0f64);
    let mut half: Option<&Generated> = None;
    for program in &programs {
        let name = program.name;
        let ratio = half.filter(|half| half.name == name);
        let ratio = ratio.map(|half| doubled(half, program));
        worst = worst.max(ratio.unwrap_or(0.0));
        let of_length = program.records();
        rows.push(length_row(name, &program.samples[0], &of_length, ratio));
        records.extend(of_length);
        half = Some(program);
    }
    println!(
        "compile time by length of the trace\n{}at most {worst:.2} times the optimiser's time for a trace of twice the length (the bar is {BAR})",
        align(&rows)
    );
    Ok(records)
}

/// How many operations the loops of a kind have.
struct Sizes {
    /// The shortest loop.
    empty: u64,
    /// The growth by one more unit of parts.
    unit: u64,
}

impl Sizes {
    fn of(loops: Loops, options: &Options) -> Result<Sizes, String> {
        let units = |count| Generated::new(loops, loops.unit() * count, 1, options)?.recorded();
        let (one, two) = (units(1)?, units(2)?);
        Ok(Sizes {
            empty: one,
            unit: two - one,
        })
    }

    /// The parts that make a loop of this length: a guess from the shortest loops, and once more
    /// from what it gave.
    fn parts(&self, loops: Loops, length: u64, options: &Options) -> Result<usize, String> {
        let guess = self.more(length.saturating_sub(self.empty));
        let found =
            Generated::new(loops, loops.unit() * (1 + guess), length, options)?.recorded()?;
        let more = match length.checked_sub(found) {
            Some(missing) => guess + self.more(missing),
            None => guess.saturating_sub(self.more(found - length)),
        };
        Ok(loops.unit() * (1 + more))
    }

    /// How many units have this many operations, roughly.
    fn more(&self, operations: u64) -> usize {
        ((operations + self.unit / 2) / self.unit) as usize
    }
}

/// A generated program and how it is run.
struct Generated {
    name: &'static str,
    run: Run,
    /// The length of the trace that was asked for.
    length: u64,
    /// How often it is run for one sample.
    repeat: u64,
    /// The statistics of each sample, and the pace around it.
    samples: Vec<Stats>,
    paces: Vec<f64>,
}

impl Generated {
    /// A loop of this many parts.
    fn new(
        loops: Loops,
        parts: usize,
        length: u64,
        options: &Options,
    ) -> Result<Generated, String> {
        Ok(Generated {
            name: loops.name(),
            run: loops.program(parts, options)?,
            length,
            repeat: (OPERATIONS / length).max(1),
            samples: Vec::new(),
            paces: Vec::new(),
        })
    }

    fn recorded(&self) -> Result<u64, String> {
        Ok(self.sample()?.recorded.total())
    }

    fn sample(&self) -> Result<Stats, String> {
        let stats = (self.run)()?;
        match (stats.traces, stats.bridges) {
            (1, 0) => Ok(stats),
            (traces, bridges) => Err(format!(
                "{}: one loop was to be compiled, there are {traces} traces and {bridges} bridges, given up: {:?}",
                self.name, stats.aborts
            )),
        }
    }

    /// Takes one more sample. That of a short program is of many runs, whose times are added up.
    fn measure(&mut self) -> Result<(), String> {
        let (stats, pace) = paced(|| self.many())?;
        self.samples.push(stats);
        self.paces.push(pace);
        Ok(())
    }

    /// Seconds per recorded operation, by phase.
    fn records(&self) -> Vec<Record> {
        let ops = self.samples[0].recorded.total();
        let record = |(phase, seconds): (&str, fn(&Stats) -> f64)| {
            let per_op = self.samples.iter().map(|s| seconds(s) / ops as f64);
            let per_op: Vec<f64> = per_op.collect();
            let record = Record::new("scaling", self.name, self.length as i64, phase, &per_op);
            record.with_count(ops).with_pace(&self.paces)
        };
        PHASES.map(record).to_vec()
    }

    fn many(&self) -> Result<Stats, String> {
        let mut sum = self.sample()?;
        for _ in 1..self.repeat {
            let more = self.sample()?.seconds;
            sum.seconds.tracing += more.tracing;
            sum.seconds.optimising += more.optimising;
            sum.seconds.compiling += more.compiling;
        }
        sum.seconds.tracing /= self.repeat as f64;
        sum.seconds.optimising /= self.repeat as f64;
        sum.seconds.compiling /= self.repeat as f64;
        Ok(sum)
    }
}

/// The program with this many parts in its loop. The branch back is further than an operand
/// reaches, so its offset is computed: `100 * high + low`.
fn assemble_parts(kind: &Kind, parts: usize) -> Result<Image, String> {
    let body = (0..parts).map(kind.part).collect::<String>() + &(kind.end)(parts);
    let program = |offset: usize| {
        let (high, low) = (offset / 100, offset % 100);
        format!(
            "main:\n{}\n{body}PUSH 1\nSUB\nPICK 0\n\
             PUSH -{high}\nPUSH 100\nMUL\nPUSH {low}\nSUB\nBR_COND_STK\n{}\nRETURN\n{}",
            kind.begin, kind.result, kind.methods
        )
    };
    let bytes = |text: &str| Ok::<usize, String>(assemble(kind.name, text)?.code.len());
    let around = format!(
        "main:\n{}\n{}\nRETURN\n{}",
        kind.begin, kind.result, kind.methods
    );
    let before = bytes(&around)?;
    assemble(kind.name, &program(bytes(&program(0))? - before))
}

/// How much longer twice the length takes: the median of the rounds, in each of which one length
/// follows the other at once.
fn doubled(half: &Generated, this: &Generated) -> f64 {
    let cost = |stats: &Stats| {
        let ops = stats.recorded.total();
        (ops, stats.seconds.optimising / ops as f64)
    };
    let rounds = half.samples.iter().zip(&this.samples);
    let ratios: Vec<f64> = rounds.map(|(a, b)| doubling(cost(a), cost(b))).collect();
    median(&ratios)
}

/// How much longer twice the length takes, from the operations and the seconds per operation of two
/// lengths: lengths are not exactly doubled, so the exponent is what is measured.
fn doubling(half: (u64, f64), this: (u64, f64)) -> f64 {
    let length = this.0 as f64 / half.0 as f64;
    let time = length * this.1 / half.1;
    2f64.powf(time.ln() / length.ln())
}

fn length_row(name: &str, stats: &Stats, records: &[Record], ratio: Option<f64>) -> Vec<String> {
    let mut cells = vec![name.to_string()];
    cells.extend([stats.recorded, stats.optimised].map(|counts| counts.total().to_string()));
    cells.extend(
        records
            .iter()
            .map(|record| format!("{:.2}", record.seconds * 1e6)),
    );
    cells.push(ratio.map_or("-".to_string(), |ratio| format!("{ratio:.2}")));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use tlc::machine::{MAX_DEPTH, Machine};

    #[test]
    fn a_doubling_is_what_it_would_be_at_exactly_twice_the_length() {
        assert!((doubling((100, 1.0), (200, 1.0)) - 2.0).abs() < 1e-9);
        assert!((doubling((100, 1.0), (200, 2.0)) - 4.0).abs() < 1e-9);
        assert!((doubling((100, 1.0), (300, 3.0)) - 4.0).abs() < 1e-9);
    }

    #[test]
    fn every_kind_is_one_loop_of_the_length_asked_for() {
        let options = Options::default();
        for loops in Loops::all() {
            let sizes = Sizes::of(loops, &options).unwrap();
            let parts = sizes.parts(loops, 1600, &options).unwrap();
            let program = Generated::new(loops, parts, 1600, &options).unwrap();
            let recorded = program.recorded().unwrap();
            let name = loops.name();
            assert!((1000..2400).contains(&recorded), "{name}: {recorded}");
        }
    }

    #[test]
    fn long_loops_compute_what_the_interpreter_does() {
        for kind in KINDS {
            let image = assemble_parts(&kind, 60).unwrap();
            let run = |params: &str| {
                let options = Options::parse(params).unwrap();
                let machine = Machine::new(options, MAX_DEPTH).unwrap();
                machine.run(&image, &[100], true).to_string()
            };
            let expected = run("off");
            assert!(!expected.contains("status"), "{}: {expected}", kind.name);
            for params in [
                "threshold=7,trace_limit=100000",
                "threshold=7,trace_limit=100000,trace_eagerness=2,fail_guards=1",
                "threshold=7,trace_limit=100000,backend=oracle",
            ] {
                assert_eq!(run(params), expected, "{} under {params}", kind.name);
            }
        }
    }
}
