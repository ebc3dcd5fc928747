//! The start of a trace at a merge point.

use crate::end::{Recorded, Targets};
use crate::limits::TraceLimits;
use crate::state::headers::Headers;
use crate::state::recorder::Recorder;
use crate::state::value::TracedValue;
use verdigris_heap::Context;
use verdigris_jitcode::{Insn, Unit};
use verdigris_trace::Arg;

/// Traces from a merge point, mostly one iteration of a loop of the guest program.
///
/// # Safety
/// `ctx` is the current context and outlives the result. `unit` is verified and linked. `greens`
/// and `reds` are the state of its merge point.
pub unsafe fn trace_loop(
    ctx: *mut Context,
    unit: &Unit,
    greens: &[u64],
    reds: &[u64],
    targets: &dyn Targets,
    limits: TraceLimits,
) -> Recorded {
    let headers = Headers {
        start: Some(greens.to_vec()),
        starting: true,
        ..Headers::new(unit)
    };
    // SAFETY: the caller's promise.
    let mut recorder = unsafe { Recorder::new(ctx, unit, targets, limits, headers) };
    recorder.push_frame(unit.portal);
    recorder.goto(unit.merge_point);
    recorder.enter_state(greens, reds);
    let halt = recorder.run();
    recorder.finish(halt)
}

impl Recorder<'_> {
    /// Fills the portal's registers: the greens as constants, the reds as the trace's inputs.
    fn enter_state(&mut self, greens: &[u64], reds: &[u64]) {
        let code = self.code();
        let pc = self.frames.top().pc.0 as usize;
        let Insn::MergePoint {
            greens: green_regs,
            reds: red_regs,
        } = &code.insns[pc]
        else {
            unreachable!("a verified unit has a merge point where it says");
        };
        for (&reg, &word) in green_regs.iter().zip(greens) {
            let known = self.constant(code.regs[usize::from(reg.0)], word);
            self.set(reg, known);
        }
        for (&reg, &word) in red_regs.iter().zip(reds) {
            let value = self.trace.value(code.regs[usize::from(reg.0)]);
            self.trace.inputs.push(value);
            self.set(
                reg,
                TracedValue {
                    word,
                    val: Arg::Ref(value),
                },
            );
        }
    }
}
