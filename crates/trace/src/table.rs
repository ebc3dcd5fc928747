//! The table of trace operations: all data operations, and the operations that only a trace has.

use verdigris_ops::{DataOp, Ty};

/// How an operation's arguments are checked and printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Arguments and result as in the table of data operations.
    Data,
    /// Fixed arguments, no result, carries resume information.
    Guard,
    /// Arguments and result as the called function's.
    Call,
    /// Any arguments; a place that `jump` can go to.
    Label,
    /// Any arguments; the end of a trace.
    End,
}

macro_rules! trace_ops {
    ($( $variant:ident $name:literal $shape:ident #[doc = $doc:literal] )*) => {
        /// The operation of a trace.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Opcode {
            /// A data operation.
            Data(DataOp),
            $( #[doc = $doc] $variant, )*
        }

        impl Opcode {
            /// The operations that only a trace has.
            pub const CONTROL: &'static [Opcode] = &[$(Opcode::$variant),*];

            /// The name in the text form.
            pub fn name(self) -> &'static str {
                match self {
                    Opcode::Data(op) => op.name(),
                    $(Opcode::$variant => $name,)*
                }
            }

            /// The inverse of [`Opcode::name`].
            pub fn from_name(name: &str) -> Option<Opcode> {
                match name {
                    $($name => Some(Opcode::$variant),)*
                    _ => DataOp::from_name(name).map(Opcode::Data),
                }
            }

            /// How arguments are checked and printed.
            pub fn shape(self) -> Shape {
                match self {
                    Opcode::Data(_) => Shape::Data,
                    $(Opcode::$variant => Shape::$shape,)*
                }
            }
        }
    };
}

trace_ops! {
    GuardTrue "guard_true" Guard #[doc = "`(int)`: leaves the trace if the argument is 0."]
    GuardFalse "guard_false" Guard #[doc = "`(int)`: leaves the trace if the argument is not 0."]
    GuardValue "guard_value" Guard #[doc = "`(x, constant)`: leaves the trace if the two differ as words."]
    GuardClass "guard_class" Guard #[doc = "`(ref)` with a class: leaves the trace if the non-null object has another class."]
    GuardNoPanic "guard_no_panic" Guard #[doc = "`()`: directly behind a residual call; leaves the trace if the call panicked."]
    GuardNotForced "guard_not_forced" Guard #[doc = "`()`: directly behind a residual call during which the code keeps virtualizable places to itself; leaves the trace if the call panicked, or if somebody has taken what was kept."]
    GuardNotInvalidated "guard_not_invalidated" Guard #[doc = "`()`: behind what may write a quasi-immutable field; leaves the trace if code that assumes what the field held has been invalidated, and this trace with it."]
    GuardSame "guard_same" Guard #[doc = "`(x, y)`: behind an operation that `check_hints` does again; leaves the trace if the result `x` is another word than `y`, which the trace was made with."]
    GuardNoSignal "guard_no_signal" Guard #[doc = "`()`: leaves the trace if somebody outside wants the guest program to stop."]
    GuardNotExhausted "guard_not_exhausted" Guard #[doc = "`()`: at the end of an iteration that makes objects; leaves the trace if the heap is used up, so that objects lie beyond its limit."]
    GuardRoom "guard_room" Guard #[doc = "`(length)` with an array class: leaves the trace if there is no room for such an array, unless it is so small that nobody asks."]
    Call "call" Call #[doc = "A residual call of the function in `descr`; as many results as the function has."]
    Label "label" Label #[doc = "Starts a section: defines the values in `defs`, which `jump` passes. Values defined in other sections are not visible, so a section is compiled on its own."]
    Jump "jump" End #[doc = "Continues at the label `descr` names (`own`: at the start of the recorded trace), with these arguments."]
    Finish "finish" End #[doc = "`(values...)`: the portal returns the components of a value."]
    MergePoint "merge_point" Label #[doc = "`(greens...)`: where in the guest program we are; does nothing."]
}

impl Opcode {
    /// True for guards.
    pub fn is_guard(self) -> bool {
        self.shape() == Shape::Guard
    }

    /// The type of a data operation's result. (Calls: see the function; labels: see `defs`.)
    pub fn data_ret(self) -> Option<Ty> {
        match self {
            Opcode::Data(op) => op.ret(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &op in Opcode::CONTROL {
            assert_eq!(Opcode::from_name(op.name()), Some(op));
        }
        assert_eq!(
            Opcode::from_name("int_add"),
            Some(Opcode::Data(DataOp::IntAdd))
        );
    }
}
