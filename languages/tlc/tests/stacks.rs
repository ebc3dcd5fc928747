//! Stacks of all sizes. In: programs whose calls are frames in the heap. Out: what they do on
//! threads with small and large stacks. Invariant under test: it is always the same, since guest
//! calls are no native ones, and what the JIT needs is there or not used.

use crate::common::{guest, image};
use verdigris_testing::{PLAIN, SETTINGS, for_each, on_stack, with_stacks};

#[test]
fn deep_recursion_does_the_same_on_every_stack() {
    for (name, arg) in [
        ("recursive_fibonacci", 12),
        ("deep_recursion", 1500),
        ("error_runaway", 0),
    ] {
        let image = image(name);
        let args = [arg];
        let run = guest(&image, &args, 2000);
        let expected = run(PLAIN.options()).outcome;
        let settings: Vec<_> = SETTINGS.iter().filter(|setting| !setting.slow).collect();
        for_each(&with_stacks(&settings), |&(setting, bytes)| {
            let found = on_stack(bytes, || run(setting.options()).outcome);
            let at = format!("{name}, {}, {} kB", setting.name, bytes >> 10);
            assert_eq!(found, expected, "{at}");
        });
    }
}
