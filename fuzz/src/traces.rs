//! Random traces. In: a tape: what kind of trace, which passes run, and a seed or decisions. Out: a
//! failure, if an optimised trace does something else than the recorded one, or machine code
//! something else than the oracle. Invariant: `verdigris_traces` judges; a panic of the optimiser
//! or a backend is a failure as any other.
//!
//! A loop is shrunk line by line. What a bridge and machine code are made of is a sequence of
//! bytes, and shrinks as tapes do.

use crate::campaign::{Bench, Campaign, Failure};
use crate::kept::{Case, hex, unhex};
use crate::panics;
use crate::shrink::{self, Budget, Shrinking};
use crate::tally::Tally;
use fuzz_tape::Tape;
use verdigris_heap::Stress;
use verdigris_opt::Passes;
use verdigris_traces::{Work, arrivals, backends, bridges, frames, generate, kept, loops};

/// The kind of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A recorded loop with an optimised one.
    Loops,
    /// The same, where what the code keeps is taken away.
    Kept,
    /// A bridge that knows what its guard knows with one that does not.
    Bridges,
    /// A bridge that knows where it arrives with one that does not.
    Arrivals,
    /// Machine code with the oracle.
    Code,
    /// The same, of code that records name.
    Threads,
}

/// All kinds by name.
const KINDS: [(&str, Kind); 6] = [
    ("loops", Kind::Loops),
    ("kept", Kind::Kept),
    ("bridges", Kind::Bridges),
    ("arrivals", Kind::Arrivals),
    ("code", Kind::Code),
    ("threads", Kind::Threads),
];

/// Tries to make a failure smaller.
const TRIES: usize = 3000;

/// The campaign.
pub struct Traces;

/// The case of a tape.
#[derive(Clone, Debug)]
struct Made {
    kind: &'static str,
    passes: String,
    /// The seed of traces, heaps and inputs.
    seed: u64,
    /// Machine code under stress.
    stress: Stress,
    /// The rest of the tape: what machine code is made of.
    bytes: Vec<u8>,
}

impl Made {
    fn of(tape: &[u8]) -> Made {
        let mut head = Tape::new(&tape[..tape.len().min(HEAD)]);
        let kind = KINDS[head.weighted(&[4, 2, 2, 1, 2, 1])].0;
        // Every other trace with all passes.
        let mut passes = "all".to_string();
        if head.chance(1, 2) {
            for name in Passes::NAMES {
                if head.chance(1, 5) {
                    passes += &format!("-{name}");
                }
            }
        }
        if head.chance(1, 4) {
            passes += &format!("+delayed={}", head.below(6));
        }
        let stress = match head.chance(1, 5) {
            true => [Stress::All, Stress::Young][head.below(2)],
            false => Stress::Off,
        };
        let bytes = tape[tape.len().min(HEAD)..].to_vec();
        let seed = bytes.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Made {
            kind,
            passes,
            // The generators multiply seeds.
            seed: seed >> 24,
            stress,
            bytes,
        }
    }

    fn kind(&self) -> Kind {
        let found = KINDS.iter().find(|(name, _)| *name == self.kind);
        found.map_or(Kind::Loops, |&(_, kind)| kind)
    }

    /// The text of the trace, where one is recorded alone.
    fn text(&self) -> String {
        match self.kind() {
            Kind::Loops => generate::random_loop(self.seed),
            Kind::Kept => frames::random_frames(self.seed),
            _ => String::new(),
        }
    }

    fn decisions(&self) -> Vec<u32> {
        let word = |chunk: &[u8]| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(word)
        };
        let words: Vec<u32> = self.bytes.chunks(4).map(word).collect();
        if words.is_empty() { vec![0] } else { words }
    }
}

/// Bytes of a tape that say what kind of trace it is of.
const HEAD: usize = 24;

/// Makes the comparison, with this text for a trace that is recorded alone.
///
/// # Errors
/// The difference, or the panic's message.
fn compare(made: &Made, text: &str) -> Result<Work, String> {
    let passes = Passes::parse(&made.passes).map_err(|error| error.to_string())?;
    let seed = made.seed;
    panics::catch(|| match made.kind() {
        Kind::Loops => loops::compare_text(text, seed, passes),
        Kind::Kept => kept::compare_text(text, seed, passes),
        Kind::Bridges => bridges::compare(seed),
        Kind::Arrivals => arrivals::compare(seed),
        Kind::Code => logged(&backends::compare(&made.decisions(), made.stress)),
        Kind::Threads => logged(&backends::compare_threads(&made.decisions(), made.stress)),
    })
}

/// What was compared, if this is what happened.
fn logged(log: &str) -> Work {
    Work {
        compared: log.lines().count() as u64,
        ..Work::default()
    }
}

/// Whether a text is a recorded trace that does what recordings do: others may fail for no fault of
/// the optimiser.
fn is_sound(made: &Made, text: &str) -> bool {
    let seed = made.seed;
    let kept = made.kind() == Kind::Kept;
    let ran = panics::catch(|| match kept {
        true => kept::run_recorded(text, seed),
        false => loops::run_recorded(text, seed),
    });
    ran.is_ok()
}

/// The lines of a trace; a call and the guard behind it, without which no recording has calls, are
/// one.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for line in text.lines() {
        match pieces.last_mut() {
            Some(call) if line.starts_with("guard_no_panic") => *call += &format!("{line}\n"),
            _ => pieces.push(format!("{line}\n")),
        }
    }
    pieces
}

/// Fewer lines of a trace that fails.
fn fewer_lines(made: &Made, budget: &mut Budget) -> String {
    let fails = |pieces: &[String]| {
        let text = pieces.concat();
        is_sound(made, &text) && compare(made, &text).is_err()
    };
    let mut smallest = pieces(&made.text());
    loop {
        let fewer = shrink::list(&smallest, budget, fails);
        if fewer.len() == smallest.len() {
            return smallest.concat();
        }
        smallest = fewer;
    }
}

fn case(made: &Made, text: String) -> Case {
    let fields = [
        ("kind", made.kind.to_string()),
        ("passes", made.passes.clone()),
        ("seed", made.seed.to_string()),
        ("stress", made.stress.name().to_string()),
        ("tape", hex(&made.bytes)),
    ];
    let own = |(key, value): (&str, String)| (key.to_string(), value);
    Case {
        comment: "#".to_string(),
        campaign: Traces.name(),
        fields: fields.map(own).into(),
        text,
    }
}

/// The smallest failure like this one.
fn smallest(tape: &[u8], most: Shrinking) -> Failure {
    let mut made = Made::of(tape);
    let budget = &mut Budget::new(TRIES, most);
    if !matches!(made.kind(), Kind::Loops | Kind::Kept) {
        let with = |bytes: &[u8]| Made::of(&[&tape[..tape.len().min(HEAD)], bytes].concat());
        let bytes = shrink::tape(&made.bytes, budget, |bytes| {
            let made = with(bytes);
            compare(&made, &made.text()).is_err()
        });
        made = with(&bytes);
    }
    let text = match made.kind() {
        Kind::Loops | Kind::Kept => fewer_lines(&made, budget),
        _ => String::new(),
    };
    let what = compare(&made, &text).err();
    let what = what.unwrap_or_else(|| "it does not fail every time".to_string());
    let story = format!("{} with passes {}:\n{what}", made.kind, made.passes);
    let case = case(&made, text);
    Failure { case, story }
}

impl Campaign for Traces {
    fn name(&self) -> String {
        "traces".to_string()
    }

    fn show(&self, tape: &[u8]) -> String {
        let made = Made::of(tape);
        case(&made, made.text()).print()
    }

    fn check(&self, tape: &[u8], bench: &mut Bench<'_>) -> Option<Failure> {
        let made = Made::of(tape);
        let text = made.text();
        bench.page.begins(case(&made, text.clone()));
        let tally = &mut bench.tally;
        match compare(&made, &text) {
            Ok(work) => {
                tally.add("traces", 1);
                tally.add("traces compared", u64::from(work.compared > 0));
                tally.add("runs", work.compared);
                tally.add("taken", work.taken);
                tally.add("operations", work.operations);
                tally.add("loops that assume nothing", work.generic);
                tally.configuration(format!("{} {}", made.kind, made.passes));
                None
            }
            Err(_) => Some(smallest(tape, bench.shrinking)),
        }
    }

    fn replay(&self, case: &Case) -> Result<Option<Failure>, String> {
        let field = |key: &str| {
            let value = case.field(key);
            value.ok_or_else(|| format!("the case does not say `{key}:`"))
        };
        let kind = field("kind")?;
        let known = KINDS.iter().find(|(name, _)| *name == kind);
        let number = |text: &str| text.parse().map_err(|error| format!("`seed:` {error}"));
        let made = Made {
            kind: known
                .ok_or_else(|| format!("there are no traces of kind `{kind}`"))?
                .0,
            passes: field("passes")?.to_string(),
            seed: number(field("seed")?)?,
            stress: Stress::named(field("stress")?).ok_or("`stress:` is neither 0, 1 nor young")?,
            bytes: unhex(field("tape")?).ok_or("`tape:` is no sequence of bytes")?,
        };
        Passes::parse(&made.passes).map_err(|error| error.to_string())?;
        let what = compare(&made, &case.text).err();
        Ok(what.map(|story| Failure {
            case: case.clone(),
            story,
        }))
    }

    fn enough(&self, tally: &Tally) -> Result<(), String> {
        match (tally.get("traces"), tally.get("traces compared")) {
            (0, _) => Err("no trace was made".to_string()),
            (made, compared) if compared * 4 < made => {
                Err("most traces contradict themselves".to_string())
            }
            _ => Ok(()),
        }
    }
}
