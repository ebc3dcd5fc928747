//! The machine: a VM with the boxed numbers on it. In: parameters and a number. Out: `f` of the
//! number, and what the JIT compiled. Invariant: a number for which `f` might never end is refused
//! before `f` is called.

use crate::boxed::{Base, BaseKind, BoxedFloat, BoxedInteger, Methods, f};
use crate::number::Number;
use verdigris::{Options, Vm};

/// The largest float that counts down: above it, some floats are what they were when 1 is
/// subtracted.
const LARGEST_COUNTER: f64 = 9_007_199_254_740_992.0;

/// A VM for boxed numbers. It keeps what it has compiled from one run to the next.
pub struct Machine {
    vm: Vm,
}

impl Machine {
    /// A machine with these options.
    ///
    /// # Errors
    /// If the VM cannot be made; see [`Vm::new`].
    pub fn new(options: Options) -> Result<Machine, String> {
        let vm = Vm::new(crate::jit::program(), options).map_err(|error| error.to_string())?;
        Ok(Machine { vm })
    }

    /// The result of `f`.
    ///
    /// # Errors
    /// If `f` might never end, or the heap is used up.
    pub fn run(&self, y: Number) -> Result<Number, String> {
        if let Number::Float(value) = y
            && value > LARGEST_COUNTER
        {
            return Err(format!(
                "f({y}) may never end: a float above 2^53 can be too large to change when 1 is subtracted"
            ));
        }
        let run = || unboxed(f(boxed(y)));
        self.vm
            .try_enter(run)
            .map_err(|stopped| stopped.to_string())
    }

    /// The sum of two numbers, as the double dispatch of the boxes has it. It is not compiled.
    ///
    /// # Errors
    /// If the heap is used up.
    pub fn add(&self, left: Number, right: Number) -> Result<Number, String> {
        let run = || unboxed(boxed(left).add(boxed(right)));
        self.vm
            .try_enter(run)
            .map_err(|stopped| stopped.to_string())
    }

    /// The VM, for its statistics and traces.
    pub fn vm(&self) -> &Vm {
        &self.vm
    }
}

fn boxed(number: Number) -> Base {
    match number {
        Number::Integer(value) => BoxedInteger::boxed(value),
        Number::Float(value) => BoxedFloat::boxed(value),
    }
}

fn unboxed(number: Base) -> Number {
    match number.kind() {
        BaseKind::Integer(number) => Number::Integer(number.intval),
        BaseKind::Float(number) => Number::Float(number.floatval),
    }
}
