//! Which compiler makes the code of a hot place of the guest program, and how much of it at once.

use verdigris_report::CompilerKind;
use verdigris_specialise::Lazy;

/// What makes code out of the interpreter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// As [`Compiler::Tracing`], until it turns out that tracing does not suit a loop or function:
    /// then as [`Compiler::Specialising`] there.
    #[default]
    Auto,
    /// A run is recorded, and compiled as it went.
    Tracing,
    /// Loops and functions are compiled by partial evaluation of the interpreter, with all of their
    /// branches; so is what comes behind an exit of that code which is taken often.
    Specialising,
    /// Loops and functions are compiled by partial evaluation, and so is what comes where that has
    /// ended. What fails a guard in their code goes on in recorded bridges.
    Both,
    /// What is passed often runs as threaded code, and nothing is compiled beside the instructions
    /// of the guest language.
    Threaded,
}

impl Compiler {
    const ALL: [Compiler; 5] = [
        Compiler::Auto,
        Compiler::Tracing,
        Compiler::Specialising,
        Compiler::Both,
        Compiler::Threaded,
    ];

    /// The accepted names, for messages.
    pub(crate) const NAMES: &'static str = "auto, tracing, specialising, both or threaded";

    /// The name in parameters.
    pub const fn name(self) -> &'static str {
        match self {
            Compiler::Auto => "auto",
            Compiler::Tracing => "tracing",
            Compiler::Specialising => "specialising",
            Compiler::Both => "both",
            Compiler::Threaded => "threaded",
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

    /// Whether nothing comes of it unless the choice of the instruction is green.
    pub(crate) fn needs_green_dispatch(self) -> bool {
        self.specialises_places() || self.is_threaded_only()
    }

    /// Whether there is no other code than threaded code.
    pub(crate) fn is_threaded_only(self) -> bool {
        self == Compiler::Threaded
    }

    /// Whether it needs no run of a loop or function that has just become hot.
    pub(crate) fn specialises_places(self) -> bool {
        matches!(self, Compiler::Specialising | Compiler::Both)
    }

    /// Whether it needs no run of what follows an exit of code that was made so; `leaves`: the code
    /// ends there, and no guard has failed.
    pub(crate) fn specialises_exits(self, compiler: CompilerKind, leaves: bool) -> bool {
        match self {
            Compiler::Auto => compiler == CompilerKind::Specialiser,
            Compiler::Tracing | Compiler::Threaded => false,
            Compiler::Specialising => true,
            Compiler::Both => leaves,
        }
    }
}

/// Which arms of a branch or switch wait until the guest program takes them, when code is made by
/// partial evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LazyArms {
    /// None: all are compiled ahead.
    None,
    /// Those where the interpreter asks how something is represented: of switches, on the class of
    /// an object, the tag of a value, or any other integer, and of comparisons with null or with
    /// the length of an array. Of other branches both sides are compiled.
    #[default]
    Types,
    /// All.
    All,
}

impl LazyArms {
    const ALL: [LazyArms; 3] = [LazyArms::None, LazyArms::Types, LazyArms::All];

    /// The accepted names, for messages.
    pub(crate) const NAMES: &'static str = "none, types or all";

    /// The name in parameters.
    pub const fn name(self) -> &'static str {
        match self {
            LazyArms::None => "none",
            LazyArms::Types => "types",
            LazyArms::All => "all",
        }
    }

    /// The choice with this name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn parse(name: &str) -> Result<LazyArms, String> {
        let found = LazyArms::ALL.into_iter().find(|arms| arms.name() == name);
        found.ok_or_else(|| "there is no such choice".to_string())
    }

    /// What the specialiser is told.
    pub(crate) fn lazy(self) -> Lazy {
        match self {
            LazyArms::None => Lazy::None,
            LazyArms::Types => Lazy::Types,
            LazyArms::All => Lazy::All,
        }
    }
}
