//! Classes with several descriptors: a loop that carries an array item, which one branch
//! overwrites, compiles to the same code whichever descriptors its arrays have.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, Op, load, program, program_with_other_descriptors, run};
use verdigris_engine::{Options, Program, Vm};

/// Adds `memory[1]` for some turns. The first `a` of them write an item that only the machine
/// knows, so that the bridge has to load `memory[1]` again.
const OVERWRITTEN: &[Op] = &[
    SetC(40),
    LoadAt(1),
    SkipZero(2),
    Store,
    DecA,
    DecC,
    LoopC(2),
    Ret,
];

/// The compiled traces, and the results. A loop that may have another version gets one instead of a
/// look into arrays.
fn compiled(program: Program, backend: &str) -> (Vec<String>, [i64; 8]) {
    let params = format!("threshold=5,trace_eagerness=5,retrace_limit=0,backend={backend}");
    let options = Options::parse(&params).unwrap().keep_traces(true);
    let vm = Vm::new(program, options).unwrap();
    let results = vm.enter(|| {
        let guest = load(OVERWRITTEN);
        guest.memory[1].set(1);
        [0, 2, 2, 2, 2, 2, 2, 2].map(|a| run(guest, 0, a))
    });
    let traces = vm.traces().into_iter();
    let sections = traces.map(|trace| trace.sections);
    let texts = sections.map(|s| s.iter().map(|section| section.text.as_str()).collect());
    (texts.collect(), results)
}

#[test]
fn arrays_are_known_whichever_descriptor_they_name() {
    for backend in BACKENDS.iter() {
        let (traces, results) = compiled(program(), backend.name());
        let bridge = (traces.iter().find(|t| t.contains("setitem_i")))
            .expect("a bridge for the turns that write");
        let into_body = bridge.contains("getitem_i(ref(1), 1)") && bridge.contains("jump L1(");
        assert!(into_body, "{bridge}");
        assert_eq!(
            results,
            [40, 78, 156, 312, 624, 1248, 2496, 4992],
            "{backend}"
        );
        let other = compiled(program_with_other_descriptors(), backend.name());
        assert_eq!(other, (traces, results), "{backend}");
    }
}
