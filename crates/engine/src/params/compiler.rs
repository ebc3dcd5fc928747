//! Which of the two compilers makes the code of a hot place of the guest program. In: a name. Out: a [`Compiler`].

/// What makes code out of the interpreter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// A run is recorded, and compiled as it went.
    #[default]
    Tracing,
    /// Loops and functions are compiled by partial evaluation of the interpreter, with all of their branches; so is what comes behind an exit of
    /// that code which is taken often.
    Specialising,
    /// Loops and functions are compiled by partial evaluation. What leaves their code often goes on in recorded bridges.
    Both,
}

impl Compiler {
    const ALL: [Compiler; 3] = [Compiler::Tracing, Compiler::Specialising, Compiler::Both];

    /// The accepted names, for messages.
    pub(crate) const NAMES: &'static str = "tracing, specialising or both";

    /// The name in parameters.
    pub const fn name(self) -> &'static str {
        match self {
            Compiler::Tracing => "tracing",
            Compiler::Specialising => "specialising",
            Compiler::Both => "both",
        }
    }

    /// The compiler with this name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn parse(name: &str) -> Result<Compiler, String> {
        let found = Compiler::ALL
            .into_iter()
            .find(|compiler| compiler.name() == name);
        found.ok_or_else(|| "there is no such compiler".to_string())
    }

    /// Whether it needs no run of a hot loop or function.
    pub(crate) fn specialises_places(self) -> bool {
        self != Compiler::Tracing
    }

    /// Whether it needs no run of what follows an exit.
    pub(crate) fn specialises_exits(self) -> bool {
        self == Compiler::Specialising
    }
}
