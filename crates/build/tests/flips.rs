//! TLC's unit with one wrong bit: an error, or a unit that the verifier accepts, but never a panic.
//! `crates/jitcode/tests/flips.rs` does it with every bit of a small unit.

use std::path::Path;
use verdigris_build::translate_crate;
use verdigris_jitcode::{Unit, UnitError, verify};

#[test]
fn a_wrong_bit_is_found_and_the_verifier_takes_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages/tlc/src/lib.rs");
    let made = translate_crate(&root).unwrap_or_else(|e| panic!("{e}"));
    let mut bytes = made.unit.to_bytes();
    assert_eq!(Unit::from_bytes(&bytes), Ok(made.unit));
    let (mut tried, mut refused) = (0, 0);
    // A prime, so that all bits of bytes are met.
    for bit in (0..bytes.len() * 8).step_by(211) {
        let (at, mask) = (bit / 8, 1 << (bit % 8));
        bytes[at] ^= mask;
        assert_eq!(Unit::from_bytes(&bytes), Err(UnitError::Damaged));
        tried += 1;
        let unit = Unit::from_unchecked(&bytes[Unit::CHECKSUM_BYTES..]);
        refused += usize::from(unit.is_ok_and(|unit| verify(&unit).is_err()));
        bytes[at] ^= mask;
    }
    assert!(refused * 10 > tried, "{refused} of {tried}");
}
