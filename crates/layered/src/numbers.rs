//! Numbers of methods, and who needs them. Invariant: no method gets a number as long as a method,
//! or a method that links to it, holds a lease on the number.
//!
//! So a link to a method that was forgotten never leads to another one.

use crate::block_id::MethodNumber;
use std::cell::RefCell;
use std::rc::Rc;

/// The numbers that no method has.
#[derive(Clone)]
pub(crate) struct Numbers(Rc<RefCell<Pool>>);

struct Pool {
    /// Those that methods have had.
    free: Vec<MethodNumber>,
    /// The first that no method has had.
    next: Option<MethodNumber>,
}

/// A number in use.
pub(crate) struct Lease {
    pub(crate) number: MethodNumber,
    pool: Numbers,
}

impl Numbers {
    pub(crate) fn new() -> Numbers {
        Numbers(Rc::new(RefCell::new(Pool {
            free: Vec::new(),
            next: Some(MethodNumber::FIRST),
        })))
    }

    /// A number that is free; none if there is none.
    pub(crate) fn lease(&self) -> Option<Rc<Lease>> {
        let mut pool = self.0.borrow_mut();
        let number = match pool.free.pop() {
            Some(number) => number,
            None => {
                let number = pool.next?;
                pool.next = number.next();
                number
            }
        };
        Some(Rc::new(Lease {
            number,
            pool: self.clone(),
        }))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.pool.0.borrow_mut().free.push(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_used_again_when_nothing_holds_it() {
        let numbers = Numbers::new();
        let method = numbers.lease().expect("one is free");
        let number = method.number;
        let link = Rc::clone(&method);
        drop(method);
        assert_ne!(numbers.lease().expect("another is free").number, number);
        drop(link);
        assert_eq!(numbers.lease().expect("it is free").number, number);
    }

    #[test]
    fn the_engine_has_the_last_number() {
        let numbers = Numbers::new();
        let all: Vec<Rc<Lease>> = std::iter::from_fn(|| numbers.lease()).collect();
        assert_eq!(all.len(), 0xfffe);
        assert!(all.iter().all(|l| l.number != MethodNumber::ENGINE));
    }
}
