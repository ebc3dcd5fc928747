//! The cost of a register. In: loops in Lua that write some registers in every turn, made here.
//! Out: seconds of each system, and how many nanoseconds each register of a turn takes. In `locals`
//! they are variables of the loop's body, of which only the last is read: no code needs the others.
//! In `carried` all live from turn to turn. Invariant: the loops of one kind differ in nothing but
//! how many registers they write, so that the cost of a register can be compared; all systems say
//! the same result.

use crate::guests::lua::programs::{self, DRIVER};
use crate::guests::lua::systems::{Ours, Systems};
use crate::measure::interleave::{Race, least, rounds};
use crate::measure::record::Record;
use crate::measure::text::align;
use crate::settings::Settings;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The arguments of `registers`.
#[derive(clap::Args)]
pub struct RegistersArgs {
    /// How often each is run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    #[command(flatten)]
    ours: Ours,
}

/// How many registers there are: so few that any JIT keeps them, one more, a few times as many, and
/// more than a machine has.
const REGISTERS: [i64; 4] = [6, 7, 24, 100];

/// A kind of loop, and what makes its source for a number of registers.
type Kind = (&'static str, fn(i64) -> String);

/// The kinds.
const KINDS: [Kind; 2] = [("locals", locals), ("carried", carried)];

/// The columns: their headings, and the systems.
const SYSTEMS: [(&str, &str); 4] = [
    ("interp", "interp"),
    ("warm", "jit-warm"),
    ("lua", "lua"),
    ("luajit", "luajit"),
];

/// How many registers a loop writes in all its turns.
fn written(quick: bool) -> i64 {
    if quick { 20_000 } else { 20_000_000 }
}

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &RegistersArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let (runs, written) = match settings.quick {
        true => (1, written(true)),
        false => (args.runs, written(false)),
    };
    let systems = Systems::find(&args.ours, settings.quick)?;
    let folder = TempDir::new().map_err(|error| format!("no folder for programs: {error}"))?;
    let loops = write(folder.path())?;
    let mut races = Vec::new();
    for (name, kind, registers) in &loops {
        let contestants = systems.contestants(folder.path(), name, written / registers);
        races.push(Race::new(kind, *registers, contestants));
    }
    let records = rounds("registers", runs, races)?;
    print!("{}", table(&records, written));
    println!("nanoseconds for each register that is written, in later iterations");
    Ok(records)
}

/// Writes the loops and their driver to a folder; gives for each the name of its file, its kind,
/// and how many registers it has.
fn write(folder: &Path) -> Result<Vec<(String, &'static str, i64)>, String> {
    let fail = |error: std::io::Error| format!("no programs: {error}");
    fs::copy(programs::folder().join(DRIVER), folder.join(DRIVER)).map_err(fail)?;
    let mut loops = Vec::new();
    for (kind, source) in KINDS {
        for registers in REGISTERS {
            let name = format!("{kind}_{registers}");
            fs::write(folder.join(format!("{name}.lua")), source(registers)).map_err(fail)?;
            loops.push((name, kind, registers));
        }
    }
    Ok(loops)
}

/// A function of the number of turns.
fn function(before: &str, body: &str, after: &str) -> String {
    format!(
        "return function(n)\n  local s = 0\n{before}  for i = 1, n do\n{body}  end\n{after}  return s\nend\n"
    )
}

/// A line for each register.
fn lines(registers: i64, line: impl Fn(i64) -> String) -> String {
    (1..=registers).map(line).collect()
}

/// The sum of the turns is one of the registers.
fn locals(registers: i64) -> String {
    let last = registers - 1;
    let body = lines(last, |r| format!("    local r{r} = i + {r}\n"));
    function("", &format!("{body}    s = s + r{last}\n"), "")
}

fn carried(registers: i64) -> String {
    let before = lines(registers, |r| format!("  local r{r} = {r}\n"));
    let body = lines(registers, |r| format!("    r{r} = r{r} + i\n"));
    let after = lines(registers, |r| format!("  s = (s + r{r}) % 1000003\n"));
    function(&before, &body, &after)
}

fn table(records: &[Record], written: i64) -> String {
    let mut heading = vec!["loop".to_string(), "registers".to_string()];
    heading.extend(SYSTEMS.map(|(name, _)| name.to_string()));
    let mut rows = vec![heading];
    for of in records.chunk_by(|a, b| (&a.benchmark, a.n) == (&b.benchmark, b.n)) {
        let mut cells = vec![of[0].benchmark.clone(), of[0].n.to_string()];
        cells.extend(SYSTEMS.map(|(_, system)| {
            let nanoseconds = |seconds: f64| format!("{:.3}", seconds / written as f64 * 1e9);
            least(of, system).map_or("-".to_string(), nanoseconds)
        }));
        rows.push(cells);
    }
    align(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn loops_write_the_registers_that_they_say() {
        expect![[r#"
            return function(n)
              local s = 0
              for i = 1, n do
                local r1 = i + 1
                local r2 = i + 2
                s = s + r2
              end
              return s
            end
        "#]]
        .assert_eq(&locals(3));
        expect![[r#"
            return function(n)
              local s = 0
              local r1 = 1
              local r2 = 2
              for i = 1, n do
                r1 = r1 + i
                r2 = r2 + i
              end
              s = (s + r1) % 1000003
              s = (s + r2) % 1000003
              return s
            end
        "#]]
        .assert_eq(&carried(2));
    }
}
