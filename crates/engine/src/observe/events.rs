//! The log's stage `events`: a line for each thing that happens to code, with the guest program's
//! line and the interpreter's, as far as they are known. A guard that fails again and again, and a
//! place that waits, are told at the first, tenth, hundredth time, and so on, and at the end.

use crate::code::guard_info::GuardInfo;
use crate::code::trees::Tree;
use crate::observe::event::{
    AbortInfo, Event, GuardExit, InstalledCode, InterpretedFor, TraceInfo,
};
use crate::observe::event_counts::EventCounts;
use crate::observe::observers::Observers;
use crate::policy::reasons::FreeReason;
use verdigris_report::units::{bytes, count, time};
use verdigris_report::{LogStage, WhyInterpreted};
use verdigris_resume::FrameStack;
use verdigris_trace::GuardId;

impl Observers {
    pub(super) fn tell_event(&self, event: &Event<'_>) {
        let Some(counts) = &self.event_counts else {
            return;
        };
        match *event {
            Event::Compiled(trace, code) => self.tell_made(trace, code),
            Event::RecordingAborted { frames } => {
                counts.ended.replace(self.innermost_line(frames));
            }
            Event::Aborted(abort) => self.tell_given_up(abort, counts.ended.take()),
            Event::StencilAborted { title, failed, .. } => {
                self.tell("given up", &format!("{title}: {}", failed.detail));
            }
            Event::TooLittleStack { origin, greens, .. } => {
                let at = self.show_origin(origin, greens);
                self.tell("given up", &format!("{at}: too little stack, this time"));
            }
            Event::GuardFailed {
                guard,
                info,
                greens,
                exit: GuardExit::Failed(_),
                ..
            } => self.tell_left(counts, guard, info, greens),
            Event::Passed {
                hash, greens, then, ..
            } => self.tell_interpreted(counts, hash, greens, then),
            Event::TierChanged { greens, change } => {
                let at = self.show_place(greens);
                self.tell("tier", &format!("header {at}: {change}"));
            }
            Event::GuardBlocked { guard, greens, why } => {
                let guard = self.show_guard(guard, greens);
                self.tell("given up", &format!("arms of {guard}: {why}"));
            }
            Event::CompilingWaits { cost, allowed, .. } => {
                let (cost, allowed) = (time(cost), time(allowed));
                self.tell(
                    "waits",
                    &format!("compiling, which has taken {cost} of {allowed}"),
                );
            }
            Event::CompilingGoesOn { .. } => self.tell("goes on", "compiling"),
            Event::Freed {
                reason,
                trees,
                bytes,
                ..
            } => self.tell_freed(reason, trees, bytes),
            Event::Invalidated { traces } => {
                let traces = traces.iter().map(|trace| trace.to_string());
                let traces = traces.collect::<Vec<String>>().join(", ");
                self.tell(
                    "invalid",
                    &format!("trace {traces}: a `Quasi` field was written"),
                );
            }
            _ => {}
        }
    }

    /// One line: a word in a column, and the rest.
    fn tell(&self, word: &str, rest: &str) {
        self.log.text(LogStage::Events, || {
            (format!("{word:<8} {rest}"), String::new())
        });
    }

    fn tell_made(&self, trace: &TraceInfo<'_>, code: &InstalledCode<'_>) {
        let ops = trace.optimised.trace.ops();
        let resume = ops.iter().find_map(|op| op.resume());
        let line = resume.and_then(|resume| resume.frames.innermost());
        let line = line.map(|frame| self.interpreter_line(frame.code, frame.pc));
        let size = bytes(code.machine_code.code_bytes as u64);
        let (title, compiler) = (trace.title, trace.compiler);
        let at = beside(line);
        self.tell("made", &format!("{title} ({compiler}), {size}{at}"));
    }

    fn tell_given_up(&self, abort: &AbortInfo<'_>, line: Option<String>) {
        let at = self.show_origin(abort.origin.guard(), abort.greens);
        let rest = match abort.blocked {
            true => "; not tried again",
            false => "",
        };
        let (detail, line) = (&abort.failed.detail, beside(line));
        self.tell("given up", &format!("{at}: {detail}{rest}{line}"));
    }

    fn tell_left(
        &self,
        counts: &EventCounts,
        guard: GuardId,
        info: &GuardInfo,
        greens: Option<&[u64]>,
    ) {
        let mut left = counts.left.borrow_mut();
        let (times, about) = left.entry(guard).or_insert_with(|| {
            let frame = info.resume.frames.innermost();
            let line = frame.map(|frame| self.interpreter_line(frame.code, frame.pc));
            let (trace, line) = (info.trace, beside(line));
            let guard = self.show_guard(guard, greens);
            (0, format!("trace {trace} by {guard}{line}"))
        });
        *times += 1;
        if is_told(*times) {
            self.tell("left", &format!("{about}: {}", count(*times, "time")));
        }
    }

    fn tell_interpreted(
        &self,
        counts: &EventCounts,
        hash: u64,
        greens: &[u64],
        then: Option<InterpretedFor>,
    ) {
        let Some(InterpretedFor { why, passes, .. }) = then else {
            return;
        };
        let passes = count(passes.into(), "pass");
        match why {
            WhyInterpreted::Resting => {
                let at = self.show_place(greens);
                self.tell("rests", &format!("header {at}, for {passes}"));
            }
            WhyInterpreted::Waiting => {
                let mut waited = counts.waited.borrow_mut();
                let times = waited.entry(hash).or_insert(0);
                *times += 1;
                if is_told(*times) {
                    let (at, times) = (self.show_place(greens), count(*times, "time"));
                    self.tell("waits", &format!("header {at}, for {passes}: {times}"));
                }
            }
            // An event of its own says so.
            WhyInterpreted::GivenUp | WhyInterpreted::Cold => {}
        }
    }

    fn tell_freed(&self, reason: FreeReason, trees: &[Tree], size: usize) {
        let size = bytes(size as u64);
        for tree in trees {
            let bridges = count(tree.bridges.into(), "bridge");
            let (title, all) = (&tree.title, count(trees.len() as u64, "tree"));
            self.tell(
                "freed",
                &format!("{title}, with {bridges}: {reason} ({all}, {size})"),
            );
        }
    }

    /// Tells how often guards have failed in all, where that has not been told.
    pub(crate) fn tell_end(&self) {
        let Some(counts) = &self.event_counts else {
            return;
        };
        let left = counts.left.borrow();
        let mut left: Vec<_> = left
            .iter()
            .filter(|(_, (times, _))| !is_told(*times))
            .collect();
        left.sort_by_key(|(guard, (times, _))| (std::cmp::Reverse(*times), guard.as_u32()));
        for (_, (times, about)) in left {
            self.tell("left", &format!("{about}: {times} times in all"));
        }
    }

    fn innermost_line(&self, frames: &FrameStack) -> Option<String> {
        let frame = frames.frames().last()?;
        Some(self.interpreter_line(frame.code.as_u32(), frame.pc.0))
    }
}

/// Behind what a line says: the interpreter's line.
fn beside(line: Option<String>) -> String {
    line.map_or(String::new(), |line| format!(", the interpreter at {line}"))
}

/// Whether a count is one, ten, a hundred, and so on.
fn is_told(times: u64) -> bool {
    times > 0 && 10u64.pow(times.ilog10()) == times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_told_ever_more_seldom() {
        let told: Vec<u64> = (0..=1000).filter(|times| is_told(*times)).collect();
        assert_eq!(told, [1, 10, 100, 1000]);
    }
}
