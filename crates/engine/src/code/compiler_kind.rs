//! The compilers of the engine.

/// A compiler of guest code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CompilerKind {
    Specialiser,
    Tracer,
    /// Threaded code: the specialiser compiles single instructions.
    Threaded,
}

impl CompilerKind {
    pub(crate) const ALL: [CompilerKind; 3] = [
        CompilerKind::Specialiser,
        CompilerKind::Tracer,
        CompilerKind::Threaded,
    ];

    /// The name of its code in statistics.
    pub(crate) fn name(self) -> &'static str {
        match self {
            CompilerKind::Specialiser => "specialised",
            CompilerKind::Tracer => "traced",
            CompilerKind::Threaded => "threaded",
        }
    }
}
