//! Operations on the heap: fields and items of every layout, allocation fast and slow, exhausted
//! memory.

use expect_test::expect;
use verdigris_backend::CodeExit;
use verdigris_backends::check;
use verdigris_heap::{HeapOptions, Stress};
use verdigris_traces::vm::{Vm, check_all, compared, run_script};

#[test]
fn narrow_fields_extend_and_truncate() {
    check(
        |vm| {
            vm.compile(
                "[p0, i1]
                 label L0(p0, i1)
                 setfield_i(p0, i1) Narrow.a
                 setfield_i(p0, i1) Narrow.b
                 setfield_i(p0, i1) Narrow.c
                 setfield_i(p0, i1) Narrow.d
                 setfield_i(p0, i1) Narrow.e
                 setfield_i(p0, i1) Narrow.f
                 i2 = int_is_true(i1)
                 setfield_i(p0, i2) Narrow.g
                 i3 = getfield_i(p0) Narrow.a
                 i4 = getfield_i(p0) Narrow.b
                 i5 = getfield_i(p0) Narrow.c
                 i6 = getfield_i(p0) Narrow.d
                 i7 = getfield_i(p0) Narrow.e
                 i8 = getfield_i(p0) Narrow.f
                 i9 = getfield_i(p0) Narrow.g
                 guard_true(0) g0 -> [p0, i3, i4, i5, i6, i7, i8, i9] @
                 finish()",
            );
            for word in [-1i64, 0x0123_4567_89ab_cdef, 0] {
                let object = vm.object("Narrow");
                vm.enter(0, &[object, word as u64]);
            }
        },
        expect![[r#"
            g0 [Narrow{-1, 255, -1, 65535, -1, 4294967295, 1}, -1, 255, -1, 65535, -1, 4294967295, 1]
            g0 [Narrow{-17, 239, -12817, 52719, -1985229329, 2309737967, 1}, -17, 239, -12817, 52719, -1985229329, 2309737967, 1]
            g0 [Narrow{0, 0, 0, 0, 0, 0, 0}, 0, 0, 0, 0, 0, 0, 0]
        "#]],
    );
}

#[test]
fn items_of_every_size() {
    check(
        |vm| {
            for (n, class) in ["Ints", "Bytes", "Signed", "Shorts", "Halves"]
                .iter()
                .enumerate()
            {
                vm.compile(&format!(
                    "[p0, i1, i2]
                     label L{n}(p0, i1, i2)
                     setitem_i(p0, i1, i2) {class}
                     setitem_i(p0, 0, i2) {class}
                     i3 = getitem_i(p0, i1) {class}
                     i4 = getitem_i(p0, 1) {class}
                     i5 = arraylen(p0) {class}
                     guard_true(0) g{n} -> [p0, i3, i4, i5] @
                     finish()"
                ));
                let array = vm.array(class, &[1, 2, 3, 4, 5]);
                vm.enter(n as u32, &[array, 3, -200i64 as u64]);
            }
            vm.compile(
                "[p0, p1, i2]
                 label L9(p0, p1, i2)
                 p3 = getitem_r(p0, i2) Refs
                 setitem_r(p0, 0, p3) Refs
                 setitem_r(p0, i2, null) Refs
                 f4 = getitem_f(p1, i2) Floats
                 f5 = getitem_f(p1, 0) Floats
                 f6 = float_sub(f4, f5)
                 setitem_f(p1, i2, f6) Floats
                 setitem_f(p1, 1, 0.25) Floats
                 guard_true(0) g9 -> [p0, p1] @
                 finish()",
            );
            let node = vm.node(7, 0, 0.5);
            let refs = vm.array("Refs", &[0, 0, node]);
            let floats = [1.5f64, 2.5, 4.0].map(f64::to_bits);
            let floats = vm.array("Floats", &floats);
            vm.enter(9, &[refs, floats, 2]);
        },
        expect![[r#"
            g0 [Ints[-200, 2, 3, -200, 5], -200, 2, 5]
            g1 [Bytes[56, 2, 3, 56, 5], 56, 2, 5]
            g2 [Signed[56, 2, 3, 56, 5], 56, 2, 5]
            g3 [Shorts[-200, 2, 3, -200, 5], -200, 2, 5]
            g4 [Halves[4294967096, 2, 3, 4294967096, 5], 4294967096, 2, 5]
            g9 [Refs[Node{7, null, 0.5}, null, null], Floats[1.5, 0.25, 2.5]]
        "#]],
    );
}

const ALLOCATE: &str = "
    [i0, p1, f2]
    label L0(i0, p1, f2)
    p3 = new() Node
    setfield_i(p3, i0) Node.value
    setfield_r(p3, p1) Node.next
    setfield_f(p3, f2) Node.weight
    p4 = new() Wide
    setfield_r(p4, p3) Wide.last
    p5 = new_array(3) Ints
    setitem_i(p5, 2, i0) Ints
    p6 = new_array(i0) Bytes
    p7 = new_array(2) Bytes
    fill_items_i(p7, i0) Bytes
    p8 = new_array(i0) Shorts
    fill_items_i(p8, -1) Shorts
    p9 = new_array(3) Refs
    fill_items_r(p9, p3) Refs
    p10 = new_array(i0) Refs
    fill_items_r(p10, p7) Refs
    p11 = new_array(2) Floats
    fill_items_f(p11, f2) Floats
    p12 = new_array(i0) Floats
    fill_items_f(p12, 1.5) Floats
    p13 = new_array(0) Ints
    p14 = new_array(3) Halves
    fill_items_i(p14, 0) Halves
    p15 = new_array(i0) Halves
    fill_items_i(p15, i0) Halves
    p16 = new_array(100) Signed
    fill_items_i(p16, 7) Signed
    p17 = new_array(3) Halves
    fill_items_i(p17, 1) Halves
    p18 = new_array(2) Refs
    fill_items_r(p18, null) Refs
    guard_false(i0) g0 -> [p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18] @
    finish()
";

fn allocate(vm: &mut Vm) {
    vm.compile(ALLOCATE);
    let node = vm.node(1, 0, 0.0);
    vm.enter(0, &[2, node, 9.5f64.to_bits()]);
}

#[test]
fn objects_and_arrays_are_made() {
    check(
        allocate,
        expect![[r#"
            g0 [Node{2, Node{1, null, 0.0}, 9.5}, Wide{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Node{2, Node{1, null, 0.0}, 9.5}}, Ints[0, 0, 2], Bytes[0, 0], Bytes[2, 2], Shorts[-1, -1], Refs[Node{2, Node{1, null, 0.0}, 9.5}, Node{2, Node{1, null, 0.0}, 9.5}, Node{2, Node{1, null, 0.0}, 9.5}], Refs[Bytes[2, 2], Bytes[2, 2]], Floats[9.5, 9.5], Floats[1.5, 1.5], Ints[], Halves[0, 0, 0], Halves[2, 2], Signed[7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, .. 100], Halves[1, 1, 1], Refs[null, null]]
        "#]],
    );
}

/// The collector runs at every allocation and overwrites what it frees: values must be found in
/// registers and frames.
#[test]
fn collections_find_the_values_of_machine_code() {
    let stress = HeapOptions {
        stress: Stress::All,
        ..HeapOptions::default()
    };
    let calm = check_all(HeapOptions::default(), allocate);
    assert_eq!(check_all(stress, allocate), calm);
}

const LIST: &str = "
    [i0, p1]
    label L0(i0, p1)
    i2 = int_gt(i0, 0)
    guard_true(i2) g0 -> [p1] @
    p3 = new() Node
    setfield_i(p3, i0) Node.value
    setfield_r(p3, p1) Node.next
    i4 = int_sub(i0, 1)
    guard_not_exhausted() g9 -> [i4] @
    jump L0(i4, p3)
";

const SUM: &str = "
    [p0, i1]
    label L1(p0, i1)
    i2 = ptr_ne(p0, null)
    guard_true(i2) g1 -> [i1] @
    i3 = getfield_i(p0) Node.value
    i4 = int_add(i1, i3)
    p5 = getfield_r(p0) Node.next
    jump L1(p5, i4)
";

#[test]
fn a_long_list_survives_the_collections_it_causes() {
    check(
        |vm| {
            vm.compile(LIST);
            vm.compile(SUM);
            for _ in 0..3 {
                let exit = vm.run(0, &[200_000, 0]);
                assert!(matches!(exit, CodeExit::Guard(_)));
                let list = vm.context.exits[0];
                vm.enter(1, &[list, 0]);
            }
        },
        expect![[r#"
            g1 [20000100000]
            g1 [20000100000]
            g1 [20000100000]
        "#]],
    );
}

#[test]
fn garbage_is_collected_while_code_runs() {
    let options = HeapOptions {
        limit: 1 << 20,
        stress: Stress::Off,
    };
    for make in compared() {
        let log = run_script(make(), options, &|vm: &mut Vm| {
            // The same loop, dropping every node at once.
            vm.compile(&LIST.replace("jump L0(i4, p3)", "jump L0(i4, p1)"));
            vm.enter(0, &[1_000_000, 0]);
            assert!(vm.context.heap_stats().collections > 10);
        });
        assert_eq!(log, "g0 [null]\n");
    }
}

#[test]
fn an_exhausted_heap_is_left_at_guards() {
    let options = HeapOptions {
        limit: 1 << 20,
        stress: Stress::Off,
    };
    let log = check_all(options, |vm| {
        vm.compile(LIST);
        vm.enter(0, &[10_000_000, 0]);
        assert!(vm.context.is_exhausted());
        // What the list held can be freed again.
        vm.context.exits.fill(0);
        assert!(!vm.context.stays_exhausted());
        vm.enter(0, &[10, 0]);
        vm.compile(
            "[i0]
             label L2(i0)
             guard_room(i0) Ints g7 -> [i0] @
             p1 = new_array(i0) Ints
             guard_room(i0) Bytes g8 -> [i0] @
             p2 = new_array(i0) Bytes
             fill_items_i(p2, 1) Bytes
             i3 = arraylen(p1) Ints
             finish(i3)",
        );
        for len in [3, 1_000_000, 1 << 45, -1i64] {
            vm.enter(2, &[len as u64]);
        }
    });
    expect![[r#"
        g9 [9967231]
        g0 [Node{1, Node{2, Node{3, Node{4, .., 0.0}, 0.0}, 0.0}, 0.0}]
        finish 3
        g7 [1000000]
        g7 [35184372088832]
        g7 [-1]
    "#]]
    .assert_eq(&log);
}

/// Objects that were allocated at once are found one by one, also those that are only loaded from
/// when the next allocations collect.
#[test]
fn collections_find_objects_in_a_row() {
    let stress = HeapOptions {
        stress: Stress::All,
        ..HeapOptions::default()
    };
    let log = check_all(stress, |vm| {
        vm.compile(
            "[i0]
             label L0(i0)
             p1 = new() Node
             p2 = new() Node
             p3 = new_array(2) Ints
             setfield_i(p1, 1) Node.value
             setfield_i(p2, 2) Node.value
             setitem_i(p3, 0, 3) Ints
             p4 = new_array(i0) Ints
             p5 = new() Node
             i6 = getfield_i(p1) Node.value
             i7 = getfield_i(p2) Node.value
             i8 = getitem_i(p3, 0) Ints
             guard_false(i0) g0 -> [i6, i7, i8] @
             finish()",
        );
        vm.enter(0, &[40]);
    });
    assert_eq!(log, "g0 [1, 2, 3]\n");
}
