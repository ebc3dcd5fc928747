//! Calls within each other. In: programs that recurse, limits. Out: how deep they get, and what
//! they end with. Invariant under test: a program gets as deep with the JIT as without it, whether
//! its frames are interpreted or compiled, and the native stack that the machine asks for is large
//! enough for that.

use crate::common::{guest, image};
use tla::machine::{Machine, on_stack};
use verdigris_testing::{SETTINGS, agreed, for_each};

/// The programs, each with the line of its recursive call.
const PROGRAMS: [(&str, usize); 3] = [("depth", 17), ("even_odd", 29), ("depth_of_loops", 34)];

#[test]
fn the_limit_is_the_same_under_every_setting() {
    for (name, line) in PROGRAMS {
        let image = image(name);
        // `main` calls a function that calls itself n times, so this fits exactly.
        let fits = agreed(guest(&image, &[40], 41));
        assert_eq!(fits.error, None, "{name}");
        let error =
            format!("{name}.tla:{line}: stack overflow: more than 40 calls within each other");
        let too_deep = agreed(guest(&image, &[40], 40));
        assert_eq!(too_deep.error, Some(error));
    }
}

/// Frames of the interpreter, of compiled code, of the blackhole and of the oracle's interpreter:
/// half of what the machine asks for is enough, so that a change shows here before it shows to a
/// user.
#[test]
fn the_native_stack_is_large_enough_under_every_setting() {
    const DEPTH: i64 = 20_000;
    let settings: Vec<_> = SETTINGS.iter().filter(|setting| !setting.slow).collect();
    for_each(&settings, |setting| {
        for (name, _) in PROGRAMS {
            let image = image(name);
            let run = |args: &[i64]| {
                let machine = Machine::new(setting.options(), DEPTH).expect("a VM");
                machine.run(&image, args)
            };
            let results = on_stack(DEPTH / 2, || [run(&[DEPTH - 1]), run(&[DEPTH])]);
            let [fits, too_deep] = results.expect("a stack");
            let setting = setting.name;
            assert!(fits.is_ok(), "{name}, {setting}: {fits:?}");
            let error = too_deep.expect_err("it is too deep");
            let message = "more than 20000 calls within each other";
            assert!(error.ends_with(message), "{name}, {setting}: {error}");
        }
    });
}
