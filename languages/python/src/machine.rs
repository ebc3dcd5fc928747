//! The machine: a VM with Python on it, on a native stack that is large enough. In: parameters, a
//! program, arguments. Out: output, and how it ended. Invariant: whatever the program does, the
//! outcome is a value; a program that calls too deeply gets a `RecursionError` at the depth that it
//! has asked for, not an accident of the native stack.

use crate::bytecode::code::CompiledCode;
use crate::bytecode::source::Source;
use crate::compile::entry;
use crate::ended;
use crate::heap::exception::Thrown;
use crate::heap::function::Code;
use crate::heap::world::World;
use crate::load;
use crate::output;
use crate::run::objects::{finalize, import};
use crate::session::{AT_END, Session};
use crate::setup::{self, Setup};
use std::rc::Rc;
use verdigris::prelude::*;

/// How deep calls may be within each other unless the program says otherwise, as in CPython.
pub const DEFAULT_DEPTH: i64 = 1000;

/// Bytes of native stack for each call. Guest calls are calls of the interpreter, of compiled code,
/// or of the blackhole, whose frames are larger than this crate can know; what builtin functions
/// call takes two of them.
pub const STACK_PER_CALL: usize = 24 << 10;

/// Bytes of native stack beside those: what the system, the tracer and the compiler use.
pub const STACK_BASE: usize = 32 << 20;

/// Bytes of native stack for each thread of a program, which calls as deeply as its first one does
/// unless it has asked for more. They cost what is touched of them.
pub const THREAD_STACK: usize = DEFAULT_DEPTH as usize * STACK_PER_CALL + (8 << 20);

/// Bytes that a program's heap may grow to, unless the options say otherwise.
pub const HEAP_LIMIT: usize = 4 << 30;

/// How a program has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// What it has printed, if that was captured.
    pub output: String,
    /// What it has printed on standard error, if that was captured.
    pub errors: String,
    /// What is to be said of its end: the traceback of an exception that nothing has caught.
    pub error: Option<String>,
    /// The exit status.
    pub status: u8,
}

/// A program that has been compiled.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// Its code.
    pub code: CompiledCode,
    /// Its text.
    pub text: String,
    /// The name of its file.
    pub file: String,
}

/// Compiles a program.
///
/// # Errors
/// What is wrong with it, as CPython shows it.
pub fn compile(bytes: &[u8], file: &str) -> Result<Program, String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(format!(
            "  File \"{file}\"\nSyntaxError: the file is not UTF-8\n"
        ));
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match entry::module(text) {
        Ok(code) => Ok(Program {
            code,
            text: text.to_string(),
            file: file.to_string(),
        }),
        Err(error) => Err(Source::new(text).show(file, &error)),
    }
}

/// Runs `f` on a thread whose stack has room for calls of this depth. Machines belong to the thread
/// that makes them, so `f` makes its own.
///
/// # Errors
/// If the system does not give a stack of this size.
///
/// # Panics
/// If `f` does.
pub fn on_stack<R: Send>(max_depth: i64, f: impl FnOnce() -> R + Send) -> Result<R, String> {
    // Named here and not by `use`: what functions of this module may do is read off their source,
    // and a crate that the translator cannot read may do anything.
    let stack = language_support::stack::NativeStack {
        name: "python",
        per_call: STACK_PER_CALL,
        base: STACK_BASE,
    };
    stack.run(max_depth, f)
}

/// A VM for Python.
pub struct Machine {
    vm: Vm,
}

impl Machine {
    /// A machine with these options. The heap is bounded by [`HEAP_LIMIT`], or by the parameter
    /// `heap_limit`.
    ///
    /// # Errors
    /// If the VM cannot be made; see [`Vm::new`].
    pub fn new(mut options: Options) -> Result<Machine, String> {
        options.coroutine_stack.get_or_insert(THREAD_STACK);
        let program = crate::jit::program();
        let vm = language_support::machine::vm(program, options, HEAP_LIMIT)?;
        Ok(Machine { vm })
    }

    /// The VM, for its statistics and traces.
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// Runs a program.
    pub fn run(&self, program: &Program, setup: &Setup, capture: bool) -> Outcome {
        output::begin(capture);
        let ended = self.enter(program, setup, |loaded| loaded.run());
        let written = output::finish();
        let mut outcome = Outcome {
            output: String::new(),
            errors: String::new(),
            error: None,
            status: 0,
        };
        match ended {
            Ok((error, status)) => (outcome.error, outcome.status) = (error, status),
            Err(stopped) => (outcome.error, outcome.status) = (Some(stopped), 1),
        }
        match written {
            Ok((output, errors)) => {
                outcome.output = String::from_utf8_lossy(&output).into_owned();
                outcome.errors = String::from_utf8_lossy(&errors).into_owned();
            }
            Err(error) => {
                let message = format!("cannot write the output: {error}\n");
                outcome.error.get_or_insert(message);
                outcome.status = 1;
            }
        }
        outcome
    }

    /// Loads a program in a new world and hands it to `f`, which may run it many times: the JIT
    /// keeps what it compiled, globals keep what they hold.
    ///
    /// # Errors
    /// If the heap or the native stack is used up.
    pub fn enter<R: Unpin>(
        &self,
        program: &Program,
        setup: &Setup,
        f: impl FnOnce(&Loaded) -> R,
    ) -> Result<R, String> {
        let entered = self.vm.try_enter(|| {
            let world = setup::world(setup);
            let source = Source::new(&program.text);
            let module = import::new_module(world, "__main__", &program.file, &program.text);
            import::keep(world, module);
            let code = load::code(world, module, &source, &program.code);
            import::document(module, code);
            f(&Loaded { world, code })
        });
        entered.map_err(|stopped| format!("{}: {stopped}\n", program.file))
    }
}

impl Machine {
    /// Makes a new world for a session, whose output goes to standard output. An interrupt of the
    /// VM is an exception of its programs.
    ///
    /// # Errors
    /// If the heap or the native stack is used up, or if standard output cannot be written.
    pub fn session<R: Unpin>(
        &self,
        setup: &Setup,
        f: impl FnOnce(&Session) -> R,
    ) -> Result<R, String> {
        output::begin(false);
        let entered = self.vm.try_enter(|| {
            let session = Session::new(setup::world(setup));
            self.vm.on_interrupt(Some(Rc::new(session.interrupter())));
            let result = f(&session);
            session.end();
            result
        });
        self.vm.on_interrupt(None);
        let written = output::finish();
        let result = entered.map_err(|stopped| format!("{stopped}\n"))?;
        written.map_err(|error| format!("cannot write the output: {error}\n"))?;
        Ok(result)
    }
}

/// A program in the heap of the VM that has been entered. It stays where the collector sees it: on
/// the stack.
pub struct Loaded {
    world: Gc<World>,
    code: Gc<Code>,
}

impl Loaded {
    /// Runs the program. What is to be said of its end, and its exit status.
    pub fn run(&self) -> (Option<String>, u8) {
        let ended = match import::run(self.code, 0) {
            Ok(()) => (None, 0),
            Err(thrown) => self.ended(thrown),
        };
        for (module, function) in AT_END {
            if import::is_known(self.world, module)
                && let Err(thrown) = import::call(self.world, module, function, &[], 0)
            {
                return self.ended(thrown);
            }
        }
        if let Err(thrown) = finalize::end(self.world) {
            return self.ended(thrown);
        }
        ended
    }

    fn ended(&self, thrown: Thrown) -> (Option<String>, u8) {
        let ended = ended::of(self.world, thrown);
        (ended.error, ended.status)
    }
}
