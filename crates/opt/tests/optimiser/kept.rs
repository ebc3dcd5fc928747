//! Virtualizable places: what stays delayed and known across calls that may look, and what
//! `reclaim` costs.

use expect_test::{Expect, expect};
use verdigris_ops::{ClassId, DataOp, FnId};
use verdigris_opt::{Host, Optimiser, Passes};
use verdigris_trace::{Descr, parse, parse_descrs, print, verify};
use verdigris_traces::{NoObjects, Work, kept};

const DESCRS: &str = "
    class Frame { pc: int virtualizable, back: ref, count: int }
    class Box { value: int imm }
    array Locals { ref virtualizable }
    fn anything(ref) opaque
    fn scan(ref) opaque reads(*) writes(Frame.count)
    fn peek(ref) opaque reads(Locals[]) writes()
    fn poke(ref) opaque reads() writes(Frame.pc)
";

fn optimised(passes: &str, text: &str, host: &mut dyn Host) -> String {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let trace = parse(&descrs, text).unwrap_or_else(|e| panic!("{e:?}"));
    verify(&descrs, &trace).unwrap_or_else(|e| panic!("recorded: {e:?}"));
    let passes = Passes::parse(passes).expect("known passes");
    let mut optimiser = Optimiser::new(passes);
    let done = optimiser.optimise_loop(&trace, None, &descrs, host);
    let done = done.expect("the trace is consistent");
    let text = print(&descrs, &done.trace);
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("optimised: {e:?}\n{text}"));
    text
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&optimised("all", text, &mut NoObjects));
}

#[test]
fn what_is_kept_stays_delayed_and_known() {
    check(
        "[p0, i1]
        reclaim(p0)
        i2 = getfield_i(p0) Frame.pc
        i3 = int_add(i1, i2)
        reclaim(p0)
        setfield_i(p0, i3) Frame.pc
        setfield_i(p0, i3) Frame.count
        call(p0) anything
        guard_no_panic() @ 0:1 r0=p0 r1=i3
        reclaim(p0)
        i4 = getfield_i(p0) Frame.pc
        i5 = getfield_i(p0) Frame.count
        i6 = int_add(i4, i5)
        finish(i6)",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            reclaim(p0)
            i2 = getfield_i(p0) Frame.pc
            i3 = int_add(i1, i2)
            setfield_i(p0, i3) Frame.count
            call(p0) anything
            guard_not_forced()
              -> [p0, i3]
              p0.Frame.pc = i3
              keeps p0
              @ 0:1 r0=p0 r1=i3
            i4 = getfield_i(p0) Frame.count
            i5 = int_add(i3, i4)
            setfield_i(p0, i3) Frame.pc
            finish(i5)
        "#]],
    );
}

#[test]
fn objects_in_kept_places_are_not_made() {
    check(
        "[p0, i1]
        p2 = new() Box
        setfield_i(p2, i1) Box.value
        reclaim(p0)
        setitem_r(p0, 1, p2) Locals
        call(null) scan
        guard_no_panic() @ 0:1 r0=p0 r1=p2
        i3 = getfield_i(p2) Box.value
        i4 = int_sub(i3, 1)
        close(p0, i4)",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            reclaim(p0)
            call(null) scan
            guard_not_forced()
              -> [p0, i1]
              v0 = Box{value: i1}
              p0.Locals[1] = v0
              keeps p0
              @ 0:1 r0=p0 r1=v0
            i2 = int_add(i1, -1)
            jump L1(p0, i2)
            label L1(p3, i4)
            call(null) scan
            guard_not_forced()
              -> [p3, i4]
              v0 = Box{value: i4}
              p3.Locals[1] = v0
              keeps p3
              @ 0:1 r0=p3 r1=v0
            i5 = int_add(i4, -1)
            jump L1(p3, i5)
        "#]],
    );
}

#[test]
fn a_call_with_known_effects_finds_what_it_reads_in_memory() {
    check(
        "[p0, p1, i2]
        reclaim(p0)
        setfield_i(p0, i2) Frame.pc
        p3 = new() Box
        setfield_i(p3, i2) Box.value
        reclaim(p1)
        setitem_r(p1, 0, p3) Locals
        call(p1) peek
        guard_no_panic() @ 0:1 r0=p0
        call(p0) poke
        guard_no_panic() @ 0:2 r0=p0
        reclaim(p0)
        i4 = getfield_i(p0) Frame.pc
        finish(i4)",
        expect![[r#"
            [p0, p1, i2]
            label L0(p0, p1, i2)
            reclaim(p0)
            reclaim(p1)
            p3 = new() Box
            setfield_i(p3, i2) Box.value
            setitem_r(p1, 0, p3) Locals
            call(p1) peek
            guard_no_panic()
              -> [p0, i2]
              p0.Frame.pc = i2
              @ 0:1 r0=p0
            setfield_i(p0, i2) Frame.pc
            call(p0) poke
            guard_no_panic()
              -> [p0]
              @ 0:2 r0=p0
            i4 = getfield_i(p0) Frame.pc
            finish(i4)
        "#]],
    );
}

#[test]
fn a_new_object_need_not_be_reclaimed() {
    check(
        "[p0, i1]
        p2 = new() Frame
        reclaim(p2)
        setfield_i(p2, i1) Frame.pc
        call(p2) anything
        guard_no_panic() @ 0:1 r0=p2
        reclaim(p2)
        i3 = getfield_i(p2) Frame.pc
        reclaim(p0)
        i4 = getfield_i(p0) Frame.pc
        reclaim(p0)
        i5 = int_add(i3, i4)
        finish(i5)",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            p2 = new() Frame
            setfield_i(p2, i1) Frame.pc
            call(p2) anything
            guard_not_forced()
              -> [p2]
              keeps p2
              @ 0:1 r0=p2
            reclaim(p0)
            i3 = getfield_i(p0) Frame.pc
            i4 = int_add(i1, i3)
            finish(i4)
        "#]],
    );
}

/// A host that wants nothing kept.
struct Open;

impl Host for Open {
    fn load(&mut self, op: DataOp, args: &[u64], descr: Descr) -> u64 {
        NoObjects.load(op, args, descr)
    }

    fn keeps_virtualizables(&self) -> bool {
        false
    }

    fn call(&mut self, function: FnId, args: &[u64]) -> Option<Vec<u64>> {
        NoObjects.call(function, args)
    }

    fn is_object(&mut self, word: u64) -> bool {
        NoObjects.is_object(word)
    }

    fn class_of(&self, object: u64) -> Option<ClassId> {
        NoObjects.class_of(object)
    }
}

#[test]
fn nothing_is_kept_where_it_is_taken_often() {
    let text = "
        [p0, i1]
        reclaim(p0)
        setfield_i(p0, i1) Frame.pc
        call(p0) anything
        guard_no_panic() @ 0:1 r0=p0
        reclaim(p0)
        i2 = getfield_i(p0) Frame.pc
        finish(i2)";
    let open = optimised("all", text, &mut Open);
    assert_eq!(open, optimised("all-virtualizable", text, &mut NoObjects));
    expect![[r#"
        [p0, i1]
        label L0(p0, i1)
        reclaim(p0)
        setfield_i(p0, i1) Frame.pc
        call(p0) anything
        guard_no_panic()
          -> [p0]
          @ 0:1 r0=p0
        i2 = getfield_i(p0) Frame.pc
        finish(i2)
    "#]]
    .assert_eq(&open);
}

fn compare_many(passes: &str, seeds: std::ops::Range<u64>) -> usize {
    let passes = Passes::parse(passes).expect("known passes");
    let results: Vec<Work> = seeds.map(|seed| kept::compare(seed, passes)).collect();
    let compared = results.iter().filter(|work| work.compared > 0).count();
    assert!(
        compared > results.len() / 4,
        "{compared} loops were compared"
    );
    results.iter().filter(|work| work.taken > 0).count()
}

#[test]
fn random_loops_with_kept_places() {
    let taken = compare_many("all", 0..1200);
    assert!(
        taken > 400,
        "only {taken} loops had something taken from them"
    );
    assert!(compare_many("all+delayed=1", 50_000..50_300) > 2);
    assert!(compare_many("all+delayed=2", 60_000..60_300) > 2);
    assert!(compare_many("all-peel", 20_000..20_300) > 2);
    assert!(compare_many("all-strengthen-virtuals", 30_000..30_300) > 2);
    assert_eq!(compare_many("all-virtualizable", 40_000..40_200), 0);
}
