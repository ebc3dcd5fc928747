//! The table of the graph's own operations; data operations have theirs in `verdigris-ops`.
//!
//! Printer, parser and verifier ask the table; `name` and `from_name` are inverse by
//! construction.

use std::fmt;
use verdigris_ops::{DataOp, DescrKind, Effect};

/// Where a row of the table can stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpPosition {
    /// Among the operations of a block.
    Inside,
    /// At the end of a block.
    End,
}

/// The kind of an operation's descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphDescrKind {
    /// Nothing.
    Nothing,
    /// A traced function.
    Graph,
    /// A function that is called, not traced.
    Fn,
    /// A field of a struct class.
    Field,
    /// A struct class.
    Class,
    /// An array class.
    Array,
}

/// The result of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultKind {
    /// None.
    Nothing,
    /// One of the type of its only argument.
    SameType,
    /// An integer, from its only argument.
    Int,
    /// The results of the callee.
    Callee,
}

macro_rules! control {
    ($( $variant:ident $name:literal $place:ident $gives:ident $names:ident $(#[doc = $doc:literal])+ )*) => {
        /// An operation or block end that is not a data operation: one row of the table.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Control {
            $( $(#[doc = $doc])+ $variant, )*
        }

        impl Control {
            /// Every row.
            pub const ALL: &'static [Control] = &[$(Control::$variant),*];

            /// The name in the text form.
            pub fn name(self) -> &'static str {
                match self { $(Control::$variant => $name,)* }
            }

            /// The inverse of [`Control::name`].
            pub fn from_name(name: &str) -> Option<Control> {
                match name { $($name => Some(Control::$variant),)* _ => None }
            }

            /// Where it can stand.
            pub fn place(self) -> OpPosition {
                match self { $(Control::$variant => OpPosition::$place,)* }
            }

            /// Which result it has.
            pub fn gives(self) -> ResultKind {
                match self { $(Control::$variant => ResultKind::$gives,)* }
            }

            /// The kind of its descriptor.
            pub fn names(self) -> GraphDescrKind {
                match self { $(Control::$variant => GraphDescrKind::$names,)* }
            }
        }
    };
}

control! {
    Promote "promote" Inside SameType Nothing #[doc = "The argument; in a trace it is a constant from here on."]
    IsConstant "is_constant" Inside Int Nothing #[doc = "1 if the tracer knows the argument, 0 if not and outside of traces."]
    IsVirtual "is_virtual" Inside Int Nothing #[doc = "1 if the tracer has seen the object made and not given away, 0 if not and outside of traces."]
    Concrete "concrete" Inside SameType Nothing #[doc = "The argument, which must be green; clean graphs have none."]
    Call "call" Inside Callee Graph #[doc = "Calls a traced function."]
    CallFn "call_fn" Inside Callee Fn #[doc = "Calls a function that is not traced."]
    LoopHeader "loop_header" Inside Nothing Nothing #[doc = "`can_enter_jit!`: the next merge point is a loop of the guest program."]
    Goto "goto" End Nothing Nothing #[doc = "Continues at a block."]
    Branch "branch" End Nothing Nothing #[doc = "Continues at the first block if an integer is not 0, else at the second."]
    Switch "switch" End Nothing Nothing #[doc = "Continues at the case of an integer."]
    ClassSwitch "class_switch" End Nothing Nothing #[doc = "Continues at the case of an object's class; the cases are all there can be."]
    Return "return" End Nothing Nothing #[doc = "Leaves the function."]
    Panic "panic" End Nothing Nothing #[doc = "Panics."]
    MergePoint "merge_point" End Nothing Nothing #[doc = "`merge_point!`: the block's parameters are all that is known behind it."]
}

/// The operation of an [`crate::GraphOp`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GraphOpcode {
    /// A row of the table of data operations.
    Data(DataOp),
    /// A row of this table that stands inside of a block.
    Control(Control),
}

impl GraphOpcode {
    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            GraphOpcode::Data(op) => op.name(),
            GraphOpcode::Control(op) => op.name(),
        }
    }

    /// The inverse of [`GraphOpcode::name`].
    pub fn from_name(name: &str) -> Option<GraphOpcode> {
        if let Some(op) = DataOp::from_name(name) {
            return Some(GraphOpcode::Data(op));
        }
        let op = Control::from_name(name)?;
        (op.place() == OpPosition::Inside).then_some(GraphOpcode::Control(op))
    }

    /// The kind of its descriptor.
    pub fn names(self) -> GraphDescrKind {
        match self {
            GraphOpcode::Control(op) => op.names(),
            GraphOpcode::Data(op) => match op.descr_kind() {
                DescrKind::None => GraphDescrKind::Nothing,
                DescrKind::Field => GraphDescrKind::Field,
                DescrKind::Class => GraphDescrKind::Class,
                DescrKind::Array => GraphDescrKind::Array,
            },
        }
    }

    /// Whether the operation can be dropped if nothing uses its result.
    pub fn is_removable(self) -> bool {
        match self {
            GraphOpcode::Data(op) => op.effect() != Effect::Write,
            GraphOpcode::Control(op) => matches!(op, Control::IsConstant | Control::IsVirtual),
        }
    }
}

impl fmt::Display for GraphOpcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_over_both_tables() {
        for &op in Control::ALL {
            assert_eq!(Control::from_name(op.name()), Some(op));
            assert_eq!(DataOp::from_name(op.name()), None);
            let inside = op.place() == OpPosition::Inside;
            assert_eq!(GraphOpcode::from_name(op.name()).is_some(), inside);
        }
    }
}
