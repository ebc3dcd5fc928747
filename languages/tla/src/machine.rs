//! The machine: a VM with TLA on it, on a native stack that is large enough. In: parameters, an
//! [`Image`], arguments. Out: results, and errors as text. Invariant: whatever the program does,
//! the outcome is a value; a program that calls too deeply gets the interpreter's own fault at the
//! depth that was asked for, not an accident of the native stack.

use crate::asm::assemble;
use crate::image::Image;
use crate::interp;
use crate::level::Level;
use crate::object::{Code, Function, Obj, ObjKind, Stack, int, show};
use language_support::stack::NativeStack;
use verdigris::{Options, Vm};
use verdigris::{Str, prelude::*};

/// How many calls can be within each other, unless the user says otherwise.
pub const MAX_DEPTH: i64 = 100_000;

/// Bytes of native stack for each call. Guest calls are calls of the interpreter, of compiled code,
/// or of the blackhole, whose frames are larger than this crate can know; the test `tests/depth.rs`
/// measures that this is enough for each of them.
pub const STACK_PER_CALL: usize = 8 << 10;

/// Bytes of native stack beside those: what the system, the tracer and the compiler use.
pub const STACK_BASE: usize = 16 << 20;

/// Bytes that a program's heap may grow to, unless the options say otherwise.
pub const HEAP_LIMIT: usize = 4 << 30;

/// Assembles a text.
///
/// # Errors
/// One line per error, as `file:line: message`.
pub fn load(text: &str, file: &str) -> Result<Image, String> {
    assemble(text, file).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(|e| format!("{file}:{e}")).collect();
        lines.join("\n")
    })
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
    let stack = NativeStack {
        name: "tla",
        per_call: STACK_PER_CALL,
        base: STACK_BASE,
    };
    stack.run(max_depth, f)
}

/// A VM for TLA.
pub struct Machine {
    vm: Vm,
    max_depth: i64,
    main: Level,
}

impl Machine {
    /// A machine with these options. The heap is bounded by [`HEAP_LIMIT`], or by the parameter
    /// `heap_limit`.
    ///
    /// # Errors
    /// If the VM cannot be made; see [`Vm::new`].
    pub fn new(options: Options, max_depth: i64) -> Result<Machine, String> {
        let vm = language_support::machine::vm(crate::jit::program(), options, HEAP_LIMIT)?;
        Ok(Machine {
            vm,
            max_depth,
            main: Level::Any,
        })
    }

    /// The same machine, running the first function of programs on this level instead of
    /// [`Level::Any`].
    pub fn with_main_level(self, main: Level) -> Machine {
        Machine { main, ..self }
    }

    /// The VM, for its statistics and traces.
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// Runs a program once; its result as text.
    ///
    /// # Errors
    /// The fault that the program ends with, as `file:line: message`, or what it has used up.
    pub fn run(&self, image: &Image, args: &[i64]) -> Result<String, String> {
        self.enter(image, |program| program.run(args).map(show))?
    }

    /// Loads a program and hands it to `f`, which may run it many times: the JIT keeps what it
    /// compiled.
    ///
    /// # Errors
    /// If the heap or the native stack is used up.
    pub fn enter<R: Unpin>(
        &self,
        image: &Image,
        f: impl FnOnce(&Loaded) -> R,
    ) -> Result<R, String> {
        let entered = self.vm.try_enter(|| {
            let code = load_code(image, self.max_depth);
            let main = self.main;
            f(&Loaded { code, image, main })
        });
        entered.map_err(|stopped| format!("{}: {stopped}", image.file))
    }
}

/// A program in the heap of the VM that has been entered. It stays where the collector sees it: on
/// the stack.
pub struct Loaded<'a> {
    code: Gc<Code>,
    image: &'a Image,
    main: Level,
}

impl Loaded<'_> {
    /// Runs the program.
    ///
    /// # Errors
    /// The fault that the program ends with, as `file:line: message`; or a number of arguments that
    /// it does not take.
    pub fn run(&self, args: &[i64]) -> Result<Obj, String> {
        self.run_on(self.stack(args)?)
    }

    /// The stack of the first function, called with these arguments.
    ///
    /// # Errors
    /// If it takes fewer or more.
    pub fn stack(&self, args: &[i64]) -> Result<Stack, String> {
        let main = self.code.functions[0];
        if main.params != args.len() {
            let (file, name) = (&self.image.file, &self.image.functions[0].name);
            return Err(format!(
                "{file}: `{name}` takes {} arguments, and {} are given",
                main.params,
                args.len()
            ));
        }
        let stack = Stack::new(main.slots, self.code.nothing);
        for (index, &arg) in args.iter().enumerate() {
            stack[index].set(int(arg));
        }
        Ok(stack)
    }

    /// Runs the program on a stack that [`Loaded::stack`] has made. What the program leaves there
    /// can be looked at afterwards, also if it ends with a fault.
    ///
    /// # Errors
    /// The fault that the program ends with, as `file:line: message`.
    pub fn run_on(&self, stack: Stack) -> Result<Obj, String> {
        let start = self.code.functions[0].start;
        let result = interp::run(self.code, start, self.main, stack, 0);
        result.map_err(|fault| fault.render(self.image))
    }

    /// Runs a program whose result is an integer.
    ///
    /// # Errors
    /// As [`Loaded::run`], and if the result is no integer.
    pub fn run_to_int(&self, args: &[i64]) -> Result<i64, String> {
        match self.run(args)?.kind() {
            ObjKind::Int(int) => Ok(int.value),
            ObjKind::Str(_) => Err(format!("{}: the result is no integer", self.image.file)),
        }
    }
}

fn load_code(image: &Image, max_depth: i64) -> Gc<Code> {
    let ops: Vec<u8> = image.code.iter().map(|at| at.op).collect();
    let operands: Vec<i64> = image.code.iter().map(|at| at.operand).collect();
    // The collector does not look into a `Vec` while the next objects are made, into a `RootVec` it
    // does.
    let functions = RootVec::new();
    for function in &image.functions {
        functions.push(Gc::new(Function {
            start: function.start,
            params: function.params,
            slots: function.slots,
        }));
    }
    let names = RootVec::new();
    for function in &image.functions {
        names.push(Str::new(&function.name));
    }
    let lines = image.lines.iter();
    let lines: Vec<u32> = lines
        .map(|&line| u32::try_from(line).unwrap_or(u32::MAX))
        .collect();
    let strings = RootVec::new();
    for string in &image.strings {
        strings.push(Str::new(string));
    }
    Gc::new(Code {
        ops: GcArray::from_slice(&ops),
        operands: GcArray::from_slice(&operands),
        heights: GcArray::from_slice(&image.heights),
        functions: functions.to_array(),
        strings: strings.to_array(),
        nothing: int(0),
        max_depth,
        file: Str::new(&image.file),
        lines: GcArray::from_slice(&lines),
        names: names.to_array(),
    })
}
