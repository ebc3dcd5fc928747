//! Panics as data. In: a function. Out: its result, or what its panic says and where. Invariant:
//! nothing is printed for a panic in [`catch`]; every other panic is reported as always.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether panics of this thread are caught, and what the last one said.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Listens to panics, from the first call on.
fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let default = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let caught = CAUGHT.with_borrow_mut(|caught| match caught {
                Some(text) => {
                    *text = info.to_string();
                    true
                }
                None => false,
            });
            if !caught {
                default(info);
            }
        }));
    });
}

/// Runs `f`.
///
/// # Errors
/// The message of its panic, with the place in the source, if it panics.
pub fn catch<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    listen();
    CAUGHT.set(Some(String::new()));
    let result = panic::catch_unwind(AssertUnwindSafe(f));
    let text = CAUGHT.take().unwrap_or_default();
    result.map_err(|_| text)
}

/// Runs a guest program whose errors are panics.
///
/// # Errors
/// The message of its panic. Panics without a text are the VM's own, that its heap is used up for
/// one; they go on.
pub fn guest<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    let text = |payload: Box<dyn Any + Send>| match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => match payload.downcast::<&str>() {
            Ok(text) => text.to_string(),
            Err(payload) => panic::resume_unwind(payload),
        },
    };
    panic::catch_unwind(AssertUnwindSafe(f)).map_err(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_say_what_and_where() {
        assert_eq!(catch(|| 7), Ok(7));
        let text = catch(|| panic!("no {}", 8)).expect_err("it panics");
        assert!(
            text.contains("no 8") && text.contains("panics.rs"),
            "{text}"
        );
    }
}
