//! Compiled functions as Rust data. In: what the compiler finds. Out: what [`crate::load`] takes to
//! the heap, and [`super::dis`] prints. Invariant: it has no references to the heap of a VM.

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Const {
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// A boolean.
    Bool(bool),
    /// A small integer.
    Int(i64),
    /// A large integer, in decimal digits.
    Big(String),
    /// A float.
    Float(f64),
    /// A string.
    Str(String),
    /// A string of bytes.
    Bytes(Vec<u8>),
    /// A complex number: both parts.
    Complex(f64, f64),
    /// A tuple of constants.
    Tuple(Vec<Const>),
}

/// What a call of code makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// Nothing: it runs.
    #[default]
    Plain,
    /// A generator.
    Generator,
    /// A coroutine.
    Coroutine,
    /// An asynchronous generator.
    AsyncGenerator,
}

/// Where a closure takes a shared variable from when it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    /// A register of the function around it, which holds a shared variable.
    Register(usize),
    /// A shared variable of the function around it.
    Free(usize),
}

/// From `start` to before `end`, exceptions are caught: the one that is caught is put into a
/// register, and `target` goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// The first instruction.
    pub start: usize,
    /// The one behind the last.
    pub end: usize,
    /// Where it goes on.
    pub target: usize,
    /// The register.
    pub register: usize,
}

/// A compiled function, class body, comprehension, or module.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CompiledCode {
    /// Its name.
    pub name: String,
    /// Its name with those of what is around it.
    pub qualname: String,
    /// The line where it begins.
    pub first_line: u32,
    /// The instructions.
    pub code: Vec<u64>,
    /// For each, from where to where in the text it comes: offsets in bytes.
    pub places: Vec<(u32, u32)>,
    /// The constants.
    pub consts: Vec<Const>,
    /// The names of attributes and variables.
    pub names: Vec<String>,
    /// The names of globals.
    pub globals: Vec<String>,
    /// The names of the keywords of calls.
    pub keywords: Vec<Vec<String>>,
    /// The functions in it.
    pub protos: Vec<CompiledCode>,
    /// From where its closures take their shared variables.
    pub captures: Vec<Capture>,
    /// The names of these.
    pub free_names: Vec<String>,
    /// How many parameters can be given by position.
    pub params: usize,
    /// How many of them by position only.
    pub positional_only: usize,
    /// How many parameters can be given by keyword only.
    pub keyword_only: usize,
    /// Whether there is `*args`.
    pub star: bool,
    /// Whether there is `**kwargs`.
    pub double_star: bool,
    /// The names of the registers that are variables; the parameters come first: by position, by
    /// keyword, `*args`, `**kwargs`.
    pub locals: Vec<String>,
    /// How many registers there are.
    pub registers: usize,
    /// What catches exceptions, the innermost first.
    pub handlers: Vec<Handler>,
    /// What calls make.
    pub kind: Kind,
    /// Its documentation.
    pub doc: Option<String>,
}
