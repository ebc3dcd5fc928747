//! Units with one wrong bit: an error, or a unit that the verifier accepts, but never a panic.

use verdigris_jitcode::{Unit, UnitError, parse, print_unit, verify};

/// Something of everything that a unit can have.
const TEXT: &str = r#"
class A { x: int, y: cell ref, z#0: cell int, z#1: cell word }
class B [float]
class C [cell int]
object Obj [A]
fn g(ref) -> int opaque reads(A.y) writes(C[])
fn h(int) -> int elidable
fn from(int, ref) -> int runner
fn run(int, ref) -> int portal
policy can_never_inline h
code run(i0 r1) -> int {
      merge_point (i0) (r1)
      i2 = int_add i0 5
      switch i2 [1: @one, 2: @two, else @end]
 one: i2 = call_fn g(r1)
      i2 = promote i2
      branch_false i2 @two
      i3 = is_constant i2
      loop_header
      goto @0
 two: r5 = getfield_r r1 A.y
      f4 = 2.5
      class_switch r1 [A: @bad, else @end]
 bad: panic index_out_of_bounds(i0, i2)
 end: i2 = call f(i0)
      return i2
}
code f(i0) -> int {
      return i0
}
portal run @0
"#;

fn unit() -> Unit {
    let unit = parse(TEXT).expect("parses");
    verify(&unit).expect("is good");
    unit
}

fn flipped(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len() * 8).map(|bit| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    })
}

#[test]
fn a_wrong_bit_is_found_by_the_checksum() {
    for bytes in flipped(&unit().to_bytes()) {
        assert_eq!(Unit::from_bytes(&bytes), Err(UnitError::Damaged));
    }
}

#[test]
fn too_few_or_too_many_bytes_are_found() {
    let bytes = unit().to_bytes();
    for len in 0..bytes.len() {
        assert_eq!(Unit::from_bytes(&bytes[..len]), Err(UnitError::Damaged));
    }
    let longer = [&*bytes, &[0]].concat();
    assert_eq!(Unit::from_bytes(&longer), Err(UnitError::Damaged));
    // Without a checksum it is the sizes of the jitcodes that tell.
    for bytes in [&bytes[..bytes.len() - 1], &longer] {
        let found = Unit::from_unchecked(&bytes[Unit::CHECKSUM_BYTES..]);
        assert_eq!(found, Err(UnitError::Length));
    }
}

#[test]
fn another_format_is_named() {
    let mut bytes = unit().to_bytes()[Unit::CHECKSUM_BYTES..].to_vec();
    bytes[0] = 77;
    assert_eq!(Unit::from_unchecked(&bytes), Err(UnitError::Version(77)));
}

#[test]
fn jitcodes_are_read_when_they_are_asked_for() {
    let unit = unit();
    let (opened, shape) = Unit::open(unit.to_bytes().leak()).expect("it was just written");
    assert_eq!((opened.codes.len(), opened.codes.read()), (2, 0));
    assert_eq!(shape, unit.shape());
    assert_eq!(opened.portal(), unit.portal());
    assert_eq!(opened.codes.read(), 1);
    assert_eq!(opened, unit);
    assert_eq!(opened.codes.read(), 2);
}

#[test]
fn the_verifier_takes_whatever_has_the_format() {
    let (mut refused, mut passed) = (0, 0);
    for bytes in flipped(&unit().to_bytes()[Unit::CHECKSUM_BYTES..]) {
        let Ok(unit) = Unit::from_unchecked(&bytes) else {
            continue;
        };
        match verify(&unit) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
            Ok(()) => {
                // What passes has a text.
                parse(&print_unit(&unit)).expect("parses");
                passed += 1;
            }
        }
    }
    assert!(refused > passed && passed > 0, "{refused}, {passed}");
}
