//! The table of trace operations: all data operations, and the operations that only a trace has.

use smallvec::SmallVec;
use verdigris_ops::{DataOp, DescrKind, Effect, Ty};

/// How an operation's arguments are checked and printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgShape {
    /// Arguments and result as in the table of data operations.
    Data,
    /// The arguments of its row, no result, carries resume information.
    Guard,
    /// Arguments and result as the called function's.
    Call,
    /// A record, and the number of one of its words; a result of any type.
    Hole,
    /// Any arguments; a place that `jump` can go to.
    Label,
    /// Any arguments; the end of a trace.
    End,
}

/// An argument of a guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuardParam {
    /// An integer.
    Int,
    /// A reference.
    Ref,
    /// Anything but a word of a value, since its type is not known.
    Any,
    /// A value of the type of the argument before.
    Same,
    /// A constant of the type of the argument before.
    Const,
}

/// The kind of an operation's descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpRefers {
    /// Nothing.
    Nothing,
    /// A field.
    Field,
    /// A class of structs.
    Struct,
    /// A class of arrays.
    Array,
    /// A class.
    Class,
    /// A function.
    Fn,
    /// A label.
    Label,
}

/// The action when a guard fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnFailure {
    /// The guest program is where it would be anyway: a bridge may continue from there.
    Bridge,
    /// A panic, an interrupt, the end of memory or a broken promise has to be handled first.
    Leave,
    /// The trace is no longer true: it is not entered again.
    Invalid,
}

macro_rules! trace_ops {
    (@failing) => { None };
    (@failing $failing:ident) => { Some(OnFailure::$failing) };
    ($( $variant:ident $name:literal $shape:ident ($($param:ident)*) $refers:ident $($failing:ident)? $(#[doc = $doc:literal])+ )*) => {
        /// The operation of a trace.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Opcode {
            /// A data operation.
            Data(DataOp),
            $( $(#[doc = $doc])+ $variant, )*
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
            #[inline]
            pub fn shape(self) -> ArgShape {
                match self {
                    Opcode::Data(_) => ArgShape::Data,
                    $(Opcode::$variant => ArgShape::$shape,)*
                }
            }

            /// The arguments of a guard. Other operations have their own ways.
            pub fn guard_params(self) -> &'static [GuardParam] {
                match self {
                    Opcode::Data(_) => &[],
                    $(Opcode::$variant => &[$(GuardParam::$param),*],)*
                }
            }

            /// The kind of its descriptor.
            #[inline]
            pub fn refers(self) -> OpRefers {
                match self {
                    Opcode::Data(op) => match op.descr_kind() {
                        DescrKind::None => OpRefers::Nothing,
                        DescrKind::Field => OpRefers::Field,
                        DescrKind::Class => OpRefers::Struct,
                        DescrKind::Array => OpRefers::Array,
                    },
                    $(Opcode::$variant => OpRefers::$refers,)*
                }
            }

            /// The action when it fails, if it is a guard.
            pub fn failing(self) -> Option<OnFailure> {
                match self {
                    Opcode::Data(_) => None,
                    $(Opcode::$variant => trace_ops!(@failing $($failing)?),)*
                }
            }
        }
    };
}

trace_ops! {
    GuardTrue "guard_true" Guard (Int) Nothing Bridge #[doc = "`(int)`: leaves the trace if the argument is 0."]
    GuardFalse "guard_false" Guard (Int) Nothing Bridge #[doc = "`(int)`: leaves the trace if the argument is not 0."]
    GuardValue "guard_value" Guard (Any Const) Nothing Bridge #[doc = "`(x, constant)`: leaves the trace if the two differ as words."]
    GuardClass "guard_class" Guard (Ref) Class Bridge #[doc = "`(ref)` with a class: leaves the trace if the non-null object has another class."]
    GuardNoPanic "guard_no_panic" Guard () Nothing Leave #[doc = "`()`: directly behind a residual call; leaves the trace if the call panicked."]
    GuardNotForced "guard_not_forced" Guard () Nothing Leave #[doc = "`()`: directly behind a residual call during which the code keeps virtualizable places to itself; leaves the trace if the call panicked, or if what was kept has been taken."]
    GuardNotInvalidated "guard_not_invalidated" Guard () Nothing Invalid #[doc = "`()`: behind what may write a quasi-immutable field; leaves the trace if code that assumes what the field held has been invalidated, and this trace with it."]
    GuardSame "guard_same" Guard (Any Same) Nothing Leave #[doc = "`(x, y)`: behind an operation that `check_hints` does again; leaves the trace if the result `x` is another word than `y`, which the trace was made with."]
    GuardNoSignal "guard_no_signal" Guard () Nothing Leave #[doc = "`()`: leaves the trace if an interrupt is pending."]
    GuardNotExhausted "guard_not_exhausted" Guard () Nothing Leave #[doc = "`()`: at the end of an iteration that makes objects; leaves the trace if the heap is used up, so that objects lie beyond its limit."]
    GuardRoom "guard_room" Guard (Int) Array Leave #[doc = "`(length)` with an array class: leaves the trace if there is no room for such an array, unless it is too small to be checked."]
    GuardCount "guard_count" Guard (Int) Nothing Leave #[doc = "`(record)`: counts an arrival at the place of the guest program that the record is for; leaves the trace at the last one that was to be counted."]
    Leave "leave" Guard () Nothing Bridge #[doc = "`()`: a guard that never holds, so that it ends its section: what follows is compiled when execution gets here."]
    Call "call" Call () Fn #[doc = "A residual call of the function that it refers to; as many results as the function has."]
    Hole "hole" Hole () Nothing #[doc = "`(record, n)`: the `n`-th word of a record, which never changes, but for the addresses of other records. In code that several places of the guest program share."]
    Label "label" Label () Label #[doc = "Starts a section: defines the values that `jump` passes. Values defined in other sections are not visible, so a section is compiled on its own."]
    Jump "jump" End () Label #[doc = "Continues at a label with these arguments."]
    Close "close" End () Nothing #[doc = "Closes the loop: continues at the start of the recorded trace, with these arguments."]
    Finish "finish" End () Nothing #[doc = "`(values...)`: the portal returns the components of a value."]
    Thread "thread" End () Nothing #[doc = "`(record, values...)`: goes on in the code that a record names, which takes the record and these values."]
    MergePoint "merge_point" Label () Nothing #[doc = "`(greens...)`: where in the guest program we are; does nothing."]
}

impl Opcode {
    /// The types of a guard's arguments, if the first one has this type.
    pub fn guard_types(self, first: Ty) -> SmallVec<[Ty; 2]> {
        let params = self.guard_params().iter();
        let types = params.map(|param| match param {
            GuardParam::Int => Ty::Int,
            GuardParam::Ref => Ty::Ref,
            GuardParam::Any | GuardParam::Same | GuardParam::Const => first,
        });
        types.collect()
    }

    /// Whether nothing of a section follows.
    #[inline]
    pub fn ends_section(self) -> bool {
        self.shape() == ArgShape::End || self == Opcode::Leave
    }

    /// True for guards.
    #[inline]
    pub fn is_guard(self) -> bool {
        self.shape() == ArgShape::Guard
    }

    /// The type of a data operation's result. (Calls: see the function.)
    pub fn data_ret(self) -> Option<Ty> {
        match self {
            Opcode::Data(op) => op.ret(),
            _ => None,
        }
    }

    /// Whether an operation is there for its result alone.
    #[inline]
    pub fn is_removable(self) -> bool {
        match self {
            Opcode::Data(op) => matches!(op.effect(), Effect::Pure | Effect::Read),
            other => other.shape() == ArgShape::Hole,
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
