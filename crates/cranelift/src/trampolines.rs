//! The functions around compiled traces, one per signature: *stubs*, where a guard without a bridge
//! goes, store the fail arguments in the context and return the guard's descriptor; *trampolines*,
//! which Rust calls to enter a label, load the arguments, put the context in the pinned register,
//! call the label, and store its result as a stub would.
//!
//! Cranelift's prologues do not save the pinned register, but Rust expects it back, so trampolines
//! do. Code owns a part of the functions that it refers to, and they are freed with the last of it:
//! there are as many signatures as guest programs have shapes of loops.

use crate::compiler::{Compiler, Dump, WORD, clif_type, signature, trusted};
use crate::enter::Shared;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Signature, Type, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::mem::offset_of;
use std::rc::{Rc, Weak};
use verdigris_backend::BackendError;
use verdigris_backend::arena::CodeBlock;
use verdigris_backend::journal::CodeKind;
use verdigris_heap::Context;
use verdigris_ops::Ty;

/// How many words of a result compiled code returns in registers; the others are in the exit
/// buffer.
pub(crate) const RETURNED: usize = 2;

/// The results of compiled code: the exit that it has taken, and the first words of its result, if
/// it has ended.
const RETURNS: [Type; 1 + RETURNED] = [WORD; 1 + RETURNED];

/// The functions for signatures that compiled code uses.
type Known = FxHashMap<Box<[Ty]>, Weak<CodeBlock>>;

/// Stubs and trampolines that compiled code uses.
#[derive(Default)]
pub(crate) struct Trampolines {
    stubs: Known,
    trampolines: Known,
}

impl Trampolines {
    /// The stub that guards with these fail arguments leave through.
    pub(crate) fn stub(
        &mut self,
        compiler: &mut Compiler,
        shared: &Shared,
        types: &[Ty],
    ) -> Result<Rc<CodeBlock>, BackendError> {
        if let Some(piece) = self.stubs.get(types).and_then(Weak::upgrade) {
            return Ok(piece);
        }
        let signature = exit_signature(ExitShape::of(types));
        let build = |b: &mut FunctionBuilder<'_>| stub(b, types);
        let piece = compiler.function(
            &shared.arena,
            signature,
            CodeKind::Shared("exit"),
            &mut Dump::default(),
            false,
            build,
        )?;
        let piece = Rc::new(piece);
        self.stubs.insert(types.into(), Rc::downgrade(&piece));
        Ok(piece)
    }

    /// The trampoline into labels with these parameters.
    pub(crate) fn trampoline(
        &mut self,
        compiler: &mut Compiler,
        shared: &Shared,
        types: &[Ty],
    ) -> Result<Rc<CodeBlock>, BackendError> {
        if let Some(piece) = self.trampolines.get(types).and_then(Weak::upgrade) {
            return Ok(piece);
        }
        let signature = signature(compiler.native_convention(), [WORD; 3], Some(WORD));
        let finish = shared.finish.address();
        let build = |b: &mut FunctionBuilder<'_>| trampoline(b, types, finish);
        let piece = compiler.function(
            &shared.arena,
            signature,
            CodeKind::Shared("trampoline"),
            &mut Dump::default(),
            false,
            build,
        )?;
        let piece = Rc::new(piece);
        self.trampolines.insert(types.into(), Rc::downgrade(&piece));
        Ok(piece)
    }

    /// Forgets the functions that compiled code uses no more, which have been freed.
    pub(crate) fn forget_unused(&mut self) {
        for known in [&mut self.stubs, &mut self.trampolines] {
            known.retain(|_, piece| piece.strong_count() > 0);
        }
    }
}

/// How many fail arguments go in integer and in float registers. Guards that agree in this share
/// their exit code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ExitShape {
    words: u16,
    floats: u16,
}

impl ExitShape {
    pub(crate) fn of(types: &[Ty]) -> ExitShape {
        let floats = types.iter().filter(|&&ty| ty == Ty::Float).count();
        ExitShape {
            words: (types.len() - floats) as u16,
            floats: floats as u16,
        }
    }
}

/// The signature of stubs and bridges: the descriptor, then integers and references, then floats.
pub(crate) fn exit_signature(shape: ExitShape) -> Signature {
    let words = std::iter::repeat_n(WORD, usize::from(shape.words) + 1);
    let floats = std::iter::repeat_n(clif_type(Ty::Float), usize::from(shape.floats));
    signature(CallConv::Tail, words.chain(floats), RETURNS)
}

/// The signature of labels: the parameters in order.
pub(crate) fn label_signature(types: &[Ty]) -> Signature {
    let params = types.iter().map(|&ty| clif_type(ty));
    signature(CallConv::Tail, params, RETURNS)
}

/// Reorders what belongs to fail arguments as exits pass them: integers and references, then
/// floats.
pub(crate) fn exit_order<T: Copy>(types: &[Ty], items: impl Fn(usize) -> T) -> Vec<T> {
    let of = |floats: bool| {
        let chosen = move |&n: &usize| (types[n] == Ty::Float) == floats;
        (0..types.len()).filter(chosen)
    };
    of(false).chain(of(true)).map(items).collect()
}

/// Where word `n` of the exit buffer is in the context.
pub(crate) fn exit_offset(n: usize) -> i32 {
    (offset_of!(Context, exits) + 8 * n) as i32
}

fn start(b: &mut FunctionBuilder<'_>) -> Vec<Value> {
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    b.block_params(block).to_vec()
}

fn stub(b: &mut FunctionBuilder<'_>, types: &[Ty]) {
    let params = start(b);
    let context = b.ins().get_pinned_reg(WORD);
    let places = exit_order(types, exit_offset);
    for (&value, offset) in params[1..].iter().zip(places) {
        b.ins().store(trusted(), value, context, offset);
    }
    return_exit(b, &params[..1]);
}

/// Returns an exit and the words of a result. The exit tells the caller how many of them mean
/// something.
pub(crate) fn return_exit(b: &mut FunctionBuilder<'_>, exit: &[Value]) {
    let mut values: SmallVec<[Value; 1 + RETURNED]> = exit.into();
    while values.len() < RETURNS.len() {
        values.push(exit[0]);
    }
    b.ins().return_(&values);
}

fn trampoline(b: &mut FunctionBuilder<'_>, types: &[Ty], finish: u64) {
    let [context, args, code] = start(b)[..] else {
        unreachable!("a trampoline has three parameters")
    };
    let kept = b.ins().get_pinned_reg(WORD);
    let mut values = Vec::with_capacity(types.len());
    for (n, &ty) in types.iter().enumerate() {
        let offset = i32::try_from(8 * n).unwrap_or(i32::MAX);
        values.push(b.ins().load(clif_type(ty), trusted(), args, offset));
    }
    b.ins().set_pinned_reg(context);
    let signature = b.import_signature(label_signature(types));
    let call = b.ins().call_indirect(signature, code, &values);
    let returned: SmallVec<[Value; 1 + RETURNED]> = b.inst_results(call).into();
    b.ins().set_pinned_reg(kept);
    let (ended, done) = (b.create_block(), b.create_block());
    let finish = b.ins().iconst(WORD, finish as i64);
    let finished = b.ins().icmp(IntCC::Equal, returned[0], finish);
    b.ins().brif(finished, ended, &[], done, &[]);
    b.switch_to_block(ended);
    for (n, &word) in returned[1..].iter().enumerate() {
        b.ins().store(trusted(), word, context, exit_offset(n));
    }
    b.ins().jump(done, &[]);
    b.switch_to_block(done);
    b.ins().return_(&returned[..1]);
}
