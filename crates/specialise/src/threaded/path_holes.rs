//! Registers and operands of a path through a stencil.

use super::decode::{DecodeInput, DecodeTest, Green};
use super::holes::Sourced;
use crate::state::path::Path;
use smallvec::SmallVec;
use verdigris_jitcode::{JitCode, Opnd, Pc, Reg, Unit};
use verdigris_ops::{DataOp, Effect, Ty, eval};
use verdigris_opt::TraceBuilder;
use verdigris_trace::{Arg, Const, Descr, Opcode, ValRef};

impl Path {
    /// A register of the innermost frame.
    pub fn sourced(&self, reg: Reg) -> Sourced {
        let frame = self.frames.last().expect("a path has a frame");
        Sourced {
            value: self.reg(reg),
            source: frame.source(reg),
        }
    }

    /// An operand of the innermost frame's instruction.
    pub fn sourced_operand(&self, code: &JitCode, opnd: Opnd) -> Sourced {
        match opnd {
            Opnd::Reg(reg) => self.sourced(reg),
            Opnd::Const(_) => Sourced {
                value: self.operand(code, opnd),
                source: None,
            },
        }
    }

    /// Writes a register of the innermost frame.
    pub fn set_sourced(&mut self, reg: Reg, sourced: Sourced) {
        match (sourced.value, sourced.source) {
            (Arg::Const(constant), Some(source)) => self.top().set_from(reg, constant, source),
            (value, _) => self.set(reg, value),
        }
    }

    /// A value as an operand of residual code.
    pub fn residual_of(&mut self, sourced: Sourced) -> Arg {
        match (sourced.value, sourced.source) {
            (Arg::Const(constant), Some(source)) => Arg::Ref(self.read(source, constant.ty())),
            (value, _) => value,
        }
    }

    /// An operand of the innermost frame's instruction, as an operand of residual code.
    pub fn residual_operand(&mut self, code: &JitCode, opnd: Opnd) -> Arg {
        let sourced = self.sourced_operand(code, opnd);
        self.residual_of(sourced)
    }

    /// Reads a hole.
    fn read(&mut self, source: Green, ty: Ty) -> ValRef {
        let holes = self.holes.as_mut().expect("only a stencil has holes");
        if let Some(&known) = holes.read.get(&source) {
            return known;
        }
        let slot = holes.decoder.borrow_mut().hole(source);
        let args = [Arg::Ref(holes.record), Arg::int(slot as i64)];
        let trace = &mut self.section.trace;
        let value = trace.push_def(Opcode::Hole, &args, Descr::None, ty);
        holes.read.insert(source, value);
        value
    }

    /// Reads the holes that a snapshot of the frames needs, if the innermost goes on at `pc`.
    pub fn fill_holes(&mut self, unit: &Unit, pc: Pc) {
        if self.holes.is_none() {
            return;
        }
        let mut wanted: SmallVec<[(Green, Ty); 8]> = SmallVec::new();
        let last = self.frames.len() - 1;
        for (depth, frame) in self.frames.iter().enumerate() {
            let code = &unit.codes[frame.code];
            let regs = match depth == last {
                true => code.live_at(pc).to_vec(),
                false if frame.suspended.is_some() => continue,
                false => frame.suspended_regs(unit),
            };
            let sources = regs
                .iter()
                .filter_map(|&reg| Some((reg, frame.source(reg)?)));
            wanted.extend(sources.map(|(reg, source)| (source, code.regs[usize::from(reg.0)])));
        }
        for (source, ty) in wanted {
            self.read(source, ty);
        }
    }

    /// Restricts the stencil to positions where a value decides as it does here, if it differs
    /// between positions.
    pub fn decide(&mut self, sourced: Sourced, test: impl FnOnce(u64) -> DecodeTest) {
        let (Arg::Const(constant), Some(source)) = (sourced.value, sourced.source) else {
            return;
        };
        let holes = self.holes.as_ref().expect("only a stencil has holes");
        holes
            .decoder
            .borrow_mut()
            .expect(source, test(constant.word()));
    }

    /// The same for a decision by the class of a value.
    pub fn decide_class(&mut self, sourced: Sourced, class: Option<u64>) {
        let (Some(holes), Some(source), Some(class)) = (&self.holes, sourced.source, class) else {
            return;
        };
        let mut decoder = holes.decoder.borrow_mut();
        let number = decoder.class(DecodeInput::Green(source));
        decoder.expect(number, DecodeTest::Is(class));
    }

    /// The decoder's inputs for these values, if all are constants and one differs between
    /// positions.
    pub fn inputs(&self, values: &[Sourced]) -> Option<SmallVec<[DecodeInput; 4]>> {
        let is_any = values.iter().any(|sourced| sourced.source.is_some());
        let inputs: Option<SmallVec<[DecodeInput; 4]>> = values.iter().map(|v| v.input()).collect();
        inputs.filter(|_| is_any)
    }

    /// Moves a data operation on such values into the decoder, if possible; returns its result.
    pub fn decode_data(
        &mut self,
        builder: &mut TraceBuilder<'_>,
        (op, descr): (DataOp, Descr),
        values: &[Sourced],
    ) -> Option<Sourced> {
        let inputs = self.inputs(values)?;
        let ty = op.ret().filter(|&ty| ty != Ty::Word)?;
        let words: SmallVec<[u64; 4]> = values
            .iter()
            .filter_map(|sourced| Some(sourced.value.as_const()?.word()))
            .collect();
        let word = match op.effect() {
            Effect::Pure => eval(op, &words)?,
            Effect::Read if words[0] != 0 && op != DataOp::HasClass => {
                builder.load(op, &words, descr)?
            }
            _ => return None,
        };
        let holes = self.holes.as_ref()?;
        let source = (holes.decoder.borrow_mut()).data(op, &inputs, descr, ty);
        Some(Sourced {
            value: Arg::Const(Const::new(ty, word)),
            source: Some(source),
        })
    }
}
