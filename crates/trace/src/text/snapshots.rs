//! The text of snapshots: frames `@ code:pc registers`, innermost first.

use super::form::TraceForm;
use super::parse::{Frame, Parser};
use super::print::Printer;
use super::scan::Parsed;
use crate::exits::ExitId;
use crate::snapshots::{SnapshotId, Snapshots};
use crate::value::Arg;
use cranelift_entity::EntityRef;
use std::fmt::{self, Write};

impl TraceForm for Snapshots {
    fn parse_exit(parser: &mut Parser<'_, Snapshots>) -> Parsed<SnapshotId> {
        parser.scan.expect("@")?;
        parser.snapshot()
    }

    fn parse_arrival(parser: &mut Parser<'_, Snapshots>) -> Parsed<()> {
        if parser.scan.eat("@") {
            parser.trace.exits.arrival = Some(parser.snapshot()?);
        }
        Ok(())
    }

    fn print_exit(printer: &mut Printer<'_, Snapshots>, exit: ExitId) -> fmt::Result {
        printer.out.push('\n');
        match printer.trace.exits.guards.get(exit) {
            Some(&snapshot) => printer.snapshot(snapshot),
            None => writeln!(printer.out, "  unknown exit {}", exit.index()),
        }
    }

    fn print_arrival(printer: &mut Printer<'_, Snapshots>) -> fmt::Result {
        let arrival = printer.trace.exits.arrival;
        arrival.map_or(Ok(()), |snapshot| printer.snapshot(snapshot))
    }
}

impl Parser<'_, Snapshots> {
    /// A snapshot of the frames that follow, innermost first; the outer ones are shared with other
    /// snapshots.
    fn snapshot(&mut self) -> Parsed<SnapshotId> {
        let innermost = self.frame(Self::val)?;
        let mut outer = Vec::new();
        while self.scan.eat("|") {
            outer.push(self.frame(Self::val)?);
        }
        let parent = outer.into_iter().rev().fold(None, |parent, frame| {
            Some(self.known_snapshot(frame, parent))
        });
        Ok(self.known_snapshot(innermost, parent))
    }

    fn known_snapshot(&mut self, frame: Frame<Arg>, parent: Option<SnapshotId>) -> SnapshotId {
        let Frame { code, pc, regs } = frame;
        let is_it = |id: &SnapshotId| {
            let snapshot = self.trace.snapshot(*id);
            (snapshot.code, snapshot.pc, snapshot.parent) == (code, pc, parent)
                && snapshot.regs().eq(regs.iter().copied())
        };
        let known = self.trace.snapshots(0).map(|(id, _)| id).find(is_it);
        known.unwrap_or_else(|| {
            let regs = regs.into_iter();
            self.trace.push_snapshot((code, pc), regs, parent)
        })
    }
}

impl Printer<'_, Snapshots> {
    fn snapshot(&mut self, snapshot: SnapshotId) -> fmt::Result {
        self.out.push_str("  @");
        let mut next = Some(snapshot);
        while let Some(id) = next {
            if id.index() >= self.trace.exits.len() {
                return writeln!(self.out, " unknown snapshot {}", id.index());
            }
            let snapshot = self.trace.snapshot(id);
            write!(self.out, " {}:{}", snapshot.code, snapshot.pc)?;
            for (reg, val) in snapshot.regs() {
                write!(self.out, " r{reg}=")?;
                self.val(val)?;
            }
            next = snapshot.parent;
            self.out.push_str(if next.is_some() { " |" } else { "\n" });
        }
        Ok(())
    }
}
