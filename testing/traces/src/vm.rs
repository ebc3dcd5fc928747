//! Runs a script on all backends. A script is a closure over a [`Vm`] that compiles, enters and
//! attaches; its log has every exit with its words and the objects that they refer to. Objects are
//! named by their contents and never by address, so that logs can be compared: each backend has a
//! heap of its own.

use crate::world;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::LazyLock;
use verdigris_backend::{
    Backend, BackendError, COUNT, Callees, CodeExit, CompileOutput, Entry, Env, Oracle,
};
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use verdigris_cil::CilHost;
use verdigris_cranelift::Cranelift;
use verdigris_heap::{Context, HeapExhausted, HeapOptions, class_word_of, detector, exec_data};
use verdigris_layered::{Layered, StrictHost};
use verdigris_ops::{ClassId, ClassKind, DataOp, Descrs, FieldId, Ty};
use verdigris_trace::{
    self as trace, Descr, GuardId, OptimisedTrace, TargetId, parse_with, verify,
};
#[cfg(target_arch = "x86_64")]
use verdigris_x64::X64;

/// A virtual machine with one backend.
pub struct Vm {
    /// The heap.
    pub context: Box<Context>,
    /// Compiles and runs.
    pub backend: Box<dyn Backend>,
    /// The classes and functions of [`world`].
    pub descrs: Descrs,
    /// The exits so far.
    pub log: String,
    /// The compiled code that traces compiled from now on may call directly.
    pub callees: Option<Rc<dyn Callees>>,
    guards: HashMap<GuardId, Vec<Ty>>,
    /// The results of [`Vm::record`], by address.
    records: HashMap<u64, Rc<[Cell<u64>]>>,
}

/// Makes a backend.
pub type MakeBackend = fn() -> Box<dyn Backend>;

/// The backends that make machine code.
pub const MACHINE_CODE: &[MakeBackend] = &[
    cranelift,
    #[cfg(target_arch = "x86_64")]
    x64,
];

/// The backends that tests, random traces and fuzzing compare: the oracle, whose results are right,
/// comes first. This is the place to add one.
pub fn all() -> &'static [MakeBackend] {
    static ALL: LazyLock<Vec<MakeBackend>> = LazyLock::new(|| {
        let mut all: Vec<MakeBackend> = vec![oracle, layered, scattered];
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        all.extend(has_mono().then_some(cil as MakeBackend));
        all.extend(MACHINE_CODE);
        all
    });
    &ALL
}

/// The backends that are compared with the oracle.
pub fn compared() -> &'static [MakeBackend] {
    &all()[1..]
}

/// The backend that interprets.
pub fn oracle() -> Box<dyn Backend> {
    Box::new(Oracle::new())
}

/// The layered backend with its strict host.
pub fn layered() -> Box<dyn Backend> {
    Box::new(Layered::default())
}

/// The same with a host that likes small methods and has tail calls: most links are external.
pub fn scattered() -> Box<dyn Backend> {
    let host = StrictHost::default();
    Box::new(Layered::new(host.with_most_operations(8).with_tail_calls()))
}

/// Whether the backend for CIL works here. If not, it is said once.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub fn has_mono() -> bool {
    static HAS: LazyLock<bool> = LazyLock::new(|| match CilHost::new() {
        Ok(_) => true,
        Err(error) => {
            eprintln!("the tests go without one backend: {}", error.0);
            false
        }
    });
    *HAS
}

/// The layered backend with methods in CIL.
///
/// # Panics
/// If there is no Mono.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub fn cil() -> Box<dyn Backend> {
    Box::new(CilHost::backend().expect("there is a Mono"))
}

/// Cranelift.
///
/// # Panics
/// If the machine is not supported.
pub fn cranelift() -> Box<dyn Backend> {
    Box::new(Cranelift::new().expect("the tests run on a supported machine"))
}

/// The backend for x86-64.
///
/// # Panics
/// If the machine is not supported.
#[cfg(target_arch = "x86_64")]
pub fn x64() -> Box<dyn Backend> {
    Box::new(X64::new().expect("the tests run on a supported machine"))
}

/// Runs a script on all backends, whose logs must be equal. Returns the log.
///
/// # Panics
/// If they are not.
pub fn check_all(options: HeapOptions, script: impl Fn(&mut Vm)) -> String {
    let log = run_script(oracle(), options, &script);
    for make in compared() {
        let backend = make();
        let name = backend.name();
        let other = run_script(backend, options, &script);
        assert_eq!(log, other, "the oracle (left) and {name} differ");
    }
    log
}

/// Runs a script on one backend.
pub fn run_script(
    backend: Box<dyn Backend>,
    options: HeapOptions,
    script: &dyn Fn(&mut Vm),
) -> String {
    // The words of exits and the constants of traces are no references that a guest forgot.
    let _own = detector::own();
    let mut vm = Vm::new(backend, options);
    let context: *mut Context = &mut *vm.context;
    // SAFETY: the context lives in `vm`, which outlives the call.
    unsafe { Context::enter(context, || script(&mut vm)) };
    vm.log
}

impl Vm {
    /// A machine with an empty heap.
    pub fn new(backend: Box<dyn Backend>, options: HeapOptions) -> Vm {
        Vm {
            context: Context::new(options),
            backend,
            descrs: world::descrs(),
            log: String::new(),
            callees: None,
            guards: HashMap::new(),
            records: HashMap::new(),
        }
    }

    /// Reads a trace, in which `objects` are named by number.
    ///
    /// # Panics
    /// If it is not one.
    pub fn parse(&self, text: &str, objects: &[u64]) -> OptimisedTrace {
        let trace = parse_with(&self.descrs, text, objects);
        let trace = trace.unwrap_or_else(|e| panic!("{e}\n{text}"));
        verify(&self.descrs, &trace).unwrap_or_else(|e| panic!("{e}\n{text}"));
        trace
    }

    /// Compiles the text of a loop or entry trace.
    ///
    /// # Panics
    /// If it is none, or does not compile.
    pub fn compile(&mut self, text: &str) {
        self.compile_with(text, &[]);
    }

    /// As [`Vm::compile`], for a trace that names objects.
    ///
    /// # Panics
    /// If it is none, or does not compile.
    pub fn compile_with(&mut self, text: &str, objects: &[u64]) {
        let trace = self.parse(text, objects);
        self.compile_trace(&trace).unwrap();
    }

    /// Compiles a loop or entry trace.
    ///
    /// # Errors
    /// If the backend refuses the trace.
    pub fn compile_trace(&mut self, trace: &OptimisedTrace) -> Result<CompileOutput, BackendError> {
        self.note_guards(trace);
        let env = Env {
            callees: self.callees.as_deref(),
            ..env(&self.descrs)
        };
        self.backend.compile_loop(&env, trace)
    }

    /// Compiles the text of a trace that records name.
    ///
    /// # Panics
    /// If it is none, or does not compile.
    pub fn compile_stencil(&mut self, text: &str) {
        let trace = self.parse(text, &[]);
        self.compile_stencil_trace(&trace).unwrap();
    }

    /// Compiles a trace that records name.
    ///
    /// # Errors
    /// If the backend refuses the trace.
    pub fn compile_stencil_trace(
        &mut self,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.note_guards(trace);
        self.backend.compile_stencil(&env(&self.descrs), trace)
    }

    /// A new record of a place whose code starts at this label, with this count and these words
    /// behind it. Returns its address.
    pub fn record(&mut self, target: u32, count: u64, words: &[u64]) -> u64 {
        let code = self.backend.thread_word(TargetId::from_u32(target));
        let all = [code, count].into_iter().chain(words.iter().copied());
        let record: Rc<[Cell<u64>]> = all.map(Cell::new).collect();
        let address = record.as_ptr().expose_provenance() as u64;
        self.records.insert(address, record);
        address
    }

    /// Keeps an object alive from now on, which a record mentions.
    pub fn keep(&mut self, object: u64) {
        self.context.pin(object);
    }

    /// A word of a record.
    pub fn record_word(&self, record: u64, n: usize) -> u64 {
        self.records[&record][n].get()
    }

    /// Changes a word of a record.
    pub fn set_record_word(&mut self, record: u64, n: usize, word: u64) {
        self.records[&record][n].set(word);
    }

    /// Writes the counts of records to the log.
    pub fn note_counts(&mut self, records: &[u64]) {
        let counts = records
            .iter()
            .map(|&record| self.record_word(record, COUNT) as i64);
        let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
        self.note(&format!("counts {}", counts.join(", ")));
    }

    /// Compiles the text of a bridge and attaches it.
    ///
    /// # Panics
    /// If it is none, or does not compile.
    pub fn bridge(&mut self, guard: u32, text: &str) {
        let trace = self.parse(text, &[]);
        self.bridge_trace(GuardId::from_u32(guard), &trace).unwrap();
    }

    /// Compiles a bridge and attaches it.
    ///
    /// # Errors
    /// If the backend refuses the trace.
    pub fn bridge_trace(
        &mut self,
        guard: GuardId,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.note_guards(trace);
        self.backend
            .compile_bridge(&env(&self.descrs), guard, trace)
    }

    fn note_guards(&mut self, trace: &OptimisedTrace) {
        for exit in trace.exits.values() {
            let types = exit.args().iter().map(|&v| trace.types[v]).collect();
            if let trace::Exit::Out { guard, .. } = exit {
                self.guards.extend(guard.map(|guard| (guard, types)));
            }
        }
    }

    /// The types of what a guard hands over.
    pub fn fail_types(&self, guard: GuardId) -> &[Ty] {
        &self.guards[&guard]
    }

    /// Where a label is entered.
    ///
    /// # Panics
    /// If it has not been compiled.
    pub fn entry(&self, target: u32) -> Rc<dyn Entry> {
        let entry = self.backend.entry(TargetId::from_u32(target));
        entry.expect("the label has been compiled")
    }

    /// Enters at a label.
    pub fn run(&mut self, target: u32, args: &[u64]) -> CodeExit {
        let context: *mut Context = &mut *self.context;
        let entry = self.entry(target);
        // SAFETY: the context is entered; the tests pass words of the right types.
        unsafe { entry.run(context, args) }
    }

    /// Enters at a label and writes the exit to the log.
    pub fn enter(&mut self, target: u32, args: &[u64]) -> CodeExit {
        let exit = self.run(target, args);
        self.log_exit(exit);
        exit
    }

    /// Writes an exit to the log.
    pub fn log_exit(&mut self, exit: CodeExit) {
        let mut line = match exit {
            CodeExit::Guard(guard) => {
                let types = &self.guards[&guard];
                let words = types.iter().enumerate();
                let words = words.map(|(n, &ty)| self.show(ty, self.context.exits[n]));
                format!("{guard} [{}]", words.collect::<Vec<_>>().join(", "))
            }
            CodeExit::Finish(word) => format!("finish {}", word as i64),
            CodeExit::OutOfMemory => "out of memory".to_owned(),
        };
        if self.context.panicked != 0 {
            let payload = self.context.take_payload();
            let text = payload.and_then(|p| p.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            let _ = write!(line, " panicked: {}", text.unwrap_or_default());
        }
        for word in world::recorded() {
            let _ = write!(line, " recorded {word}");
        }
        self.note(&line);
    }

    /// Writes a line to the log.
    pub fn note(&mut self, line: &str) {
        self.log.push_str(line);
        self.log.push('\n');
    }

    /// Writes an object to the log.
    pub fn note_object(&mut self, object: u64) {
        let text = self.show(Ty::Ref, object);
        self.note(&text);
    }

    /// Does an operation directly.
    pub fn exec(&mut self, op: DataOp, args: &[u64], descr: impl Into<Descr>) -> u64 {
        let context: *mut Context = &mut *self.context;
        // SAFETY: the context is entered; the tests pass words of the right types.
        unsafe { exec_data(context, &self.descrs, op, args, descr.into().raw()) }
            .unwrap_or_else(|_| HeapExhausted::raise())
    }

    /// A new `Node`.
    pub fn node(&mut self, value: i64, next: u64, weight: f64) -> u64 {
        let class = self.class("Node");
        let node = self.exec(DataOp::New, &[], class);
        self.set(node, "Node.value", value as u64);
        self.set(node, "Node.next", next);
        self.set(node, "Node.weight", weight.to_bits());
        node
    }

    /// A new object of this class.
    pub fn object(&mut self, class: &str) -> u64 {
        let class = self.class(class);
        self.exec(DataOp::New, &[], class)
    }

    /// A new array of this class with these items.
    pub fn array(&mut self, class: &str, words: &[u64]) -> u64 {
        let id = self.descrs.class_by_name(class).unwrap();
        let (ty, ..) = self.descrs.item(id);
        let array = self.exec(DataOp::NewArray, &[words.len() as u64], id);
        for (n, &word) in words.iter().enumerate() {
            self.exec(DataOp::set_item(ty), &[array, n as u64, word], id);
        }
        array
    }

    /// A class by its name.
    pub fn class(&self, name: &str) -> ClassId {
        self.descrs
            .class_by_name(name)
            .expect("a class of the test world")
    }

    /// Writes a field.
    pub fn set(&mut self, object: u64, field: &str, word: u64) {
        let field = self
            .descrs
            .field_by_name(field)
            .expect("a field of the test world");
        let op = DataOp::set_field(self.descrs.fields[field].ty);
        self.exec(op, &[object, word], field);
    }

    /// A word as text, a reference with what it leads to.
    pub fn show(&self, ty: Ty, word: u64) -> String {
        let mut out = String::new();
        self.show_to(&mut out, ty, word, 4);
        out
    }

    fn show_to(&self, out: &mut String, ty: Ty, word: u64, depth: usize) {
        let _ = match ty {
            // The type of a word is not known; random traces leave with words that are integers.
            Ty::Int | Ty::Word => write!(out, "{}", word as i64),
            // The payload of a NaN is not part of any operation's meaning.
            Ty::Float => write!(out, "{:?}", f64::from_bits(word)),
            Ty::Ref if word == 0 => write!(out, "null"),
            Ty::Ref if depth == 0 => write!(out, ".."),
            Ty::Ref => {
                self.show_object(out, word, depth - 1);
                Ok(())
            }
        };
    }

    fn show_object(&self, out: &mut String, object: u64, depth: usize) {
        // SAFETY: the word is a reference.
        let word = unsafe { class_word_of(object) };
        let found = self.descrs.classes.iter().find(|(_, c)| c.word == word);
        let Some((class, info)) = found else {
            panic!(
                "not an object: its class word is {word:#x}; logged so far: {}{out}",
                self.log
            )
        };
        match &info.kind {
            ClassKind::Struct { fields } => {
                let _ = write!(out, "{}{{", info.name);
                for (n, &field) in fields.iter().enumerate() {
                    self.separate(out, n);
                    let info = &self.descrs.fields[field];
                    let word = self.read_field(object, field);
                    self.show_to(out, info.ty, word, depth);
                }
                out.push('}');
            }
            ClassKind::Array { item, .. } => {
                let _ = write!(out, "{}[", info.name);
                let len = self.read(DataOp::ArrayLen, &[object], class);
                for n in 0..len.min(20) {
                    self.separate(out, n as usize);
                    let word = self.read(DataOp::get_item(*item), &[object, n], class);
                    self.show_to(out, *item, word, depth);
                }
                if len > 20 {
                    let _ = write!(out, ", .. {len}");
                }
                out.push(']');
            }
        }
    }

    fn separate(&self, out: &mut String, n: usize) {
        if n > 0 {
            out.push_str(", ");
        }
    }

    fn read_field(&self, object: u64, field: FieldId) -> u64 {
        let op = DataOp::get_field(self.descrs.fields[field].ty);
        self.read(op, &[object], field)
    }

    fn read(&self, op: DataOp, args: &[u64], descr: impl Into<Descr>) -> u64 {
        // SAFETY: the operation reads an object of the right class.
        unsafe {
            exec_data(
                Context::current(),
                &self.descrs,
                op,
                args,
                descr.into().raw(),
            )
        }
        .unwrap()
    }
}

/// The environment of a compilation that wants no texts.
pub fn env(descrs: &Descrs) -> Env<'_> {
    Env {
        descrs,
        callees: None,
        dump_ir: false,
        dump_asm: false,
    }
}
