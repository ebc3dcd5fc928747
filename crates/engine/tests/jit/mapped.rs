//! The pages of machine code: no page of the process is ever writable and executable at once, as
//! the system lists them, while code is compiled, left, bridged and freed.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, load, run, vm};

/// The mappings of this process: their permissions, and what is mapped.
fn mappings() -> Vec<(String, String)> {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux lists them");
    let mapping = |line: &str| -> Option<(String, String)> {
        let mut words = line.split_whitespace();
        let permissions = words.nth(1)?.to_string();
        Some((permissions, words.skip(3).collect::<Vec<_>>().join(" ")))
    };
    maps.lines().filter_map(mapping).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn no_page_is_writable_and_executable() {
    let compilers = BACKENDS.iter();
    for backend in compilers.filter(|backend| backend.makes_machine_code()) {
        let vm = vm(&format!(
            "backend={backend},threshold=5,trace_eagerness=5,loop_longevity=3"
        ));
        for _ in 0..20 {
            let guest = [SkipEven(1), AddA, Box, DecA, LoopA(0), Ret];
            assert_eq!(vm.enter(|| run(load(&guest), 0, 100)), 2600);
            let mappings = mappings();
            let executable = |what: &str| {
                let mut code = mappings.iter().filter(|(_, file)| file.contains(what));
                code.any(|(permissions, _)| permissions.starts_with("r-x"))
            };
            assert!(executable("verdigris-code"), "{backend}: {mappings:?}");
            // Mono, which other tests may have started, has such pages of its own.
            let is_ours = |file: &str| {
                file.contains("verdigris") || !mappings.iter().any(|m| m.1.contains("libmono"))
            };
            for (permissions, file) in &mappings {
                let both = permissions.contains('w') && permissions.contains('x');
                assert!(
                    !(both && is_ours(file)),
                    "{backend}: {file} is {permissions}"
                );
            }
        }
        assert!(vm.stats().freed > 0, "{backend}");
    }
}
