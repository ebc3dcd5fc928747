//! Raises the panics of traced code: with rustc's message, and after the panic hook has run.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use verdigris_ops::PanicKind;

/// Panics and catches it, for the caller to resume once no frame of compiled code is left.
pub fn raise(kind: &PanicKind, args: &[u64]) -> Box<dyn Any + Send> {
    // rustc's own panics carry a `&'static str` if the message is constant, else a `String`.
    let raise = || -> () {
        match kind {
            PanicKind::Message(text) => panic_any(text.clone()),
            PanicKind::IndexOutOfBounds => panic_any(format!(
                "index out of bounds: the len is {} but the index is {}",
                args[1], args[0]
            )),
            PanicKind::DivisionByZero => panic_any("attempt to divide by zero"),
            PanicKind::RemainderByZero => {
                panic_any("attempt to calculate the remainder with a divisor of zero")
            }
            PanicKind::DivisionOverflow => panic_any("attempt to divide with overflow"),
            PanicKind::RemainderOverflow => {
                panic_any("attempt to calculate the remainder with overflow")
            }
            PanicKind::ArrayTooLong => panic_any("capacity overflow"),
        }
    };
    match catch_unwind(AssertUnwindSafe(raise)) {
        Ok(()) => unreachable!("every kind panics"),
        Err(payload) => payload,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(payload: Box<dyn Any + Send>) -> String {
        match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => (*payload.downcast::<&'static str>().unwrap()).to_owned(),
        }
    }

    /// The message of rustc's code.
    fn native(code: impl FnOnce() -> i64 + std::panic::UnwindSafe) -> String {
        message(catch_unwind(|| std::hint::black_box(code())).unwrap_err())
    }

    #[test]
    fn messages_are_those_of_native_code() {
        let array = [1, 2, 3];
        let (seven, zero, minus) = std::hint::black_box((7_usize, 0_i64, -1_i64));
        let same = |kind, args: &[u64], native| assert_eq!(message(raise(&kind, args)), native);
        same(
            PanicKind::IndexOutOfBounds,
            &[7, 3],
            native(|| array[seven]),
        );
        same(PanicKind::DivisionByZero, &[], native(|| 1 / zero));
        same(PanicKind::RemainderByZero, &[], native(|| 1 % zero));
        same(
            PanicKind::DivisionOverflow,
            &[],
            native(|| i64::MIN / minus),
        );
        same(
            PanicKind::RemainderOverflow,
            &[],
            native(|| i64::MIN % minus),
        );
        same(
            PanicKind::Message("no such opcode".into()),
            &[],
            native(|| panic!("no such opcode")),
        );
        let len = std::hint::black_box(usize::MAX);
        same(
            PanicKind::ArrayTooLong,
            &[0],
            native(|| Vec::<u64>::with_capacity(len).len() as i64),
        );
    }
}
