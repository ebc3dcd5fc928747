//! The machine: a VM with TLC on it. In: parameters, an [`Image`], arguments. Out: results, output,
//! and errors as text. Invariant: whatever the program does, the outcome is a value; the only
//! panics that leave are bugs of ours.

use crate::asm::assemble;
use crate::image::{Class, Image, MAGIC};
use crate::interp;
use crate::object::{
    Args, Code, Frame, NilObj, Obj, ObjKind, Shape, Source, Stack, int, new_stack,
};
use crate::output;
use std::fmt;
use verdigris::prelude::*;
use verdigris::{Options, Vm};

/// How many frames a program may have at once.
pub const MAX_DEPTH: i64 = 100_000;

/// Bytes that a program's heap may grow to, unless the options say otherwise.
pub const HEAP_LIMIT: usize = 2 << 30;

/// The outcome of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its output, with its result as the last line, if it was captured.
    pub output: String,
    /// Why it was aborted, if it was.
    pub error: Option<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            None => f.write_str(&self.output),
            Some(error) => writeln!(f, "{}{error}\nstatus 1", self.output),
        }
    }
}

/// A program from the bytes of a file: a binary, or text to be assembled.
///
/// # Errors
/// One line per error, as `file:line: message`.
pub fn load(bytes: &[u8], file: &str) -> Result<Image, String> {
    if bytes.starts_with(&MAGIC[..4]) {
        return Image::decode(bytes).map_err(|error| format!("{file}: {error}"));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("{file}: neither a TLC binary nor text: {error}"))?;
    assemble(text, file).map_err(|errors| {
        let lines: Vec<String> = errors
            .iter()
            .map(|error| format!("{file}:{error}"))
            .collect();
        lines.join("\n")
    })
}

/// A VM for TLC.
pub struct Machine {
    vm: Vm,
    max_depth: i64,
}

impl Machine {
    /// A machine with these options. The heap is bounded by [`HEAP_LIMIT`], or by the parameter
    /// `heap_limit`.
    ///
    /// # Errors
    /// If the VM cannot be made; see [`Vm::new`].
    pub fn new(options: Options, max_depth: i64) -> Result<Machine, String> {
        let vm = language_support::machine::vm(crate::jit::program(), options, HEAP_LIMIT)?;
        Ok(Machine { vm, max_depth })
    }

    /// The VM, for its statistics and traces.
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// Runs a program as `tlc run` does: its result is printed behind its output.
    pub fn run(&self, image: &Image, args: &[i64], capture: bool) -> Outcome {
        output::begin(image, capture);
        let result = self.enter(image, |program| program.run(args).and_then(print_result));
        let output = output::finish();
        let error = result.and_then(|result| result).err();
        Outcome {
            error: error.or(output.as_ref().err().map(cannot_write)),
            output: String::from_utf8_lossy(&output.unwrap_or_default()).into_owned(),
        }
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
            f(&Loaded { code, image })
        });
        entered.map_err(|stopped| format!("{}: {stopped}", image.file))
    }
}

fn cannot_write(error: &std::io::Error) -> String {
    format!("cannot write the output: {error}")
}

fn print_result(result: Option<Obj>) -> Result<(), String> {
    match result {
        Some(value) => {
            output::write_line(&output::show(value)).map_err(|error| cannot_write(&error))
        }
        None => Ok(()),
    }
}

/// A program in the heap of the VM that has been entered. It stays where the collector sees it: on
/// the stack.
pub struct Loaded<'a> {
    code: Gc<Code>,
    image: &'a Image,
}

impl Loaded<'_> {
    /// Runs the program. The result is the top of the main frame's stack, if there is one.
    ///
    /// # Errors
    /// The fault that the guest program ends with, as `file:line: pc N: message`.
    pub fn run(&self, args: &[i64]) -> Result<Option<Obj>, String> {
        self.run_on(args, self.stack())
    }

    /// A stack for [`Loaded::run_on`].
    pub fn stack(&self) -> Stack {
        new_stack(self.code.nil)
    }

    /// Runs the program on this operand stack. What the program leaves there can be looked at
    /// afterwards, also if it ends with a fault; a program that needs more room goes on with a
    /// larger copy.
    ///
    /// # Errors
    /// As [`Loaded::run`].
    pub fn run_on(&self, args: &[i64], stack: Stack) -> Result<Option<Obj>, String> {
        let frame = main_frame(self.code, args, stack);
        interp::run(self.code, frame, stack).map_err(|fault| fault.render(self.image))
    }

    /// Runs a program whose result is an integer.
    ///
    /// # Errors
    /// As [`Loaded::run`], and if the result is no integer.
    pub fn run_to_int(&self, args: &[i64]) -> Result<i64, String> {
        match self.run(args)?.map(Obj::kind) {
            Some(ObjKind::Int(int)) => Ok(int.value),
            _ => Err(format!("{}: the result is no integer", self.image.file)),
        }
    }
}

/// The frame of the main program: its first argument is 0 if there is none.
fn main_frame(code: Gc<Code>, args: &[i64], return_stack: Stack) -> Gc<Frame> {
    let frame_args = Args::new(args.len().max(1), code.nil);
    frame_args[0].set(int(0));
    for (index, &arg) in args.iter().enumerate() {
        frame_args[index].set(int(arg));
    }
    Gc::new(Frame {
        back: None,
        return_pc: 0,
        return_sp: 0,
        return_stack,
        args: frame_args,
        depth: 0,
    })
}

fn load_code(image: &Image, max_depth: i64) -> Gc<Code> {
    Gc::new(Code {
        bytes: GcArray::from_slice(&image.code),
        shapes: load_shapes(image),
        nil: Obj::from(Gc::new(NilObj {})),
        max_depth,
        source: load_source(image),
    })
}

fn load_source(image: &Image) -> Gc<Source> {
    let (line_starts, lines): (Vec<u32>, Vec<u32>) = image.lines.iter().copied().unzip();
    let label_starts: Vec<u32> = image.labels.iter().map(|(_, pc)| *pc).collect();
    let mut labels = String::new();
    let mut label_ends = Vec::new();
    for (label, _) in &image.labels {
        labels += label;
        label_ends.push(u32::try_from(labels.len()).unwrap_or(u32::MAX));
    }
    Gc::new(Source {
        file: GcArray::from_slice(image.file.as_bytes()),
        line_starts: GcArray::from_slice(&line_starts),
        lines: GcArray::from_slice(&lines),
        label_starts: GcArray::from_slice(&label_starts),
        labels: GcArray::from_slice(labels.as_bytes()),
        label_ends: GcArray::from_slice(&label_ends),
    })
}

fn load_shapes(image: &Image) -> GcArray<Gc<Shape>> {
    let symbols = image.symbols();
    // The collector does not look into a `Vec` while the next shapes are made.
    let load = |class| load_shape(class, &symbols);
    let shapes: RootVec<Gc<Shape>> = image.classes.iter().map(load).collect();
    shapes.to_array()
}

/// A class with numbers for names.
fn load_shape(class: &Class, symbols: &[&str]) -> Gc<Shape> {
    let number = |name: &String| {
        let index = symbols.iter().position(|symbol| symbol == name);
        index.expect("every name of a class is a symbol of its image") as i64
    };
    let attrs: Vec<i64> = class.attributes.iter().map(number).collect();
    let methods: Vec<i64> = class.methods.iter().map(|(name, _)| number(name)).collect();
    let targets: Vec<i64> = class.methods.iter().map(|(_, pc)| i64::from(*pc)).collect();
    Gc::new(Shape {
        attrs: GcArray::from_slice(&attrs),
        methods: GcArray::from_slice(&methods),
        targets: GcArray::from_slice(&targets),
    })
}
