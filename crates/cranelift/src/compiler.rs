//! Drives Cranelift: one function at a time, from a closure that fills its body to placed machine
//! code. Contexts are used again, so that a small function costs no set-up.

use crate::{debug_info, isa};
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, MemFlagsData, Signature, Type, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::{CodegenError, Context};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use std::fmt::Write;
use verdigris_backend::arena::{CodeArena, CodeBlock};
use verdigris_backend::journal::{CodeKind, MachineCode};
use verdigris_backend::{BackendError, CompileOutput, Env, MAX_FRAME, journal, listing};
use verdigris_ops::Ty;
use verdigris_trace::OptimisedTrace;

/// The Cranelift type of a value.
pub(crate) fn clif_type(ty: Ty) -> Type {
    match ty {
        Ty::Int | Ty::Ref | Ty::Word => types::I64,
        Ty::Float => types::F64,
    }
}

/// The type of addresses and words.
pub(crate) const WORD: Type = types::I64;

/// The flags of accesses to memory that is there and aligned.
pub(crate) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// The flags of a cast between types of one size, for which the byte order does not matter.
pub(crate) fn trusted_cast() -> MemFlagsData {
    MemFlagsData::new()
}

/// The texts that a compilation was asked for.
#[derive(Default)]
pub(crate) struct Dump {
    ir: Option<String>,
    asm: Option<String>,
    /// The trace's operations.
    lines: Vec<String>,
}

impl Dump {
    pub(crate) fn new(env: &Env<'_>, trace: &OptimisedTrace) -> Dump {
        let lines = env.dump_asm.then(|| listing::lines(env.descrs, trace));
        Dump {
            lines: lines.unwrap_or_default(),
            ir: env.dump_ir.then(String::new),
            asm: env.dump_asm.then(String::new),
        }
    }

    /// Whether machine code is wanted as text.
    pub(crate) fn wants_asm(&self) -> bool {
        self.asm.is_some()
    }

    /// Moves the texts to the output.
    pub(crate) fn finish(self, compiled: &mut CompileOutput) {
        compiled.ir = self.ir;
        compiled.asm = self.asm;
    }
}

/// Cranelift with everything that compilations share.
pub(crate) struct Compiler {
    isa: OwnedTargetIsa,
    /// Made for the first function: it is so large that a VM could not be made on a small stack,
    /// where nothing is compiled.
    workspace: Option<Box<Workspace>>,
}

/// Cranelift's contexts.
struct Workspace {
    context: Context,
    builder: FunctionBuilderContext,
    control: ControlPlane,
}

impl Workspace {
    #[inline(never)]
    fn new() -> Box<Workspace> {
        Box::new(Workspace {
            context: Context::new(),
            builder: FunctionBuilderContext::new(),
            control: ControlPlane::default(),
        })
    }
}

impl Compiler {
    pub(crate) fn new() -> Result<Compiler, BackendError> {
        Ok(Compiler {
            isa: isa::host()?,
            workspace: None,
        })
    }

    /// The calling convention of Rust's `extern "C"`.
    pub(crate) fn native_convention(&self) -> CallConv {
        self.isa.default_call_conv()
    }

    /// Compiles a function that `fill` builds. A function that is a loop has the loop's header as
    /// its second block.
    pub(crate) fn function(
        &mut self,
        arena: &CodeArena,
        signature: Signature,
        what: CodeKind,
        dump: &mut Dump,
        is_loop: bool,
        fill: impl FnOnce(&mut FunctionBuilder<'_>),
    ) -> Result<CodeBlock, BackendError> {
        let Workspace {
            context,
            builder,
            control,
        } = &mut **self.workspace.get_or_insert_with(Workspace::new);
        let name = &name(what);
        context.clear();
        context.set_disasm(dump.asm.is_some());
        context.func.signature = signature;
        let mut body = FunctionBuilder::new(&mut context.func, builder);
        fill(&mut body);
        body.seal_all_blocks();
        body.finalize(self.isa.frontend_config());
        if let Some(text) = &mut dump.ir {
            let _ = writeln!(text, "; {name}\n{}", context.func.display());
        }
        context
            .compile(&*self.isa, control)
            .map_err(|e| failed(name, &e.inner))?;
        let code = context.take_compiled_code().expect("it was compiled");
        if !code.buffer.relocs().is_empty() {
            return Err(BackendError(format!("the code of {name} has relocations")));
        }
        let params = context.func.signature.params.len() * size_of::<u64>();
        let layout = code.buffer.frame_layout();
        let frame = params + layout.map_or(0, |layout| layout.frame_to_fp_offset as usize);
        if frame > MAX_FRAME {
            return Err(BackendError(format!(
                "the code of {name} would take {frame} bytes of the native stack, more than {MAX_FRAME}: lower trace_limit"
            )));
        }
        let ops = debug_info::ops(&code.buffer);
        if let (Some(text), Some(asm)) = (&mut dump.asm, &code.vcode) {
            let _ = writeln!(text, "; {name}\n{asm}");
            debug_info::list(text, &dump.lines, &ops);
        }
        let hot = match is_loop {
            true => code.bb_starts.get(1).map_or(0, |&start| start as usize),
            false => 0,
        };
        let frames = debug_info::frames(&code.buffer);
        let room = match arena.keeps_journal() {
            true => journal::room(frames.len()),
            false => 0,
        };
        let piece = arena.take(code.code_buffer().len(), hot, room)?;
        piece.write(0, code.code_buffer());
        arena.note(|| MachineCode {
            what,
            address: piece.address(),
            bytes: code.code_buffer().to_vec(),
            room,
            frames,
            below: None,
            ops,
        });
        Ok(piece)
    }
}

/// The name of a function in dumps.
fn name(what: CodeKind) -> String {
    match what {
        CodeKind::Trace(Some(label)) => label.to_string(),
        CodeKind::Trace(None) => "bridge".to_owned(),
        CodeKind::Entry => "entry".to_owned(),
        CodeKind::Shared(name) => name.to_owned(),
    }
}

fn failed(name: &str, error: &CodegenError) -> BackendError {
    match error {
        CodegenError::Verifier(errors) => {
            BackendError(format!("Cranelift rejects the code of {name}: {errors}"))
        }
        CodegenError::CodeTooLarge | CodegenError::ImplLimitExceeded => BackendError(format!(
            "the code of {name} exceeds a limit of Cranelift: lower trace_limit"
        )),
        other => BackendError(format!("Cranelift cannot compile {name}: {other}")),
    }
}

/// A signature.
pub(crate) fn signature(
    convention: CallConv,
    params: impl IntoIterator<Item = Type>,
    results: impl IntoIterator<Item = Type>,
) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params = params.into_iter().map(AbiParam::new).collect();
    signature.returns = results.into_iter().map(AbiParam::new).collect();
    signature
}
