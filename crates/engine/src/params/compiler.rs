//! Which of the two compilers makes the code of a hot place of the guest program. In: a name. Out: a [`Compiler`].

/// What makes code out of the interpreter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// A run is recorded, and compiled as it went.
    #[default]
    Tracing,
    /// Loops and functions are compiled by partial evaluation of the interpreter, with all of their branches. What leaves their code often goes on
    /// in recorded bridges.
    Both,
}

impl Compiler {
    /// The accepted names, for messages.
    pub(crate) const NAMES: &'static str = "tracing or both";

    /// The name in parameters.
    pub const fn name(self) -> &'static str {
        match self {
            Compiler::Tracing => "tracing",
            Compiler::Both => "both",
        }
    }

    /// The compiler with this name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn parse(name: &str) -> Result<Compiler, String> {
        let all = [Compiler::Tracing, Compiler::Both];
        let found = all.into_iter().find(|compiler| compiler.name() == name);
        found.ok_or_else(|| format!("neither {}", Compiler::NAMES.replace(" or ", " nor ")))
    }
}
