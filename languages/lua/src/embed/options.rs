//! What a machine is told when it is made.

use super::{Error, Result};
use crate::native::names::{self, NAMES};
use std::fmt;
use std::io::Write;
use std::ops::BitOr;
use verdigris::Options;

/// Parts of the standard library. What every program has, such as `print`, `pcall` and `load` of a
/// text, is none of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StdLib(u32);

impl StdLib {
    /// None of them.
    pub const NONE: StdLib = StdLib(0);
    /// `coroutine`
    pub const COROUTINE: StdLib = StdLib(1);
    /// `table`
    pub const TABLE: StdLib = StdLib(1 << 1);
    /// `string`
    pub const STRING: StdLib = StdLib(1 << 2);
    /// `utf8`
    pub const UTF8: StdLib = StdLib(1 << 3);
    /// `math`
    pub const MATH: StdLib = StdLib(1 << 4);
    /// `os.clock`, `os.date`, `os.difftime` and `os.time`
    pub const TIME: StdLib = StdLib(1 << 5);
    /// All of `os`, which can end the process.
    pub const OS: StdLib = StdLib(1 << 6 | 1 << 5);
    /// `io`
    pub const IO: StdLib = StdLib(1 << 7);
    /// `package`, `require`, `loadfile` and `dofile`
    pub const PACKAGE: StdLib = StdLib(1 << 8);
    /// `debug`
    pub const DEBUG: StdLib = StdLib(1 << 9);
    /// All that there is.
    pub const ALL: StdLib = StdLib((1 << 10) - 1);
    /// What does not leave the machine: no files, no commands, no environment, no `debug`.
    pub const SANDBOX: StdLib = StdLib((1 << 6) - 1);

    /// Whether all of these parts are there.
    pub fn contains(self, parts: StdLib) -> bool {
        self.0 & parts.0 == parts.0
    }

    /// The functions that are not there, with their tables.
    pub(crate) fn left_out(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let has = move |id: usize, table: &str| {
            self.contains(match (table, id) {
                ("coroutine", _) => StdLib::COROUTINE,
                ("table", _) => StdLib::TABLE,
                ("string", _) => StdLib::STRING,
                ("utf8", _) => StdLib::UTF8,
                ("math", _) => StdLib::MATH,
                ("io", _) => StdLib::IO,
                ("debug", _) => StdLib::DEBUG,
                (_, names::OS_CLOCK | names::OS_DATE | names::OS_DIFFTIME | names::OS_TIME) => {
                    StdLib::TIME
                }
                ("os", _) => StdLib::OS,
                ("package", _) | (_, names::REQUIRE | names::LOADFILE | names::DOFILE) => {
                    StdLib::PACKAGE
                }
                _ => StdLib::NONE,
            })
        };
        let all = NAMES.iter().copied().enumerate();
        all.filter_map(move |(id, (table, name))| (!has(id, table)).then_some((table, name)))
    }

    /// The tables that are not there at all.
    pub(crate) fn tables_left_out(self) -> impl Iterator<Item = &'static str> {
        let tables = [
            (StdLib::COROUTINE, "coroutine"),
            (StdLib::TABLE, "table"),
            (StdLib::STRING, "string"),
            (StdLib::UTF8, "utf8"),
            (StdLib::MATH, "math"),
            (StdLib::TIME, "os"),
            (StdLib::IO, "io"),
            (StdLib::PACKAGE, "package"),
            (StdLib::DEBUG, "debug"),
        ];
        let out = tables
            .into_iter()
            .filter(move |(part, _)| !self.contains(*part));
        out.map(|(_, name)| name)
    }
}

impl BitOr for StdLib {
    type Output = StdLib;

    fn bitor(self, other: StdLib) -> StdLib {
        StdLib(self.0 | other.0)
    }
}

/// What a machine is told when it is made, by [`Lua::with`](super::Lua::with). The defaults: the
/// whole library, 4 GB of memory, as many calls within each other as the stack of the thread has
/// room for, no limit on instructions, output to the standard output of the process.
#[must_use]
#[derive(Default)]
pub struct LuaOptions {
    pub(super) vm: Options,
    pub(super) max_depth: Option<u32>,
    pub(super) libraries: Option<StdLib>,
    pub(super) instructions: u64,
    pub(super) output: Option<Box<dyn Write>>,
}

impl LuaOptions {
    /// The defaults.
    pub fn new() -> LuaOptions {
        LuaOptions::default()
    }

    /// With these parameters of the JIT, such as `off` or `threshold=7`.
    ///
    /// # Errors
    /// If they make no sense.
    pub fn jit(mut self, parameters: &str) -> Result<LuaOptions> {
        let parsed = Options::parse(parameters);
        self.vm.jit = parsed
            .map_err(|error| Error::Options(error.to_string()))?
            .jit;
        Ok(self)
    }

    /// With these options of the VM, in place of all that was said of it before.
    pub fn vm(mut self, options: Options) -> LuaOptions {
        self.vm = options;
        self
    }

    /// With so many bytes of memory for all objects: what needs more is an error, which `pcall`
    /// catches. What the program keeps then counts on; a new machine needs less than a megabyte.
    pub fn memory_limit(mut self, bytes: usize) -> LuaOptions {
        self.vm.heap.limit = bytes;
        self
    }

    /// With at most so many calls within each other. If the native stack has less room, that is the
    /// limit; either is the error "stack overflow".
    pub fn max_depth(mut self, calls: u32) -> LuaOptions {
        self.max_depth = Some(calls);
        self
    }

    /// With these parts of the standard library.
    pub fn libraries(mut self, parts: StdLib) -> LuaOptions {
        self.libraries = Some(parts);
        self
    }

    /// With a limit for each call from Rust, see
    /// [`Lua::set_instruction_limit`](super::Lua::set_instruction_limit).
    pub fn instruction_limit(mut self, instructions: u64) -> LuaOptions {
        self.instructions = instructions;
        self
    }

    /// With a writer for what the program prints, in place of standard output.
    pub fn output(mut self, output: impl Write + 'static) -> LuaOptions {
        self.output = Some(Box::new(output));
        self
    }
}

impl fmt::Debug for LuaOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LuaOptions")
            .field("vm", &self.vm)
            .field("max_depth", &self.max_depth)
            .field("libraries", &self.libraries)
            .field("instructions", &self.instructions)
            .finish_non_exhaustive()
    }
}
