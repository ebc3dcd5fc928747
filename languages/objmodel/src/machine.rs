//! The machine: a VM with the language on it. In: parameters, an [`Image`], arguments. Out: output,
//! and errors as text. Invariant: whatever the program does, the outcome is a value; the only
//! panics that leave are bugs of ours.

use crate::compile::compile;
use crate::dict::dict_new;
use crate::image::{Const, FunctionInfo, Image};
use crate::interp;
use crate::model::maps::empty_map;
use crate::model::{DICT, MAPS, VERSIONS};
use crate::object::{
    Class, Code, Frame, Function, Model, NilObj, Obj, Slots, Source, Storage, Text, Version, int,
};
use crate::output;
use crate::parser::parse;
use std::fmt;
use std::str::FromStr;
use verdigris::prelude::*;
use verdigris::{Options, Vm};

/// How many frames a program may have at once.
pub const MAX_DEPTH: i64 = 100_000;

/// Bytes that a program's heap may grow to, unless the options say otherwise.
pub const HEAP_LIMIT: usize = 2 << 30;

/// A stage of the object model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stage {
    /// Dictionaries.
    Dict,
    /// Maps.
    Maps,
    /// Maps and versions.
    #[default]
    Versions,
}

impl Stage {
    /// All of them, in the paper's order.
    pub const ALL: [Stage; 3] = [Stage::Dict, Stage::Maps, Stage::Versions];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Dict => "dict",
            Stage::Maps => "maps",
            Stage::Versions => "versions",
        }
    }

    fn number(self) -> u8 {
        match self {
            Stage::Dict => DICT,
            Stage::Maps => MAPS,
            Stage::Versions => VERSIONS,
        }
    }
}

impl FromStr for Stage {
    type Err = String;

    fn from_str(text: &str) -> Result<Stage, String> {
        let found = Stage::ALL.into_iter().find(|stage| stage.name() == text);
        found.ok_or_else(|| format!("`{text}` is no stage: there are dict, maps and versions"))
    }
}

/// The outcome of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its output, if it was captured.
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

/// A program from the bytes of a file.
///
/// # Errors
/// One line per fault, as `file:line:column: message`.
pub fn load(bytes: &[u8], file: &str) -> Result<Image, String> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| format!("{file}: not a text: {error}"))?;
    let faults = match parse(text) {
        Ok(program) => match compile(&program, file) {
            Ok(image) => return Ok(image),
            Err(faults) => faults,
        },
        Err(fault) => vec![fault],
    };
    let lines: Vec<String> = faults.iter().map(|f| format!("{file}:{f}")).collect();
    Err(lines.join("\n"))
}

/// A VM for the language.
pub struct Machine {
    vm: Vm,
    stage: Stage,
    max_depth: i64,
}

impl Machine {
    /// A machine with these options. The heap is bounded by [`HEAP_LIMIT`], or by the parameter
    /// `heap_limit`.
    ///
    /// # Errors
    /// If the VM cannot be made; see [`Vm::new`].
    pub fn new(options: Options, stage: Stage, max_depth: i64) -> Result<Machine, String> {
        let vm = language_support::machine::vm(crate::jit::program(), options, HEAP_LIMIT)?;
        Ok(Machine {
            vm,
            stage,
            max_depth,
        })
    }

    /// The VM, for its statistics and traces.
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// Runs a program.
    pub fn run(&self, image: &Image, args: &[i64], capture: bool) -> Outcome {
        output::begin(image, capture);
        let result = self.enter(image, |program| program.run(args));
        let output = output::finish();
        let error = result.and_then(|result| result).err();
        let cannot_write = |error: &std::io::Error| format!("cannot write the output: {error}");
        Outcome {
            error: error.or(output.as_ref().err().map(cannot_write)),
            output: String::from_utf8_lossy(&output.unwrap_or_default()).into_owned(),
        }
    }

    /// Loads a program and hands it to `f`, which may run it many times: the JIT keeps what it
    /// compiled, and classes keep what they contain.
    ///
    /// # Errors
    /// If the heap or the native stack is used up.
    pub fn enter<R: Unpin>(
        &self,
        image: &Image,
        f: impl FnOnce(&Loaded) -> R,
    ) -> Result<R, String> {
        let entered = self.vm.try_enter(|| {
            let code = load_code(image, self.stage, self.max_depth);
            f(&Loaded { code, image })
        });
        entered.map_err(|stopped| format!("{}: {stopped}", image.file))
    }
}

/// A program in the heap of the VM that has been entered. It stays where the collector sees it: on
/// the stack.
pub struct Loaded<'a> {
    code: Gc<Code>,
    image: &'a Image,
}

impl Loaded<'_> {
    /// Runs the program. An argument that is not given is 0.
    ///
    /// # Errors
    /// The fault that the guest program ends with, as `file:line:column: message`; or that there
    /// are more arguments than it has names for.
    pub fn run(&self, args: &[i64]) -> Result<(), String> {
        self.run_in(self.frame(args)?)
    }

    /// A frame for the main program with these arguments.
    ///
    /// # Errors
    /// If there are more than it has names for.
    pub fn frame(&self, args: &[i64]) -> Result<Gc<Frame>, String> {
        let main = &self.image.functions[0];
        if args.len() > main.arity {
            let (file, arity, found) = (&self.image.file, main.arity, args.len());
            let plural = if arity == 1 { "" } else { "s" };
            return Err(format!(
                "{file}: the program takes {arity} argument{plural}, it was given {found}"
            ));
        }
        Ok(main_frame(self.code, main, args))
    }

    /// Runs the program in a frame that [`Loaded::frame`] has made. What its variables lead to can
    /// be looked at afterwards, also if it ends with a fault.
    ///
    /// # Errors
    /// The fault that the guest program ends with, as `file:line:column: message`.
    pub fn run_in(&self, frame: Gc<Frame>) -> Result<(), String> {
        let bottom = self.image.functions[0].locals.len();
        match interp::run(self.code, frame, bottom) {
            Ok(_) => Ok(()),
            Err(fault) => Err(fault.render(self.image)),
        }
    }

    /// The constants of the program: its classes are among them.
    pub fn constants(&self) -> GcArray<Obj> {
        self.code.consts
    }
}

/// The frame of the main program.
fn main_frame(code: Gc<Code>, main: &FunctionInfo, args: &[i64]) -> Gc<Frame> {
    let slots = Slots::new(main.slots, code.nil);
    for index in 0..main.arity {
        slots[index + 1].set(int(args.get(index).copied().unwrap_or(0)));
    }
    Gc::new(Frame {
        back: None,
        return_pc: 0,
        return_sp: 0,
        slots,
        depth: 0,
    })
}

fn load_code(image: &Image, stage: Stage, max_depth: i64) -> Gc<Code> {
    let nil = Obj::from(Gc::new(NilObj {}));
    let model = Gc::new(Model {
        stage: stage.number(),
        empty_map: empty_map(),
        no_storage: Storage::new(0, nil),
        nil,
    });
    Gc::new(Code {
        bytes: GcArray::from_slice(&image.code),
        consts: load_consts(image),
        model,
        nil,
        max_depth,
        source: load_source(image),
    })
}

fn load_source(image: &Image) -> Gc<Source> {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let places = image.places.iter();
    let starts: Vec<u32> = places.clone().map(|(pc, _)| number(*pc)).collect();
    let lines: Vec<u32> = places.clone().map(|(_, pos)| pos.line).collect();
    let columns: Vec<u32> = places.map(|(_, pos)| pos.column).collect();
    let mut functions: Vec<&FunctionInfo> = image.functions.iter().collect();
    functions.sort_by_key(|function| function.entry);
    let entries: Vec<u32> = functions.iter().map(|f| number(f.entry)).collect();
    let mut names = String::new();
    let mut name_ends = Vec::new();
    for function in &functions {
        names += &function.name;
        name_ends.push(number(names.len()));
    }
    Gc::new(Source {
        file: GcArray::from_slice(image.file.as_bytes()),
        starts: GcArray::from_slice(&starts),
        lines: GcArray::from_slice(&lines),
        columns: GcArray::from_slice(&columns),
        entries: GcArray::from_slice(&entries),
        names: GcArray::from_slice(names.as_bytes()),
        name_ends: GcArray::from_slice(&name_ends),
    })
}

fn load_consts(image: &Image) -> GcArray<Obj> {
    // The collector does not look into a `Vec` while the next constants are made.
    let load = |constant| load_const(image, constant);
    let consts: RootVec<Obj> = image.consts.iter().map(load).collect();
    consts.to_array()
}

fn load_const(image: &Image, constant: &Const) -> Obj {
    match *constant {
        Const::Int(value) => int(value),
        Const::Text(number) => Obj::from(Gc::new(Text {
            number: number as i64,
        })),
        Const::Class(number) => Obj::from(Gc::new(Class {
            number: number as i64,
            methods: dict_new(),
            version: Cell::new(Some(Gc::new(Version {}))),
            changes: Cell::new(0),
        })),
        Const::Function(number) => {
            let function = &image.functions[number];
            Obj::from(Gc::new(Function {
                number: number as i64,
                entry: function.entry,
                arity: function.arity,
                bottom: function.locals.len(),
                slots: function.slots,
            }))
        }
    }
}
