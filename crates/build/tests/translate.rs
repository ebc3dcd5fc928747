//! From Rust source to flow graphs, jitcode and glue: what the translator makes of small
//! interpreters.

use expect_test::{Expect, expect};
use verdigris_build::translate_to_unit;
use verdigris_graph::print_program;
use verdigris_jitcode::{parse, print_unit, verify};

const COUNTER: &str = r#"
use verdigris::{we_are_jitted, prelude::*};
verdigris::include_jit!();
#[gc]
struct Program {
    code: GcArray<u8>,
}
#[portal]
fn run(program: Gc<Program>, mut counter: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [counter]);
        let op = program.code[pc];
        pc += 1;
        match op {
            0 => counter -= 1,
            1 => {
                if counter > 0 {
                    pc = 0;
                    can_enter_jit!();
                }
            }
            _ => return counter,
        }
    }
}
"#;

/// A portal with a merge point, whose opcode is `body`, after some items.
fn portal(items: &str, params: &str, reds: &str, body: &str) -> String {
    format!(
        "use verdigris::{{we_are_jitted, prelude::*}};\n{items}\n#[portal]\nfn run({params}) -> i64 {{\n    loop {{\n        \
         merge_point!(greens = [], reds = [{reds}]);\n        {body}\n    }}\n}}\n"
    )
}

fn graphs(source: &str, expect: Expect) {
    let translation =
        translate_to_unit(&[("src/main.rs", source)]).unwrap_or_else(|e| panic!("{e}"));
    expect.assert_eq(&print_program(&translation.graphs));
}

fn codes(source: &str, expect: Expect) {
    let translation =
        translate_to_unit(&[("src/main.rs", source)]).unwrap_or_else(|e| panic!("{e}"));
    let text = print_unit(&translation.unit);
    expect.assert_eq(&text);
    assert_eq!(parse(&text).expect("parses"), translation.unit);
    verify(&translation.unit).expect("verifies");
}

fn refuses(source: &str, expect: Expect) {
    let diagnostics = translate_to_unit(&[("src/main.rs", source)]).expect_err("refused");
    expect.assert_eq(&diagnostics.render(false));
}

/// The specialiser refuses an interpreter whose dispatch is not green.
#[test]
fn a_red_dispatch_is_shipped_with_its_way() {
    let red = |source: &str| {
        let translation = translate_to_unit(&[("main.rs", source)]);
        let translation = translation.unwrap_or_else(|e| panic!("{e}"));
        translation.red_dispatch
    };
    let source = portal(
        "#[gc]\nstruct Program {\n    code: GcArray<Cell<u8>>,\n}",
        "program: Gc<Program>, mut n: i64",
        "program, n",
        "match program.code[0].get() {\n            0 => n += 1,\n            1 => n -= 1,\n            2 => n *= 2,\n            \
         3 => n = -n,\n            4 => n += n,\n            _ => return n,\n        }",
    );
    expect![[r#"
        warning[VD0058]: the instruction is chosen by a red value: every instruction in a trace costs a guard
          --> main.rs:10:15
           |
        10 |         match program.code[0].get() {
           |               ^^^^^^^^^^^^^^^^^^^^^ the items of this array are `Cell`s: they can change
           |
           = help: write `promote(program.code[0].get())`, or make it an array without `Cell` if nothing ever sets its items
           = note: `verdigris error VD0058` says more"#]].assert_eq(&red(&source).expect("it is red"));
    let promoted = source.replace("program.code[0].get()", "promote(program.code[0].get())");
    assert_eq!(red(&promoted), None);
    // Another choice by a red does no harm, as long as one is green.
    let both = promoted.replace(
        "_ => return n,",
        "_ => match n {\n                0 => n = 9,\n                1 => n = 7,\n                2 => n = 5,\n                \
         3 => n = 3,\n                4 => n = 1,\n                _ => return n,\n            },",
    );
    assert_eq!(red(&both), None);
    // Where nothing chooses among many instructions, there is nothing to be said.
    assert_eq!(red(COUNTER), None);
}

#[test]
fn the_counter_language() {
    graphs(
        COUNTER,
        expect![[r#"
        class Program { code: ref }
        class GcArray<u8> [int]
        graph run -> int in "src/main.rs" {
        b0(r0 i1):
          goto b1(0 r0 i1)                             #11:5
        b1(i2 r3 i4):
          merge_point (i2 r3) (i4) b2                  #12:9
        b2:
          r5 = getfield_r r3 Program.code              #13:18
          i6 = arraylen r5 GcArray<u8>                 #13:18
          i7 = uint_lt i2 i6                           #13:18
          branch i7 b3 b8                              #13:18
        b3:
          i8 = getitem_i r5 i2 GcArray<u8>             #13:18
          i9 = int_add i2 1                            #14:9
          switch i8 [0: b4, 1: b5, else b7]            #15:9
        b4:
          i10 = int_sub i4 1                           #16:18
          goto b1(i9 r3 i10)                           #15:9
        b5:
          i11 = int_gt i4 0                            #18:20
          branch i11 b6 b1(i9 r3 i4)                   #18:20
        b6:
          loop_header                                  #20:21
          goto b1(0 r3 i4)                             #20:21
        b7:
          return i4                                    #23:18
        b8:
          panic index_out_of_bounds(i2 i6)             #13:18
        }
        portal run
    "#]],
    );
    codes(
        COUNTER,
        expect![[r#"
        class Program { code: ref }
        class GcArray<u8> [int]
        code run(r0 i1) -> int in "src/main.rs" {
          regs r0 i1 i2 r3 i4 i5
            0: i2 = 0                                   {r0 i1} #11
            1: merge_point (i2 r0) (i1)                 {r0 i1 i2} #12
            2: r3 = getfield_r r0 Program.code          {r0 i1 i2} #13
            3: i4 = arraylen r3 GcArray<u8>             {r0 i1 i2 r3} #13
            4: i5 = uint_lt i2 i4                       {r0 i1 i2 r3 i4} #13
            5: branch_false i5 @17                      {r0 i1 i2 r3 i4 i5} #13
            6: i4 = getitem_i r3 i2 GcArray<u8>         {r0 i1 i2 r3} #13
            7: i2 = int_add i2 1                        {r0 i1 i2 i4} #14
            8: switch i4 [0: @9, 1: @11, else @16]      {r0 i1 i2 i4} #15
            9: i1 = int_sub i1 1                        {r0 i1 i2} #16
           10: goto @1                                  {r0 i1 i2} #15
           11: i4 = int_gt i1 0                         {r0 i1 i2} #18
           12: branch_false i4 @1                       {r0 i1 i2 i4} #18
           13: loop_header                              {r0 i1} #20
           14: i2 = 0                                   {r0 i1} #20
           15: goto @1                                  {r0 i1 i2} #20
           16: return i1                                {i1} #23
           17: panic index_out_of_bounds(i2 i4)         {i2 i4} #13
        }
        portal run @1
    "#]],
    );
}

const OBJECTS: &str = "
#[gc] struct Int { value: i64 }
#[gc] struct Pair { first: Obj, rest: Cell<Option<Gc<Pair>>> }
#[gc] struct Nil { unused: bool }
#[object(Obj)] enum Kind { Int(Gc<Int>), Pair(Gc<Pair>), Nil(Gc<Nil>) }
#[opaque] fn fail(at: Obj) -> i64 { panic!() }
#[elidable] fn lookup(key: i64, size: f64) -> Obj { panic!() }
fn sum(object: Obj) -> i64 {
    match object.kind() {
        Kind::Int(int) => int.value,
        Kind::Pair(pair) if pair.rest.get().is_none() => head(pair),
        Kind::Nil(_) => 0,
        _ => fail(object),
    }
}
fn head(pair: Gc<Pair>) -> i64 {
    match pair.first.kind() {
        Kind::Int(int) => int.value,
        _ => -1,
    }
}
";

#[test]
fn objects_are_matched_by_class() {
    let body = "if let Some(pair) = last { \
                    object = Obj::from(Gc::new(Pair { first: object, rest: Cell::new(None) })); \
                    last = pair.rest.get(); \
                } else { return sum(object) + sum(lookup(1, 0.5)); }";
    let params = "mut object: Obj, mut last: Option<Gc<Pair>>";
    codes(
        &portal(OBJECTS, params, "object, last", body),
        expect![[r#"
            class Int { value: int }
            class Pair { first: ref, rest: cell ref }
            class Nil { unused: int }
            fn lookup(int, float) -> ref elidable
            fn fail(ref) -> int opaque reads() writes()
            object Obj [Int, Pair, Nil]
            code run(r0 r1) -> int in "src/main.rs" {
              regs r0 r1 i2 r3 i4
                0: merge_point () (r0 r1)                   {r0 r1} #27
                1: i2 = ptr_ne r1 null                      {r0 r1} #28
                2: branch_false i2 @8                       {r0 r1 i2} #28
                3: r3 = new Pair                            {r0 r1} #28
                4: setfield_r r3 r0 Pair.first              {r0 r1 r3} #28
                5: r1 = getfield_r r1 Pair.rest             {r1 r3} #28
                6: r0 = r3                                  {r1 r3} #28
                7: goto @0                                  {r0 r1} #28
                8: i2 = call sum(r0)                        {r0} #28
                9: r0 = call_fn lookup(1 0.5)               {i2} #28
               10: i4 = call sum(r0)                        {r0 i2} #28
               11: i2 = int_add i2 i4                       {i2 i4} #28
               12: return i2                                {i2} #28
            }
            code sum(r0) -> int in "src/main.rs" {
              regs r0 i1 r2
                0: class_switch r0 [Int: @1, Pair: @3, Nil: @10, else @12] {r0} #10
                1: i1 = getfield_i r0 Int.value             {r0} #11
                2: return i1                                {i1} #9
                3: r2 = getfield_r r0 Pair.rest             {r0} #12
                4: i1 = ptr_ne r2 null                      {r0 r2} #12
                5: branch_false i1 @8                       {r0 i1} #12
                6: i1 = call_fn fail(r0)                    {r0} #14
                7: goto @2                                  {i1} #10
                8: i1 = call head(r0)                       {r0} #12
                9: goto @2                                  {i1} #10
               10: i1 = 0                                   {} #10
               11: goto @2                                  {i1} #10
               12: panic "internal error: an object has a class that its enum does not list"() {}
            }
            code head(r0) -> int in "src/main.rs" {
              regs r0 i1
                0: r0 = getfield_r r0 Pair.first            {r0} #18
                1: class_switch r0 [Int: @2, Pair: @4, Nil: @6, else @8] {r0} #18
                2: i1 = getfield_i r0 Int.value             {r0} #19
                3: return i1                                {i1} #17
                4: i1 = -1                                  {} #18
                5: goto @3                                  {i1} #18
                6: i1 = -1                                  {} #18
                7: goto @3                                  {i1} #18
                8: panic "internal error: an object has a class that its enum does not list"() {}
            }
            portal run @0
        "#]],
    );
}

#[test]
fn arithmetic_keeps_narrow_integers_extended() {
    let body = "a = a * b + 1; b = (b << 3) ^ a as u8; if b % c == 7 || !(a < 0) { return (c / a) as i64; } c = -c;";
    let params = "mut a: i16, mut b: u8, mut c: i16";
    let source = portal(
        "",
        params,
        "a, b, c",
        &body.replace("a * b", "a * (b as i16)"),
    );
    graphs(
        &source.replace("b % c", "(b as i16) % c"),
        expect![[r#"
        graph run -> int in "src/main.rs" {
        b0(i0 i1 i2):
          goto b1(i0 i1 i2)                            #5:5
        b1(i3 i4 i5):
          merge_point () (i3 i4 i5) b2                 #6:9
        b2:
          i6 = int_mul i3 i4                           #7:13
          i7 = int_sext16 i6                           #7:13
          i8 = int_add i7 1                            #7:13
          i9 = int_sext16 i8                           #7:13
          i10 = int_shl i4 3                           #7:38
          i11 = int_and i10 255                        #7:38
          i12 = int_and i9 255                         #7:48
          i13 = int_xor i11 i12                        #7:37
          i14 = int_eq i5 0                            #7:60
          branch i14 b3 b4                             #7:60
        b3:
          panic remainder_by_zero()                    #7:60
        b4:
          i15 = int_eq i5 -1                           #7:60
          branch i15 b5 b7                             #7:60
        b5:
          i16 = int_eq i13 -32768                      #7:60
          branch i16 b6 b7                             #7:60
        b6:
          panic remainder_overflow()                   #7:60
        b7:
          i17 = int_rem i13 i5                         #7:60
          i18 = int_eq i17 7                           #7:60
          branch i18 b10 b8                            #7:60
        b8:
          i19 = int_lt i9 0                            #7:85
          branch i19 b9 b10                            #7:85
        b9:
          i20 = int_neg i5                             #7:123
          i21 = int_sext16 i20                         #7:123
          goto b1(i9 i13 i21)                          #5:5
        b10:
          i22 = int_eq i9 0                            #7:102
          branch i22 b11 b12                           #7:102
        b11:
          panic division_by_zero()                     #7:102
        b12:
          i23 = int_eq i9 -1                           #7:102
          branch i23 b13 b15                           #7:102
        b13:
          i24 = int_eq i5 -32768                       #7:102
          branch i24 b14 b15                           #7:102
        b14:
          panic division_overflow()                    #7:102
        b15:
          i25 = int_div i5 i9                          #7:102
          return i25                                   #7:94
        }
        portal run
    "#]],
    );
}

#[test]
fn guards_and_ranges_share_one_switch() {
    let body = "match op { \
                    0 | 1 if n > 5 => n += 1, \
                    1..=3 => n += 2, \
                    x @ 100..=200 => n += x as i64, \
                    7 => return n, \
                    _ => op -= 1, \
                }";
    codes(
        &portal("", "mut op: u8, mut n: i64", "op, n", body),
        expect![[r#"
            code run(i0 i1) -> int in "src/main.rs" {
              regs i0 i1 i2
                0: merge_point () (i0 i1)                   {i0 i1} #6
                1: switch i0 [0: @2, 1: @9, 2: @12, 3: @12, 7: @14, else @15] {i0 i1} #7
                2: i2 = int_gt i1 5                         {i0 i1} #7
                3: branch_false i2 @6                       {i0 i1 i2} #7
                4: i1 = int_add i1 1                        {i0 i1} #7
                5: goto @0                                  {i0 i1} #7
                6: i0 = int_sub i0 1                        {i0 i1} #7
                7: i0 = int_and i0 255                      {i0 i1} #7
                8: goto @0                                  {i0 i1} #7
                9: i2 = int_gt i1 5                         {i0 i1} #7
               10: branch_false i2 @12                      {i0 i1 i2} #7
               11: goto @4                                  {i0 i1} #7
               12: i1 = int_add i1 2                        {i0 i1} #7
               13: goto @0                                  {i0 i1} #7
               14: return i1                                {i1} #7
               15: i2 = uint_ge i0 100                      {i0 i1} #7
               16: branch_false i2 @6                       {i0 i1 i2} #7
               17: i2 = uint_le i0 200                      {i0 i1} #7
               18: branch_false i2 @6                       {i0 i1 i2} #7
               19: i1 = int_add i1 i0                       {i0 i1} #7
               20: goto @0                                  {i0 i1} #7
            }
            portal run @0
        "#]],
    );
}

#[test]
fn loops_and_arrays() {
    let items = "#[unroll_safe] fn fill(stack: GcArray<Cell<i64>>, from: usize, to: usize) -> i64 { \
                     let mut total = 0; \
                     for i in from..to { stack[i].set(i as i64); if i == 77 { continue; } total += stack[i].get(); } \
                     total \
                 }";
    let body = "n = fill(stack, 0, n as usize); if n == 5 { return n; } stack = GcArray::new(n as usize, 9);";
    let params = "mut stack: GcArray<Cell<i64>>, mut n: i64";
    codes(
        &portal(items, params, "stack, n", body),
        expect![[r#"
            class GcArray<Cell<i64>> [cell int]
            code run(r0 i1) -> int in "src/main.rs" {
              regs r0 i1 i2
                0: merge_point () (r0 i1)                   {r0 i1} #6
                1: i1 = call fill(r0 0 i1)                  {r0 i1} #7
                2: i2 = int_eq i1 5                         {i1} #7
                3: branch_false i2 @5                       {i1 i2} #7
                4: return i1                                {i1} #7
                5: i2 = uint_lt i1 1099511627776            {i1} #7
                6: branch_false i2 @10                      {i1 i2} #7
                7: r0 = new_array i1 GcArray<Cell<i64>>     {i1} #7
                8: fill_items_i r0 9 GcArray<Cell<i64>>     {r0 i1} #7
                9: goto @0                                  {r0 i1} #5
               10: panic array_too_long(i1)                 {i1} #7
            }
            code fill(r0 i1 i2) -> int in "src/main.rs" {
              regs r0 i1 i2 i3 i4 i5 i6
                0: i3 = 0                                   {r0 i1 i2} #2
                1: i4 = uint_lt i1 i2                       {r0 i1 i2 i3} #2
                2: branch_false i4 @21                      {r0 i1 i2 i3 i4} #2
                3: i4 = int_add i1 1                        {r0 i1 i2 i3} #2
                4: i5 = arraylen r0 GcArray<Cell<i64>>      {r0 i1 i2 i3 i4} #2
                5: i6 = uint_lt i1 i5                       {r0 i1 i2 i3 i4 i5} #2
                6: branch_false i6 @20                      {r0 i1 i2 i3 i4 i5 i6} #2
                7: setitem_i r0 i1 i1 GcArray<Cell<i64>>    {r0 i1 i2 i3 i4} #2
                8: i5 = int_eq i1 77                        {r0 i1 i2 i3 i4} #2
                9: branch_false i5 @12                      {r0 i1 i2 i3 i4 i5} #2
               10: i1 = i4                                  {r0 i2 i3 i4} #2
               11: goto @1                                  {r0 i1 i2 i3} #2
               12: i5 = arraylen r0 GcArray<Cell<i64>>      {r0 i1 i2 i3 i4} #2
               13: i6 = uint_lt i1 i5                       {r0 i1 i2 i3 i4 i5} #2
               14: branch_false i6 @19                      {r0 i1 i2 i3 i4 i5 i6} #2
               15: i1 = getitem_i r0 i1 GcArray<Cell<i64>>  {r0 i1 i2 i3 i4} #2
               16: i3 = int_add i3 i1                       {r0 i1 i2 i3 i4} #2
               17: i1 = i4                                  {r0 i2 i3 i4} #2
               18: goto @1                                  {r0 i1 i2 i3} #2
               19: panic index_out_of_bounds(i1 i5)         {i1 i5} #2
               20: panic index_out_of_bounds(i1 i5)         {i1 i5} #2
               21: return i3                                {i3} #2
            }
            portal run @0
        "#]],
    );
}

#[test]
fn promoted_values_replace_what_was_promoted() {
    let items = "#[gc] struct Class { id: i64 } #[gc] struct Object { class: Gc<Class> }";
    let body = "let class = object.class; \
                let known = promote(class); \
                if known.id == 3 { return class.id; } \
                if we_are_jitted() { return 4; }";
    let source = portal(items, "object: Gc<Object>", "object", body);
    graphs(
        &source,
        expect![[r#"
        class Object { class: ref }
        class Class { id: int }
        graph run -> int in "src/main.rs" {
        b0(r0):
          goto b1(r0)                                  #5:5
        b1(r1):
          merge_point () (r1) b2                       #6:9
        b2:
          r2 = getfield_r r1 Object.class              #7:21
          r3 = promote r2                              #7:47
          i4 = getfield_i r3 Class.id                  #7:66
          i5 = int_eq i4 3                             #7:66
          branch i5 b3 b4                              #7:66
        b3:
          i6 = getfield_i r3 Class.id                  #7:89
          return i6                                    #7:82
        b4:
          return 4                                     #7:122
        }
        portal run
    "#]],
    );
}

#[test]
fn every_live_variable_is_green_or_red() {
    let body = "n += step; if n > limit { return n; }";
    refuses(
        &portal("", "mut n: i64, step: i64, limit: i64", "n", body),
        expect![[r#"
            error[VD0051]: variable `step` is used after `merge_point!` but is neither green nor red
             --> src/main.rs:6:9
              |
            6 |         merge_point!(greens = [], reds = [n]);
              |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            7 |         n += step; if n > limit { return n; }
              |              ---- needed here
              |
              = help: add it to `greens` if it is part of the position in the guest program, otherwise to `reds`
              = note: `verdigris error VD0051` says more

            error[VD0051]: variable `limit` is used after `merge_point!` but is neither green nor red
             --> src/main.rs:6:9
              |
            6 |         merge_point!(greens = [], reds = [n]);
              |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            7 |         n += step; if n > limit { return n; }
              |                           ----- needed here
              |
              = help: add it to `greens` if it is part of the position in the guest program, otherwise to `reds`
              = note: `verdigris error VD0051` says more"#]],
    );
}

#[test]
fn an_operation_that_the_jit_does_not_have() {
    let body = "x = !x; if x < 1.0 { return 1; }";
    refuses(
        &portal("", "mut x: f64", "x", body),
        expect![[r#"
            error[VD0041]: operator `!` is not defined on `f64`
             --> src/main.rs:7:13
              |
            7 |         x = !x; if x < 1.0 { return 1; }
              |             ^^
              |
              = note: `verdigris error VD0041` says more"#]],
    );
}

#[test]
fn a_merge_point_that_is_never_reached() {
    let source = "use verdigris::{we_are_jitted, prelude::*};\n#[portal]\nfn run(mut n: i64) -> i64 {\n    if n == n { panic!(\"no\") }\n    \
                  panic!(\"never\");\n    loop {\n        merge_point!(greens = [], reds = [n]);\n        n += 1;\n    }\n}\n";
    refuses(
        source,
        expect![[r#"
            error[VD0006]: the portal `run` has no `merge_point!`
             --> src/main.rs:3:4
              |
            3 | fn run(mut n: i64) -> i64 {
              |    ^^^
              |
              = note: there is one in the source, but it cannot be reached
              = help: make `merge_point!(greens = [..], reds = [..]);` the first statement of the interpreter's main `loop`
              = note: `verdigris error VD0006` says more"#]],
    );
}

#[test]
fn what_is_relied_on_has_its_place() {
    let items = "#[value]\n#[derive(Clone, Copy)]\npub enum Op { Add, Push(i64) }\n\
                 #[gc]\npub struct Machine {\n    pub op: Op,\n    pub version: Quasi<(i64, f64)>,\n    pub ops: GcArray<Op>,\n}\n\
                 #[elidable]\npub fn twice(x: i64) -> i64 { 2 * x }";
    let body = "if let (Op::Push(n), Op::Push(k)) = (m.op, m.ops[0]) { return twice(n) + m.version.get().0 + k; }";
    let source = portal(items, "m: Gc<Machine>", "m", body);
    let made = translate_to_unit(&[("src/main.rs", &source)]).unwrap_or_else(|e| panic!("{e}"));
    let lines: Vec<String> = (made.places.iter())
        .map(|(name, place)| format!("{name}: {place}"))
        .collect();
    expect![[r#"
        Machine.op#0: src/main.rs:7
        Machine.op#1: src/main.rs:7
        Machine.ops: src/main.rs:9
        Machine.version#0: src/main.rs:8
        Machine.version#1: src/main.rs:8
        twice: src/main.rs:12"#]]
    .assert_eq(&lines.join("\n"));
}
