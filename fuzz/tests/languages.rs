//! Each language, fuzzed for a few seconds with a fixed seed. In: the table of languages. Out:
//! programs do the same with and without the JIT; and they are worth running: many get to their
//! end, errors occur, loops and bridges are compiled. Invariant: a new line in the table is tested
//! here.

use fuzz::campaign::{self, Effort, Report};
use fuzz::differ::Differ;
use fuzz::kept::Case;
use fuzz::language::Language;
use fuzz::registry::LANGUAGES;
use std::path::Path;
use verdigris_testing::for_each;

/// Cases of each language.
const CASES: u64 = 24;

fn hangs(case: Case) {
    eprintln!("this does not end:\n{}", case.print());
    std::process::abort();
}

fn fuzzed(language: &'static dyn Language) -> Report {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(language.name());
    let effort = Effort::of_cases(2, CASES, folder);
    campaign::run(&Differ { language }, &effort, hangs)
}

#[test]
fn programs_do_not_depend_on_the_jit() {
    for_each(LANGUAGES, |&language| {
        let report = fuzzed(language);
        let (name, tally) = (language.name(), &report.tally);
        println!("{name}: {:.1} s, {tally}", report.time.as_secs_f64());
        if let Some(failure) = &report.failure {
            panic!("{name}: {}\n{}", failure.story, failure.case.print());
        }
        assert_eq!(report.lack, None, "{name}");
        let count = |name: &str| tally.get(name);
        let programs = count("programs");
        assert!(programs >= CASES * 9 / 10, "{name}: {tally}");
        assert!(count("to their end") * 5 > programs, "{name}: {tally}");
        assert!(count("into an error") > 0, "{name}: {tally}");
        assert!(count("loops") > programs, "{name}: {tally}");
        assert!(count("bridges") > programs / 2, "{name}: {tally}");
        assert!(count("guard failures") > programs, "{name}: {tally}");
        let compiled = count("operations outside of the interpreter");
        assert!(compiled * 10 > count("operations"), "{name}: {tally}");
        assert!(count("recorded and replayed") > 0, "{name}: {tally}");
        // The only language with outside code that looks at frames of compiled code.
        assert!(name != "frames" || count("forced") > programs, "{tally}");
        // The only language that redefines what compiled code relies on.
        assert!(
            name != "globals" || count("invalidated") > programs,
            "{tally}"
        );
        assert!(tally.configurations() > programs, "{name}: {tally}");
    });
}
