//! How much code the JIT may make of a program. In: the size of the program, how long it runs in
//! the interpreter, what a VM did. Out: what is too much. Invariant: the bounds depend on the
//! program's text alone, except that guards may fail in a share of what is executed: more turns of
//! a loop, or more classes made by one, are no reason for more code.

use crate::configuration::Configuration;
use verdigris::Stats;

/// The compilers whose code is bounded.
const COMPILERS: [&str; 3] = ["tracing", "specialising", "both"];

/// The parameters beside the compiler: what is passed a few times is compiled, however long that
/// takes.
const EAGER: &str = "threshold=3,function_threshold=3,trace_eagerness=3,compile_allowance=off";

// Of 190 programs of the generator, whose loops went around 3,200 times, the worst came to two
// thirds of each bound. Without `polymorphic_limit`, one in fifty goes beyond them.

/// Bytes of code, at most, however long a program of the generator is.
const MOST_CODE: u64 = 2 << 20;

/// Bridges, and more of them for each line.
const BRIDGES: (u64, u64) = (200, 20);

/// Failures of guards without code: these, more of them for each line, and one for so many
/// operations of the interpreter.
const FAILURES: (u64, u64, u64) = (500, 60, 1000);

/// The configurations under which the code is bounded.
pub fn configurations() -> impl Iterator<Item = Configuration> {
    COMPILERS.iter().map(|compiler| Configuration {
        bounded: true,
        ..Configuration::parse("", &format!("{EAGER},compiler={compiler}"))
    })
}

/// Whether the code for a program of so many lines, which takes the interpreter so many operations,
/// is bounded.
///
/// # Errors
/// What there is too much of.
pub fn bounded(lines: u64, operations: u64, stats: &Stats) -> Result<(), String> {
    let bounds = [
        ("bytes of code", stats.machine_code_bytes, MOST_CODE),
        ("bridges", stats.bridges, BRIDGES.0 + BRIDGES.1 * lines),
        (
            "failures of guards without code",
            stats.guard_failures.interpreter,
            FAILURES.0 + FAILURES.1 * lines + operations / FAILURES.2,
        ),
    ];
    for (what, count, most) in bounds {
        if count > most {
            return Err(format!("{count} {what}, where {most} are enough"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_said() {
        let mut stats = Stats::default();
        assert_eq!(bounded(10, 10_000, &stats), Ok(()));
        stats.guard_failures.interpreter = FAILURES.0 + 10 * FAILURES.1 + 10_000 / FAILURES.2 + 1;
        let error = bounded(10, 10_000, &stats).expect_err("they are too many");
        assert!(error.contains("failures of guards without code"), "{error}");
        // A program that runs for longer may fail more often.
        assert_eq!(bounded(10, 20_000, &stats), Ok(()));
        stats.bridges = BRIDGES.0 + 11 * BRIDGES.1;
        let error = bounded(10, 20_000, &stats).expect_err("they are too many");
        assert!(error.contains("bridges"), "{error}");
        assert_eq!(bounded(11, 20_000, &stats), Ok(()));
        stats.machine_code_bytes = MOST_CODE + 1;
        let error = bounded(11, 20_000, &stats).expect_err("it is too much");
        assert!(error.contains("bytes of code"), "{error}");
    }

    #[test]
    fn each_compiler_has_a_configuration() {
        for (how, compiler) in configurations().zip(COMPILERS) {
            assert!(how.bounded && how.jit().contains(&format!("compiler={compiler}")));
            assert!(how.options().is_ok(), "{how}");
        }
    }
}
