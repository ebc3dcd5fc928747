//! Stencils of a small register machine, and the records of positions that share them.

use crate::support::{Guest, PROGRAM};
use expect_test::{Expect, expect};

/// Registers are named by operands: `0 d a b` adds, `1 a t` jumps to `t` if a register is positive,
/// `2 d a` looks at what a register holds, `3 a` returns.
const MACHINE: &str = "
    class Code [int]
    class Registers [cell int]
    fn record_of(int, ref) -> int opaque reads() writes()
    fn run(int, ref, int, ref) -> int opaque
    code step(i0 r1 r2) -> int {
        head: merge_point (i0 r1) (r2)
        i3 = getitem_i r1 i0 Code
        i0 = int_add i0 1
        switch i3 [0: @add, 1: @jump, 2: @look, else @return]
        add: i3 = getitem_i r1 i0 Code
        i0 = int_add i0 1
        i4 = getitem_i r1 i0 Code
        i0 = int_add i0 1
        i5 = getitem_i r1 i0 Code
        i0 = int_add i0 1
        i4 = getitem_i r2 i4 Registers
        i5 = getitem_i r2 i5 Registers
        i4 = int_add i4 i5
        setitem_i r2 i3 i4 Registers
        goto @head
        jump: i3 = getitem_i r1 i0 Code
        i0 = int_add i0 1
        i4 = getitem_i r1 i0 Code
        i0 = int_add i0 1
        i3 = getitem_i r2 i3 Registers
        i3 = int_gt i3 0
        branch_false i3 @head
        i0 = i4
        loop_header
        goto @head
        look: i3 = getitem_i r1 i0 Code
        i0 = int_add i0 1
        i4 = getitem_i r1 i0 Code
        i0 = int_add i0 1
        i4 = getitem_i r2 i4 Registers
        switch i4 [5: @five, 6: @six, else @head]
        five: setitem_i r2 i3 50 Registers
        goto @head
        six: setitem_i r2 i3 60 Registers
        goto @head
        return: i3 = getitem_i r1 i0 Code
        i3 = getitem_i r2 i3 Registers
        return i3
    }
    portal step @0";

/// `2 = 0 + 1; 3 = 2 + 0; jump to 0 if 3 > 0; look at 1; return 3`
const PROGRAM_WORDS: &[i64] = &[0, 2, 0, 1, 0, 3, 2, 0, 1, 3, 0, 2, 4, 1, 3, 3];

fn guest() -> Guest {
    Guest::new(MACHINE, PROGRAM_WORDS, "all")
}

/// The code for the instruction at `pc`, and what the places at `others` have in their records for
/// it.
fn check(pc: u64, others: &[u64], expected: Expect) {
    let mut guest = guest();
    let (piece, decoder) = guest.stencil(&[pc, PROGRAM], 0);
    let mut text = piece.text.clone();
    for &other in others {
        let decoded = guest.decode(&decoder, &[other, PROGRAM]);
        let shown = decoded.map_or("has other code".to_owned(), |decoded| {
            let holes = decoded.holes.iter();
            let holes = holes.map(|(slot, word, _)| format!("{slot}: {word}"));
            let next = decoded.successors.iter();
            let next = next.map(|(slot, greens)| format!("{slot}: record of {}", greens[0]));
            holes.chain(next).collect::<Vec<_>>().join(", ")
        });
        text += &format!("place {other}: {shown}\n");
    }
    expected.assert_eq(&text);
    // The same place gives the same code.
    assert_eq!(self::guest().stencil(&[pc, PROGRAM], 0).0.text, piece.text);
}

/// Both additions have this code. Reading the operands is no part of it.
#[test]
fn places_share_the_code_of_their_instruction() {
    check(
        0,
        &[0, 4, 8],
        expect![[r#"
        [i0, p1]
        label L0(i0, p1)
        i2 = hole(i0, 4)
        i3 = getitem_i(p1, i2) Registers
        i4 = hole(i0, 5)
        i5 = getitem_i(p1, i4) Registers
        i6 = int_add(i3, i5)
        i7 = hole(i0, 6)
        setitem_i(p1, i7, i6) Registers
        i8 = hole(i0, 7)
        thread(i8, p1)
        place 0: 2: 0, 3: 4096, 4: 0, 5: 1, 6: 2, 7: record of 4
        place 4: 2: 4, 3: 4096, 4: 2, 5: 0, 6: 3, 7: record of 8
        place 8: has other code
    "#]],
    );
}

/// Which way a jump goes, its code decides; where the two ways lead is in the record.
#[test]
fn a_jump_leads_to_two_records() {
    check(
        8,
        &[8, 0],
        expect![[r#"
        [i0, p1]
        label L0(i0, p1)
        i2 = hole(i0, 4)
        i3 = getitem_i(p1, i2) Registers
        i4 = int_gt(i3, 0)
        guard_true(i4) => L1(i0, p1)
        i5 = hole(i0, 5)
        p6 = hole(i0, 3)
        guard_no_signal()
          -> [i5, p6, p1]
          @ 0:0 r0=i5 r1=p6 r2=p1
        i7 = hole(i0, 6)
        guard_count(i7)
          -> [i5, p6, p1]
          @ 0:0 r0=i5 r1=p6 r2=p1
        thread(i7, p1)
        label L1(i8, p9)
        i10 = hole(i8, 7)
        thread(i10, p9)
        place 8: 2: 8, 3: 4096, 4: 3, 5: 0, 6: record of 0, 7: record of 11
        place 0: has other code
    "#]],
    );
}

/// A returned value is no position of the guest program.
#[test]
fn an_activation_ends() {
    check(
        14,
        &[14],
        expect![[r#"
        [i0, p1]
        label L0(i0, p1)
        i2 = hole(i0, 4)
        i3 = getitem_i(p1, i2) Registers
        finish(i3)
        place 14: 2: 14, 3: 4096, 4: 3
    "#]],
    );
}

/// What was not decided waits: the arms that have come are in the code that is made next, for all
/// places.
#[test]
fn arms_are_learnt() {
    let mut guest = guest();
    let look = [11, PROGRAM];
    let (piece, _) = guest.stencil(&look, 0);
    assert_eq!(piece.left, ["arm that was not taken yet: 1"]);
    assert!(guest.learn(&piece, 0, 6));
    assert!(!guest.learn(&piece, 0, 6), "it is known now");
    let (piece, _) = guest.stencil(&look, 0);
    assert_eq!(piece.left, [""; 0]);
    assert_eq!(piece.all("guard_value"), ["guard_value(i3, 6)"]);
    assert!(guest.learn(&piece, 0, 7));
    let (piece, _) = guest.stencil(&look, 0);
    assert_eq!(piece.all("thread").len(), 2);
    let (other, _) = guest.stencil(&look, 1);
    assert_eq!(
        other.left,
        ["arm that was not taken yet: 1"],
        "another instruction has its own"
    );
}
