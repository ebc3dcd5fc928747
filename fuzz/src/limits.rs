//! Programs that keep objects, on heaps of all sizes. In: a tape: a language, how much its program
//! keeps, a limit, a configuration. Out: a failure, if something else comes out than the program's
//! own result, or what it had printed until its heap was used up; or if the next program on the
//! machine does not do what is right. Invariant: sizes and limits are drawn from powers of two, so
//! that small and large ones meet equally often.
//!
//! Programs of Lua may catch it, drop everything and go on, with the same output. From `PLENTY` on
//! they have to get to their end.

use crate::campaign::{Bench, Campaign, Failure};
use crate::configuration::Configuration;
use crate::differ::{BUG, parts};
use crate::kept::{Case, hex};
use crate::language::Program;
use crate::panics;
use crate::shrink::{self, Budget};
use crate::tally::Tally;
use crate::tape::Tape;
use verdigris::Options;
use verdigris_testing::{Outcome, next, used_up};

/// The campaign.
pub struct Limits;

/// Kilobytes on which a program that handles the exhaustion of its heap has to get to its end.
const PLENTY: u64 = 1 << 10;

/// So many kilobytes more are enough for a program that a stray word has stopped.
const SPARE: u64 = 1 << 10;

/// How deep calls may be: each takes native stack in one of the languages.
const DEPTH: i64 = 10_000;

/// Tries to make a failing program smaller.
const TRIES: usize = 300;

/// A language, and programs of it that need memory.
struct Guest {
    /// The name of the language.
    name: &'static str,
    /// What a comment up to the end of a line begins with.
    comment: &'static str,
    /// A program that keeps something so many times.
    write: fn(&mut Tape<'_>, i64) -> Program,
    /// What runs next: it needs little.
    next: (&'static str, &'static [i64]),
    /// Runs both on one machine.
    run: fn([&Program; 2], Options) -> Result<[Outcome; 2], String>,
}

/// All of them.
const GUESTS: &[Guest] = &[
    Guest {
        name: "lua",
        comment: "--",
        write: lua,
        next: ("local s = 0 for i = 1, 100 do s = s + i end print(s)", &[]),
        run: |programs, options| {
            use verdigris_lua::machine::{Machine, load};
            let machine = Machine::new(options, DEPTH)?;
            both(programs, |program| {
                let args: Vec<String> = program.args.iter().map(i64::to_string).collect();
                let done = machine.run(&load(program.text.as_bytes(), "limits")?, &args, true);
                Ok((done.output, done.error))
            })
        },
    },
    Guest {
        name: "objmodel",
        comment: "#",
        write: objmodel,
        next: (
            "i = 0; s = 0; while i < 100 { s = s + i; i = i + 1; } print s;",
            &[],
        ),
        run: |programs, options| {
            use objmodel::machine::{Machine, Stage, load};
            let stage = Stage::ALL[programs[0].text.len() % Stage::ALL.len()];
            let machine = Machine::new(options, stage, DEPTH)?;
            both(programs, |program| {
                let image = load(program.text.as_bytes(), "limits")?;
                let done = machine.run(&image, &program.args, true);
                Ok((done.output, done.error))
            })
        },
    },
    Guest {
        name: "tlc",
        comment: ";",
        write: tlc,
        next: (
            "PUSHARG\nloop:\nPUSH 1\nSUB\nPICK 0\nBR_COND loop\nRETURN\n",
            &[100],
        ),
        run: |programs, options| {
            use tlc::machine::{Machine, load};
            let machine = Machine::new(options, DEPTH)?;
            both(programs, |program| {
                let image = load(program.text.as_bytes(), "limits")?;
                let done = machine.run(&image, &program.args, true);
                Ok((done.output, done.error))
            })
        },
    },
    Guest {
        name: "tla",
        comment: ";",
        write: tla,
        next: (
            "main(1):\nloop:\nCONST_INT 1\nSUB\nDUP\nJUMP_IF loop\nEXIT\n",
            &[100],
        ),
        run: |programs, options| {
            use tla::machine::{Machine, load};
            let machine = Machine::new(options, DEPTH)?;
            both(programs, |program| {
                let image = load(&program.text, "limits")?;
                Ok(match machine.run(&image, &program.args) {
                    Ok(result) => (result, None),
                    Err(error) => (String::new(), Some(error)),
                })
            })
        },
    },
];

/// Runs the programs one after the other.
fn both(
    programs: [&Program; 2],
    run: impl Fn(&Program) -> Result<(String, Option<String>), String>,
) -> Result<[Outcome; 2], String> {
    let run = |program| run(program).map(|(output, error)| Outcome { output, error });
    let first = run(programs[0])?;
    let again = || run(programs[1]).unwrap_or_else(|error| unreachable!("{error}"));
    Ok([first, next(again)])
}

fn program(text: String, count: i64) -> Program {
    let args = vec![count];
    Program { text, args }
}

fn lua(tape: &mut Tape<'_>, count: i64) -> Program {
    let size = 1 << tape.below(12);
    let item = match tape.below(7) {
        0 => "{i}".to_string(),
        1 => "{i, name = 'n' .. i % 50}".to_string(),
        2 => "function() return i end".to_string(),
        3 => "i .. 'th'".to_string(),
        4 => "{i, {i}, {i, {i}}}".to_string(),
        5 => format!("string.rep('x', {size} + i % 7)"),
        _ => {
            format!("(function() local t = {{}} for k = 1, {size} do t[k] = k end return t end)()")
        }
    };
    // What is kept weighs about the same, however large the items are.
    let count = match item.contains(&size.to_string()) && size > 64 {
        true => 1 + count * 64 / size,
        false => count,
    };
    let keep = tape.pick(&[
        "kept[#kept + 1] = ITEM",
        "kept = {before = kept, ITEM}",
        "kept['k' .. i] = ITEM",
        "local gone = {i} kept[i] = ITEM",
    ]);
    let keep = keep.replace("ITEM", &item);
    let step = 1 + tape.below(500);
    let text = match tape.chance(1, 2) {
        false => format!(
            "local kept, count = {{}}, tonumber((...))\nfor i = 1, count do\n  {keep}\n  if i % {step} == 0 then print(i) end\nend\nprint('done')\n"
        ),
        // If there is room for what is made behind the loop, there is for what the handler makes.
        true => format!(
            "local kept, count = {{}}, tonumber((...))\n\
             local function keep()\n  for i = 1, count do\n    {keep}\n  end\n  return #string.rep('room', 100000)\nend\n\
             local function again(n)\n  pcall(keep)\n  local texts = {{}}\n\
             \x20 for k = 1, 100 do texts[k] = {{'t' .. k, n}} end\n\
             \x20 print(n, #texts, texts[100][1])\n  kept = {{}}\nend\n\
             for n = 1, {} do again(n) end\n",
            2 + tape.below(4)
        ),
    };
    program(text, count)
}

fn objmodel(tape: &mut Tape<'_>, count: i64) -> Program {
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
    program(text, count)
}

fn tlc(tape: &mut Tape<'_>, count: i64) -> Program {
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
    program(text, count)
}

fn tla(tape: &mut Tape<'_>, count: i64) -> Program {
    let kept = tape.pick(&["", "NEWSTR \"x\"\nDUP\nADD\nPOP\n", "CONST_INT 7\nPOP\n"]);
    let text = format!(
        "main(1):\nCALL down\nEXIT\n\ndown(1):\n{kept}DUP\nJUMP_IF more\nCONST_INT 0\nRET 1\n\
         more:\nDUP\nCONST_INT 1\nSUB\nCALL down\nCONST_INT 1\nADD\nRET 1\n"
    );
    program(text, count % DEPTH)
}

/// The guest of a configuration.
///
/// # Errors
/// If there is none with this name.
fn guest(how: &Configuration) -> Result<&'static Guest, String> {
    let found = GUESTS.iter().find(|guest| guest.name == how.variant);
    found.ok_or_else(|| format!("no programs of `{}` keep objects", how.variant))
}

/// A number, as likely below one power of two as below another; so many of them from this one on.
fn spread(tape: &mut Tape<'_>, least: u64, doublings: usize) -> u64 {
    let low = least << tape.below(doublings);
    low + tape.within(0, low - 1)
}

/// What a tape stands for.
fn case_of(tape: &[u8]) -> (Program, Configuration) {
    let mut tape = Tape::new(tape);
    let names: Vec<&str> = GUESTS.iter().map(|guest| guest.name).collect();
    let limit = spread(&mut tape, 64, 10);
    let count = spread(&mut tape, 256, 10) as i64;
    let off = tape.chance(1, 8);
    let mut how = Configuration::draw(&mut tape, &names);
    // These need more memory themselves, or too much time.
    let not = ["heap_limit", "stress", "check_hints"];
    (how.parameters).retain(|(name, _)| !not.contains(&&name[..]));
    if off {
        how.parameters = vec![("off".to_string(), String::new())];
    }
    let limit = ("heap_limit".to_string(), format!("{limit}k"));
    how.parameters.push(limit);
    let write = guest(&how).map(|guest| guest.write);
    (write.expect("one of all")(&mut tape, count), how)
}

fn run(program: &Program, how: &Configuration) -> Result<[Outcome; 2], String> {
    let guest = guest(how)?;
    let second = Program {
        text: guest.next.0.to_string(),
        args: guest.next.1.to_vec(),
    };
    let options = how.options()?;
    panics::catch(|| (guest.run)([program, &second], options)).unwrap_or_else(|panic| {
        let bug = Outcome {
            output: String::new(),
            error: Some(format!("{BUG}{panic}")),
        };
        Ok([bug.clone(), bug])
    })
}

/// The same with another limit, in kilobytes.
fn with_limit(how: &Configuration, limit: u64) -> Configuration {
    let mut how = how.clone();
    how.parameters.retain(|(name, _)| name != "heap_limit");
    let limit = ("heap_limit".to_string(), format!("{limit}k"));
    how.parameters.push(limit);
    how
}

/// What is wrong with a run, if something is: what should have happened, and what did.
fn wrong(
    program: &Program,
    how: &Configuration,
    tally: &mut Tally,
) -> Result<Option<(Outcome, Outcome)>, String> {
    let plain = Configuration::parse(&how.variant, "off,heap_limit=1g");
    let right = run(program, &plain)?;
    let found = run(program, how)?;
    let limit = how.parameters.iter().find(|(name, _)| name == "heap_limit");
    let limit = limit.and_then(|(_, value)| value.strip_suffix('k')?.parse().ok());
    let is_plenty = limit.is_none_or(|limit: u64| limit >= PLENTY);
    let has_to_end = is_plenty && program.text.contains("pcall");
    // A word on the stack may keep the one large string that the handled part has made, if there
    // was just room for it.
    let spared = match limit {
        Some(limit) if has_to_end && used_up(&found[0]) => {
            !used_up(&run(program, &with_limit(how, limit + SPARE))?[0])
        }
        _ => false,
    };
    tally.add("runs", 1);
    tally.add("used up", u64::from(used_up(&found[0])));
    tally.add("next used up", u64::from(used_up(&found[1])));
    tally.configuration(how.to_string());
    // It may keep everything that the first program had, too, but not often.
    let must_end = [has_to_end && !spared, false];
    let [first, second] = [0, 1].map(|n| {
        let stopped = used_up(&found[n]) && !must_end[n];
        let good = match stopped {
            true => right[n].output.starts_with(&found[n].output),
            false => found[n] == right[n],
        };
        (!good).then(|| (right[n].clone(), found[n].clone()))
    });
    Ok(first.or(second))
}

fn case(program: &Program, how: &Configuration, tape: &[u8]) -> Case {
    let args: Vec<String> = program.args.iter().map(i64::to_string).collect();
    let fields = [
        ("jit", how.jit()),
        ("args", args.join(" ")),
        ("variant", how.variant.clone()),
        ("tape", hex(tape)),
    ];
    Case {
        comment: guest(how).map_or("#", |guest| guest.comment).to_string(),
        campaign: Limits.name(),
        fields: fields.map(|(key, value)| (key.to_string(), value)).into(),
        text: program.text.clone(),
    }
}

fn failure(
    program: &Program,
    how: &Configuration,
    tape: &[u8],
    wrong: &(Outcome, Outcome),
) -> Failure {
    let (right, found) = wrong;
    Failure {
        case: case(program, how, tape),
        story: format!(
            "{}\nunder {how} with {:?} does\n{found}\nand with enough memory\n{right}",
            program.text, program.args
        ),
    }
}

impl Campaign for Limits {
    fn name(&self) -> String {
        "limits".to_string()
    }

    fn show(&self, tape: &[u8]) -> String {
        let (program, how) = case_of(tape);
        case(&program, &how, tape).print()
    }

    fn check(&self, tape: &[u8], bench: &mut Bench<'_>) -> Option<Failure> {
        let mut fails = |tape: &[u8], tally: &mut Tally| {
            let (program, how) = case_of(tape);
            bench.page.begins(case(&program, &how, tape));
            let found = wrong(&program, &how, tally).unwrap_or_else(|error| {
                unreachable!("what is written can be loaded: {error}\n{}", program.text)
            })?;
            Some(failure(&program, &how, tape, &found))
        };
        let found = fails(tape, &mut bench.tally)?;
        let budget = &mut Budget::new(TRIES, bench.shrinking);
        let mut unused = Tally::default();
        let tape = shrink::tape(tape, budget, |tape| fails(tape, &mut unused).is_some());
        Some(fails(&tape, &mut unused).unwrap_or(found))
    }

    fn replay(&self, case: &Case) -> Result<Option<Failure>, String> {
        let (program, how) = parts(case)?;
        let found = wrong(&program, &how, &mut Tally::default())?;
        Ok(found.map(|found| failure(&program, &how, &[], &found)))
    }

    fn enough(&self, tally: &Tally) -> Result<(), String> {
        let (runs, used_up) = (tally.get("runs"), tally.get("used up"));
        let next = tally.get("next used up");
        if used_up * 20 <= runs || used_up * 20 >= 19 * runs {
            return Err(format!("{used_up} of {runs} programs used up their heaps"));
        }
        match next * 10 <= runs {
            true => Ok(()),
            false => Err(format!(
                "{next} of {runs} heaps were full for the next program"
            )),
        }
    }
}
