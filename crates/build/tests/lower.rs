//! The lowering, on hand-written graphs: moves, registers, layout.

use expect_test::{Expect, expect};
use verdigris_build::lower;
use verdigris_graph::{parse, verify};
use verdigris_jitcode::print;

/// A portal whose code behind the merge point is `body`.
fn check(reds: &str, body: &str, expect: Expect) {
    let text = format!(
        "class A {{ x: cell int }}\nclass B {{ y: int }}\nfn g(int, float) -> float opaque\ngraph run -> int {{\n\
         b0({reds}):\ngoto b1({reds})\n{}\n}}\nportal run\n",
        body.trim()
    );
    let program = parse(&text).expect("parses");
    verify(&program).expect("is right");
    let unit = lower(&program);
    verdigris_jitcode::verify(&unit).expect("verifies");
    expect.assert_eq(&print(unit.portal(), &unit));
}

#[test]
fn swapped_values_go_through_a_scratch_register() {
    check(
        "i0 i1 f2 f3",
        "b1(i4 i5 f6 f7):\nmerge_point (i4) (i5 f6 f7) b2\nb2:\ni8 = int_lt i4 i5\nbranch i8 b1(i5 i4 f7 f6) b3\n\
         b3:\nreturn i4",
        expect![[r#"
            code run(i0 i1 f2 f3) -> int {
              regs i0 i1 f2 f3 i4 i5 f6
                0: merge_point (i0) (i1 f2 f3)              {i0 i1 f2 f3}
                1: i4 = int_lt i0 i1                        {i0 i1 f2 f3}
                2: branch_false i4 @10                      {i0 i1 f2 f3 i4}
                3: i5 = i0                                  {i0 i1 f2 f3}
                4: i0 = i1                                  {i1 f2 f3 i5}
                5: i1 = i5                                  {i0 f2 f3 i5}
                6: f6 = f2                                  {i0 i1 f2 f3}
                7: f2 = f3                                  {i0 i1 f3 f6}
                8: f3 = f6                                  {i0 i1 f2 f6}
                9: goto @0                                  {i0 i1 f2 f3}
               10: return i0                                {i0}
            }
        "#]],
    );
}

#[test]
fn one_value_for_two_parameters_and_constants() {
    check(
        "i0 r1",
        "b1(i2 r3):\nmerge_point (i2) (r3) b2\nb2:\ngoto b3(i2 i2 0.5 null)\n\
         b3(i4 i5 f6 r7):\ni8 = int_add i4 -1\nf9 = call_fn g(i5 f6)\nbranch i8 b3(i8 i5 f9 r3) b4\n\
         b4:\ni10 = ptr_eq r7 r3\nswitch i10 [0: b1(0 r7), 1: b5(i4), else b5(7)]\nb5(i11):\nreturn i11",
        expect![[r#"
            code run(i0 r1) -> int {
              regs i0 r1 i2 f3 r4 i5
                0: merge_point (i0) (r1)                    {i0 r1}
                1: i2 = i0                                  {i0 r1}
                2: f3 = 0.5                                 {i0 r1 i2}
                3: r4 = null                                {i0 r1 i2 f3}
                4: i5 = int_add i0 -1                       {i0 r1 i2 f3 r4}
                5: f3 = call_fn g(i2 f3)                    {i0 r1 i2 f3 r4 i5}
                6: branch_false i5 @10                      {i0 r1 i2 f3 r4 i5}
                7: i0 = i5                                  {r1 i2 f3 i5}
                8: r4 = r1                                  {i0 r1 i2 f3}
                9: goto @4                                  {i0 r1 i2 f3 r4}
               10: i2 = ptr_eq r4 r1                        {i0 r1 r4}
               11: switch i2 [0: @12, 1: @15, else @16]     {i0 i2 r4}
               12: i0 = 0                                   {r4}
               13: r1 = r4                                  {i0 r4}
               14: goto @0                                  {i0 r1}
               15: return i0                                {i0}
               16: i0 = 7                                   {}
               17: goto @15                                 {i0}
            }
        "#]],
    );
}

#[test]
fn a_result_that_nobody_uses_does_not_overwrite_anything() {
    check(
        "i0 f1",
        "b1(i2 f3):\nmerge_point (i2) (f3) b2\nb2:\nf4 = call_fn g(i2 f3)\nf5 = call_fn g(i2 f3)\n\
         f6 = promote f5\ngoto b1(i2 f3)",
        expect![[r#"
            code run(i0 f1) -> int {
              regs i0 f1 f2
                0: merge_point (i0) (f1)                    {i0 f1}
                1: f2 = call_fn g(i0 f1)                    {i0 f1}
                2: f2 = call_fn g(i0 f1)                    {i0 f1}
                3: f2 = promote f2                          {i0 f1 f2}
                4: goto @0                                  {i0 f1}
            }
        "#]],
    );
}

#[test]
fn a_class_that_no_case_names_panics() {
    check(
        "r0",
        "b1(r1):\nmerge_point () (r1) b2\nb2:\nclass_switch r1 [B: b3, A: b4]\nb3:\ni2 = getfield_i r1 B.y\nreturn i2\n\
         b4:\nloop_header\ngoto b1(r1)",
        expect![[r#"
            code run(r0) -> int {
              regs r0 i1
                0: merge_point () (r0)                      {r0}
                1: class_switch r0 [A: @4, B: @2, else @6]  {r0}
                2: i1 = getfield_i r0 B.y                   {r0}
                3: return i1                                {i1}
                4: loop_header                              {r0}
                5: goto @0                                  {r0}
                6: panic "internal error: an object has a class that its enum does not list"() {}
            }
        "#]],
    );
}
