//! Dead code: pure operations and loads whose results are not needed, and loop parameters that only
//! feed themselves. Guards, stores, calls and allocations stay.

use crate::section::Section;
use verdigris_trace::{Arg, OpArgs, OptimisedOp, ValRef};

/// Removes the pure operations and loads whose results nothing in the section needs.
pub(crate) fn remove_dead(section: &mut Section) {
    let live = Liveness::of(section, false);
    live.sweep(section);
}

/// The same for a section that jumps to its own start; also removes parameters and the values
/// passed for them. Returns a flag for each parameter: whether it stays.
pub(crate) fn remove_dead_loop(section: &mut Section) -> Vec<bool> {
    let live = Liveness::of(section, true);
    live.sweep(section);
    let needed: Vec<bool> = section.code.params.iter().map(|&p| live.is(p)).collect();
    let mut keep = needed.iter();
    section
        .code
        .params
        .retain(|_| *keep.next().expect("a flag each"));
    keep_jump_args(section, &needed);
    needed
}

/// Drops the values that the final jump passes for unneeded parameters.
pub(crate) fn keep_jump_args(section: &mut Section, needed: &[bool]) {
    section.code.trace.retain_last_args(needed);
}

struct Liveness {
    live: Vec<bool>,
}

impl Liveness {
    /// Marks needed values, backwards. In a loop, a value passed for a parameter is needed if the
    /// parameter is.
    fn of(section: &Section, own_loop: bool) -> Liveness {
        let mut this = Liveness {
            live: vec![false; section.code.trace.types.len()],
        };
        let ops = section.code.trace.ops();
        let last = ops.last().expect("a section has an end");
        let end = last.args();
        let ops = ops.slice(0..ops.len() - 1);
        if !own_loop {
            this.mark_all(end);
            this.mark_exit(last);
        }
        loop {
            for op in ops.iter().rev() {
                if !op.opcode().is_removable() || op.result().is_some_and(|v| this.is(v)) {
                    this.mark_all(op.args());
                    this.mark_exit(op);
                }
            }
            let mut grew = false;
            if own_loop {
                for (&param, arg) in section.code.params.iter().zip(end.iter()) {
                    if this.is(param)
                        && let Arg::Ref(v) = arg
                        && !this.is(v)
                    {
                        this.live[v.as_u32() as usize] = true;
                        grew = true;
                    }
                }
            }
            if !grew {
                return this;
            }
        }
    }

    fn is(&self, v: ValRef) -> bool {
        self.live[v.as_u32() as usize]
    }

    fn mark_all(&mut self, args: OpArgs<'_>) {
        for v in args.values() {
            self.live[v.as_u32() as usize] = true;
        }
    }

    fn mark_exit(&mut self, op: OptimisedOp<'_>) {
        for &v in op.fail_args() {
            self.live[v.as_u32() as usize] = true;
        }
    }

    fn sweep(&self, section: &mut Section) {
        section
            .code
            .retain(|op| !op.opcode().is_removable() || op.result().is_some_and(|v| self.is(v)));
    }
}
