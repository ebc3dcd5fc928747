//! Compilers, pieces of code, and what a VM spends time on.

use crate::named::named_enum;

named_enum! {
    /// A compiler of guest code, named by its code.
    #[derive(Default)]
    CompilerKind {
        /// Partial evaluation of the interpreter.
        Specialiser = "specialised",
        /// Recorded runs.
        #[default]
        Tracer = "traced",
        /// Threaded code: the specialiser compiles single instructions.
        Threaded = "threaded",
    }
}

named_enum! {
    /// A piece of code, by what it was compiled for.
    #[derive(Default)]
    CodeKind {
        /// A loop of the guest program.
        #[default]
        Loop = "loop",
        /// Another version of a loop.
        Version = "version",
        /// A way into other code from a loop header or function.
        Entry = "entry",
        /// The continuation of a guard.
        Bridge = "bridge",
        /// An instruction, for threaded code.
        Instruction = "instruction",
    }
}

named_enum! {
    /// What a VM spends its time on.
    Activity {
        /// Native code: the interpreter, or a function that it called.
        Interpreter = "interpreter",
        /// Compiled traces, and functions that they called.
        Traces = "traces",
        /// The same for code by partial evaluation.
        Specialised = "partial evaluation",
        /// The same for threaded code.
        Threaded = "threaded code",
        /// Rebuilding the interpreter's state behind a failed guard.
        Leaving = "leaving code",
        /// Recording a run.
        Tracing = "tracing",
        /// Optimising.
        Optimising = "optimising",
        /// Making machine code.
        Compiling = "compiling",
        /// The collector, whatever it interrupted.
        Collecting = "collecting",
    }
}

named_enum! {
    /// A kind of residual call, by what its author declared.
    CallKind {
        /// No promise.
        Opaque = "opaque",
        /// Called only if a condition holds.
        Conditional = "conditional",
        /// The same result for the same arguments.
        Elidable = "elidable",
        /// Writes nothing.
        Readonly = "readonly",
        /// The result holds for as long as the trace runs.
        Recorded = "recorded",
        /// A call of the guest program by itself.
        Portal = "portal",
    }
}

named_enum! {
    /// Why code of a place has changed.
    #[derive(Default)]
    ChangeKind {
        /// The place went over to another compiler, or back to the interpreter.
        #[default]
        Tier = "tier",
        /// A write to a quasi-immutable field invalidated the code.
        Invalidated = "invalidated",
    }
}

named_enum! {
    /// Why a place of the guest program was interpreted.
    #[derive(Default)]
    WhyInterpreted {
        /// It had not been passed often enough.
        #[default]
        Cold = "not hot yet",
        /// Compiling had cost too much, and had to wait.
        Waiting = "compiling waits",
        /// Entering its code did not pay, so the code rests.
        Resting = "code rests",
        /// Nothing is compiled there any more: attempts led to nothing, or the author says so.
        GivenUp = "given up",
    }
}

impl Activity {
    /// Whether the guest program itself runs, in whichever form.
    pub fn is_guest(self) -> bool {
        self <= Activity::Threaded
    }
}

impl CompilerKind {
    /// The time in this compiler's code.
    pub fn activity(self) -> Activity {
        match self {
            CompilerKind::Specialiser => Activity::Specialised,
            CompilerKind::Tracer => Activity::Traces,
            CompilerKind::Threaded => Activity::Threaded,
        }
    }
}
