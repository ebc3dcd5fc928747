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
use crate::language::{Keeper, Language, Program};
use crate::panics;
use crate::shrink::{self, Budget};
use crate::tally::Tally;
use fuzz_tape::Tape;
use verdigris_testing::{Outcome, used_up};

/// The campaign.
pub struct Limits {
    /// The languages from which those with a [`Keeper`] are drawn.
    pub languages: &'static [&'static dyn Language],
}

/// Kilobytes on which a program that handles the exhaustion of its heap has to get to its end.
const PLENTY: u64 = 1 << 10;

/// Kilobytes more that are enough for a program that a stray word has stopped.
const SPARE: u64 = 1 << 10;

/// A tenth of this many heaps may be full for the next program by chance, beside a tenth of all: of
/// the same 40 programs it were 3 to 5 in five processes.
const CHANCE: u64 = 30;

/// Tries to make a failing program smaller.
const TRIES: usize = 300;

/// A number, as likely below one power of two as below another, for `doublings` powers from `least`
/// on.
fn spread(tape: &mut Tape<'_>, least: u64, doublings: usize) -> u64 {
    let low = least << tape.below(doublings);
    low + tape.within(0, low - 1)
}

/// The same with another limit, in kilobytes.
fn with_limit(how: &Configuration, limit: u64) -> Configuration {
    let mut how = how.clone();
    how.parameters.retain(|(name, _)| name != "heap_limit");
    let limit = ("heap_limit".to_string(), format!("{limit}k"));
    how.parameters.push(limit);
    how
}

impl Limits {
    /// The language of a configuration.
    ///
    /// # Errors
    /// If it has no [`Keeper`].
    fn keeper(&self, how: &Configuration) -> Result<(&'static dyn Language, Keeper), String> {
        let language = self
            .languages
            .iter()
            .find(|language| language.name() == how.variant);
        let found = language.and_then(|&language| Some((language, language.keeper()?)));
        found.ok_or_else(|| format!("no programs of `{}` keep objects", how.variant))
    }

    /// The case of a tape.
    fn case_of(&self, tape: &[u8]) -> (Program, Configuration) {
        let mut tape = Tape::new(tape);
        let keepers = self
            .languages
            .iter()
            .filter(|language| language.keeper().is_some());
        let names: Vec<&str> = keepers.map(|language| language.name()).collect();
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
        let (_, keeper) = self.keeper(&how).expect("one of all");
        ((keeper.write)(&mut tape, count), how)
    }

    fn run(&self, program: &Program, how: &Configuration) -> Result<[Outcome; 2], String> {
        let (_, keeper) = self.keeper(how)?;
        let second = Program {
            text: keeper.next.0.to_string(),
            args: keeper.next.1.to_vec(),
        };
        let options = how.options()?;
        panics::catch(|| (keeper.run)([program, &second], options)).unwrap_or_else(|panic| {
            let bug = Outcome {
                output: String::new(),
                error: Some(format!("{BUG}{panic}")),
            };
            Ok([bug.clone(), bug])
        })
    }

    /// The expected and the actual outcome, if they differ.
    fn wrong(
        &self,
        program: &Program,
        how: &Configuration,
        tally: &mut Tally,
    ) -> Result<Option<(Outcome, Outcome)>, String> {
        let plain = Configuration::parse(&how.variant, "off,heap_limit=1g");
        let right = self.run(program, &plain)?;
        let found = self.run(program, how)?;
        let limit = how.parameters.iter().find(|(name, _)| name == "heap_limit");
        let limit = limit.and_then(|(_, value)| value.strip_suffix('k')?.parse().ok());
        let is_plenty = limit.is_none_or(|limit: u64| limit >= PLENTY);
        let has_to_end = is_plenty && program.text.contains("pcall");
        // A word on the stack may keep the one large string that the handled part has made, if
        // there was just room for it.
        let spared = match limit {
            Some(limit) if has_to_end && used_up(&found[0]) => {
                !used_up(&self.run(program, &with_limit(how, limit + SPARE))?[0])
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

    fn case(&self, program: &Program, how: &Configuration, tape: &[u8]) -> Case {
        let args: Vec<String> = program.args.iter().map(i64::to_string).collect();
        let fields = [
            ("jit", how.jit()),
            ("args", args.join(" ")),
            ("variant", how.variant.clone()),
            ("tape", hex(tape)),
        ];
        Case {
            comment: self
                .keeper(how)
                .map_or("#", |(language, _)| language.comment())
                .to_string(),
            campaign: self.name(),
            fields: fields.map(|(key, value)| (key.to_string(), value)).into(),
            text: program.text.clone(),
        }
    }

    fn failure(
        &self,
        program: &Program,
        how: &Configuration,
        tape: &[u8],
        wrong: &(Outcome, Outcome),
    ) -> Failure {
        let (right, found) = wrong;
        Failure {
            case: self.case(program, how, tape),
            story: format!(
                "{}\nunder {how} with {:?} does\n{found}\nand with enough memory\n{right}",
                program.text, program.args
            ),
        }
    }
}

impl Campaign for Limits {
    fn name(&self) -> String {
        "limits".to_string()
    }

    fn show(&self, tape: &[u8]) -> String {
        let (program, how) = self.case_of(tape);
        self.case(&program, &how, tape).print()
    }

    fn check(&self, tape: &[u8], bench: &mut Bench<'_>) -> Option<Failure> {
        let mut fails = |tape: &[u8], tally: &mut Tally| {
            let (program, how) = self.case_of(tape);
            bench.page.begins(self.case(&program, &how, tape));
            let found = self.wrong(&program, &how, tally).unwrap_or_else(|error| {
                unreachable!("what is written can be loaded: {error}\n{}", program.text)
            })?;
            Some(self.failure(&program, &how, tape, &found))
        };
        let found = fails(tape, &mut bench.tally)?;
        let budget = &mut Budget::new(TRIES, bench.shrinking);
        let mut unused = Tally::default();
        let tape = shrink::tape(tape, budget, |tape| fails(tape, &mut unused).is_some());
        Some(fails(&tape, &mut unused).unwrap_or(found))
    }

    fn replay(&self, case: &Case) -> Result<Option<Failure>, String> {
        let (program, how) = parts(case)?;
        let found = self.wrong(&program, &how, &mut Tally::default())?;
        Ok(found.map(|found| self.failure(&program, &how, &[], &found)))
    }

    fn enough(&self, tally: &Tally) -> Result<(), String> {
        let (runs, used_up) = (tally.get("runs"), tally.get("used up"));
        let next = tally.get("next used up");
        if used_up * 20 <= runs || used_up * 20 >= 19 * runs {
            return Err(format!("{used_up} of {runs} programs used up their heaps"));
        }
        // Which words lie on the stack differs from process to process.
        match next * 10 <= runs + CHANCE {
            true => Ok(()),
            false => Err(format!(
                "{next} of {runs} heaps were full for the next program"
            )),
        }
    }
}
