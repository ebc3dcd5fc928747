//! The text form: what it looks like, that it round-trips, and how mistakes are reported. That
//! random programs round-trip is tested together with their meaning, in `verdigris-build`.

use expect_test::{Expect, expect};
use verdigris_graph::{parse, print_program, verify};

const HAND_WRITTEN: &str = r#"
    class GraphProgram { code: ref }
    class Int { value: cell float }
    class GcArray<u8> [int]
    object Obj [Int, GraphProgram]
    fn fail(int) -> int opaque

    graph run -> int in "src/main.rs" {
    start(r0 i1):
      r2 = getfield_r r0 GraphProgram.code #12:3
      goto head(0 r2)
    head(i5 r6):
      merge_point (i5) (r6) next #13:9
    next:
      i7 = getitem_i r6 i5 GcArray<u8>
      i8 = promote i7
      switch i8 [-1: head(0 r6), 5: other, else done(i8)]
    other:
      loop_header
      r9 = new Int
      setfield_f r9 -0.5 Int.value
      i10 = call helper(r9 1)
      branch i10 head(i10 null) broken
    broken:
      panic index_out_of_bounds(i10 i8)
    done(i11):
      i12 = call_fn fail(i11)
      return i12
    }
    graph helper -> int {
    b7(r0 i1):
      class_switch r0 [Int: b2, GraphProgram: b3(i1)]
    b2:
      panic "no \"such\" class"()
    b3(i2):
      return i2
    }
    portal run
"#;

fn check(text: &str, expect: Expect) {
    let program = parse(text).expect("parses");
    verify(&program).expect("verifies");
    let printed = print_program(&program);
    expect.assert_eq(&printed);
    assert_eq!(parse(&printed).expect("parses again"), program);
}

#[test]
fn hand_written_text_becomes_canonical() {
    check(
        HAND_WRITTEN,
        expect![[r#"
            class GraphProgram { code: ref }
            class Int { value: cell float }
            class GcArray<u8> [int]
            fn fail(int) -> int opaque
            object Obj [Int, GraphProgram]
            graph run -> int in "src/main.rs" {
            b0(r0 i1):
              r2 = getfield_r r0 GraphProgram.code         #12:3
              goto b1(0 r2)
            b1(i3 r4):
              merge_point (i3) (r4) b2                     #13:9
            b2:
              i5 = getitem_i r4 i3 GcArray<u8>
              i6 = promote i5
              switch i6 [-1: b1(0 r4), 5: b3, else b5(i6)]
            b3:
              loop_header
              r7 = new Int
              setfield_f r7 -0.5 Int.value
              i8 = call helper(r7 1)
              branch i8 b1(i8 null) b4
            b4:
              panic index_out_of_bounds(i8 i6)
            b5(i9):
              i10 = call_fn fail(i9)
              return i10
            }
            graph helper -> int {
            b0(r0 i1):
              class_switch r0 [Int: b1, GraphProgram: b2(i1)]
            b1:
              panic "no \"such\" class"()
            b2(i2):
              return i2
            }
            portal run
        "#]],
    );
}

#[test]
fn canonical_numbering_does_not_depend_on_the_order_of_blocks() {
    let text = |blocks: &[&str]| {
        let blocks = blocks.concat();
        format!("graph f -> int {{\n{blocks}}}\nportal f\n")
    };
    let entry = "b0(i0):\nbranch i0 b1 b2(i0)\n";
    let (first, second) = (
        "b1:\ni5 = int_neg i0\ngoto b2(i5)\n",
        "b2(i9):\nreturn i9\n",
    );
    let canonical = |blocks: &[&str]| {
        let program = parse(&text(blocks)).expect("parses");
        program.graphs.values().next().expect("one").canonical()
    };
    assert_eq!(
        canonical(&[entry, first, second]),
        canonical(&[entry, second, first])
    );
}

#[test]
fn mistakes_name_their_line() {
    let message = |text: &str| parse(text).expect_err("refused").to_string();
    let graph = |body: &str| message(&format!("graph f {{\nb0(i0):\n{body}\n}}\nportal f"));
    expect!["line 3: `int_ad` is no operation"].assert_eq(&graph("i1 = int_ad i0 1\nreturn"));
    expect!["line 3: `i0` is defined twice"].assert_eq(&graph("i0 = int_add i0 1\nreturn"));
    expect!["line 3: there is no value `i2`"].assert_eq(&graph("i1 = int_add i2 1\nreturn"));
    expect!["line 3: there is no block `away`"].assert_eq(&graph("goto away"));
    expect!["line 3: there is no graph `g`"].assert_eq(&graph("call g()"));
    expect!["line 5: greens and reds are not the parameters of the block"].assert_eq(&graph(
        "merge_point () (i0) b0\nb1:\nmerge_point (i0) () b0",
    ));
    expect!["line 4: expected an operation, found `}`"].assert_eq(&graph("i1 = int_neg i0"));
    expect!["line 3: a graph has at least one block"].assert_eq(&message("graph f {\n}\nportal f"));
}
