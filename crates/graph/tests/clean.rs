//! The clean-ups, one by one, on hand-written graphs.

use expect_test::{Expect, expect};
use verdigris_graph::{clean, parse, print, verify};

/// A function that is not the portal, before and after.
fn check(body: &str, expect: Expect) {
    let text = format!(
        "class A {{ x: int, y: cell ref }}\nclass B [cell int]\nfn g(int) -> int opaque\nfn h(int) -> int elidable\n\
         graph run {{\nb0:\ngoto b1\nb1:\nmerge_point () () b2\nb2:\nreturn\n}}\n\
         graph f -> int {{\n{body}\n}}\nportal run\n"
    );
    let mut program = parse(&text).expect("parses");
    verify(&program).expect("was right");
    let id = program.graphs.keys().nth(1).expect("there are two");
    clean(&mut program.graphs[id]);
    program.graphs[id] = program.graphs[id].canonical();
    verify(&program).expect("is still right");
    expect.assert_eq(&print(&program, &program.graphs[id]));
}

#[test]
fn constants_fold_through_parameters_and_choices() {
    check(
        "b0(i0):\ni1 = int_add 2 3\ngoto b1(i1)\nb1(i2):\ni3 = int_lt i2 6\nbranch i3 b2 b3\n\
         b2:\ni4 = int_mul i2 i0\nreturn i4\nb3:\nreturn i2",
        expect![[r#"
            graph f -> int {
            b0(i0):
              i1 = int_mul 5 i0
              return i1
            }
        "#]],
    );
    check(
        "b0(i0):\nswitch 7 [1: b1(1), 7: b1(i0), else b1(3)]\nb1(i1):\nreturn i1",
        expect![[r#"
            graph f -> int {
            b0(i0):
              return i0
            }
        "#]],
    );
}

#[test]
fn a_negated_condition_is_the_opposite_choice() {
    check(
        "b0(i0):\ni1 = int_is_zero i0\ni2 = int_is_zero i1\ni3 = int_is_zero i2\nbranch i3 b1 b2\n\
         b1:\nreturn 1\nb2:\nreturn 2",
        expect![[r#"
            graph f -> int {
            b0(i0):
              branch i0 b1 b2
            b1:
              return 2
            b2:
              return 1
            }
        "#]],
    );
}

#[test]
fn parameters_of_loops_that_never_change_go() {
    check(
        "b0(i0 i1):\ngoto b1(i0 i1)\nb1(i2 i3):\ni4 = call_fn g(i2)\nbranch i4 b1(i2 i4) b2(i2 i3)\n\
         b2(i5 i6):\nreturn i5",
        expect![[r#"
            graph f -> int {
            b0(i0 i1):
              goto b1
            b1:
              i2 = call_fn g(i0)
              branch i2 b1 b2
            b2:
              return i0
            }
        "#]],
    );
}

#[test]
fn what_has_no_effect_goes_and_what_has_one_stays() {
    check(
        "b0(i0 r1):\ni2 = int_add i0 1\nr3 = new A\nr4 = getfield_r r1 A.y\ni5 = call_fn h(i0)\n\
         i6 = promote i0\nsetfield_r r1 r4 A.y\ni7 = arraylen r1 B\nreturn i0",
        expect![[r#"
            graph f -> int {
            b0(i0 r1):
              r2 = getfield_r r1 A.y
              i3 = call_fn h(i0)
              i4 = promote i0
              setfield_r r1 r2 A.y
              return i4
            }
        "#]],
    );
}

#[test]
fn a_constant_condition_is_threaded_through_the_join() {
    check(
        "b0(i0 i1):\nbranch i0 b1 b2\nb1:\ngoto b3(1)\nb2:\ngoto b3(0)\nb3(i2):\nbranch i2 b4 b5\n\
         b4:\nreturn i1\nb5:\nreturn 0",
        expect![[r#"
            graph f -> int {
            b0(i0 i1):
              branch i0 b1 b2
            b1:
              return i1
            b2:
              return 0
            }
        "#]],
    );
}

#[test]
fn a_join_whose_value_is_used_behind_it_stays() {
    check(
        "b0(i0 i1):\nbranch i0 b1 b2\nb1:\ngoto b3(1)\nb2:\ngoto b3(0)\nb3(i2):\nbranch i2 b4 b5\n\
         b4:\nreturn i2\nb5:\ni3 = int_add i2 i1\nreturn i3",
        expect![[r#"
            graph f -> int {
            b0(i0 i1):
              branch i0 b1(1) b1(0)
            b1(i2):
              branch i2 b2 b3
            b2:
              return i2
            b3:
              i3 = int_add i2 i1
              return i3
            }
        "#]],
    );
}

#[test]
fn a_promoted_value_is_known_behind_the_promotion_only() {
    check(
        "b0(i0 i1):\ni2 = int_neg i0\nbranch i1 b1 b2\nb1:\ni3 = promote i0\ni4 = promote i0\ni5 = promote 7\n\
         i6 = int_add i0 i4\ngoto b3(i6 i5)\nb2:\ngoto b3(i0 i2)\nb3(i7 i8):\ni9 = int_add i7 i8\n\
         i10 = int_add i9 i0\nreturn i10",
        expect![[r#"
            graph f -> int {
            b0(i0 i1):
              i2 = int_neg i0
              branch i1 b1 b2(i0 i2)
            b1:
              i3 = promote i0
              i4 = int_add i3 i3
              goto b2(i4 7)
            b2(i5 i6):
              i7 = int_add i5 i6
              i8 = int_add i7 i0
              return i8
            }
        "#]],
    );
}

#[test]
fn an_empty_loop_stays_a_loop() {
    check(
        "b0(i0):\ngoto b1\nb1:\ngoto b2\nb2:\ngoto b1",
        expect![[r#"
            graph f -> int {
            b0(i0):
              goto b1
            b1:
              goto b1
            }
        "#]],
    );
}
