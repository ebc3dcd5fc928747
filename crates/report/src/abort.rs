//! Why an attempt to compile something was given up.

use crate::named::named_enum;

named_enum! {
    /// Why an attempt to compile something was given up. The order is that of the names.
    #[derive(Default)]
    AbortReason {
        /// The backend cannot compile the trace.
        Backend = "backend",
        /// The optimiser was in use further out.
        Busy = "busy",
        /// More frames than the tracer's limit.
        TooDeep = "calls too deep",
        /// An object has a class that its `#[object]` enum does not list.
        ClassNotInEnum = "class not in the enum",
        /// The heap limit was reached.
        Exhausted = "exhausted",
        /// The loop was freed while another version of it was recorded.
        Freed = "freed",
        /// What the trace assumed does not hold any more.
        Invalidated = "invalidated",
        /// The trace has come to a loop that is not to be traced.
        NotToBeTraced = "not to be traced",
        /// The interpreter has to go on at once.
        NothingToSpecialise = "nothing to specialise",
        /// The optimiser has found an error in the trace.
        #[default]
        Optimiser = "optimiser",
        /// The traced code is about to panic.
        PanicInTracedCode = "panic in traced code",
        /// A residual call has panicked.
        Panicked = "panicked",
        /// A promotion is of an object that the trace has made.
        PromotesNew = "promotes a new object",
        /// The native stack or the shadow stack has no room for a trace. The place is not given up.
        TooLittleStack = "too little stack",
        /// More values alive at a guard than it can hand over.
        TooManyLiveValues = "too many live values",
        /// More instructions than the tracer's limit.
        TooManySteps = "too many steps",
        /// More operations than the tracer's limit.
        TraceTooLong = "trace too long",
    }
}

impl AbortReason {
    /// The reason in a sentence, with what can be done about it, where that is always the same.
    pub fn advice(self) -> &'static str {
        match self {
            AbortReason::TraceTooLong => {
                "the trace is too long: raise `trace_limit`, or mark large functions that it runs through `#[opaque]`"
            }
            AbortReason::TooManySteps => {
                "a loop on constants runs too long while tracing: mark the function with the loop `#[opaque]` or `#[elidable]`"
            }
            AbortReason::TooDeep => {
                "traced functions call each other too deeply: mark the recursive function `#[opaque]`"
            }
            AbortReason::TooManyLiveValues => {
                "too many variables are alive at one place of the trace: mark the functions with most of them `#[opaque]`"
            }
            AbortReason::PanicInTracedCode => "the interpreter panicked while it was traced",
            AbortReason::ClassNotInEnum => {
                "an object has a class that its `#[object]` enum does not list: the object has been freed while it was in use"
            }
            AbortReason::TooLittleStack => {
                "too little is left of the native stack to trace and compile on: run the VM on a thread with a larger stack"
            }
            AbortReason::NotToBeTraced => {
                "the trace leads to a loop that is not to be traced, as the function says that `#[portal(tier = ..)]` names"
            }
            AbortReason::PromotesNew => {
                "a promotion is of an object that the trace has made, which is another one each time: promote what is in the object, as in `promote(object.kind)`"
            }
            AbortReason::Panicked => "a call in it panicked",
            AbortReason::Exhausted => "the heap limit was reached",
            AbortReason::Busy => {
                "an elidable function ran the portal while the optimiser called it"
            }
            AbortReason::Invalidated => {
                "a quasi-immutable field was written while the trace was made"
            }
            AbortReason::Freed => "the loop was freed while another version of it was recorded",
            AbortReason::Backend | AbortReason::NothingToSpecialise | AbortReason::Optimiser => {
                self.name()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn reasons_are_in_the_order_of_their_names() {
        let names = AbortReason::ALL.map(AbortReason::name);
        assert!(names.is_sorted(), "{names:?}");
    }

    #[test]
    fn reasons_are_keys_of_json() {
        let counts = BTreeMap::from([(AbortReason::TraceTooLong, 2)]);
        let json = serde_json::to_string(&counts).unwrap();
        assert_eq!(json, r#"{"trace too long":2}"#);
        assert_eq!(
            serde_json::from_str::<BTreeMap<_, _>>(&json).unwrap(),
            counts
        );
    }
}
