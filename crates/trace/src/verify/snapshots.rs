//! Checks snapshots. Outer frames stand in front of inner ones, so following them ends.

use super::{Check, CheckExits, Verifier};
use crate::table::Opcode;
use crate::trace::exits::ExitId;
use crate::trace::op::Operation;
use crate::trace::snapshots::{SnapshotId, Snapshots};
use cranelift_entity::EntityRef;

impl CheckExits for Snapshots {
    fn check_exit(
        verifier: &mut Verifier<'_, Snapshots>,
        op: Operation<'_, Snapshots>,
        exit: ExitId,
        _: usize,
    ) -> Check {
        if op.opcode() == Opcode::GuardNotForced {
            let name = op.opcode().name();
            return Err(format!("{name} is in optimised traces alone"));
        }
        verifier.snapshot(verifier.trace.exits.guards[exit])
    }

    fn check_end(verifier: &mut Verifier<'_, Snapshots>, end: Opcode) -> Check {
        match verifier.trace.exits.arrival {
            None => Ok(()),
            Some(arrival) if end == Opcode::Jump => verifier.snapshot(arrival),
            Some(_) => Err(format!("{} arrives nowhere", end.name())),
        }
    }
}

impl Verifier<'_, Snapshots> {
    fn snapshot(&mut self, snapshot: SnapshotId) -> Check {
        let mut next = Some(snapshot);
        while let Some(id) = next {
            if id.index() >= self.trace.exits.len() {
                return Err(format!("snapshot {id} is unknown"));
            }
            let snapshot = self.trace.snapshot(id);
            if std::mem::replace(&mut self.seen[id], self.section) == self.section {
                return Ok(());
            }
            self.frame(snapshot.regs().map(|r| r.0))?;
            for (_, val) in snapshot.regs() {
                self.val(val)?;
            }
            if snapshot.parent.is_some_and(|p| p >= id) {
                return Err(format!("the outer frame of snapshot {id} comes behind it"));
            }
            next = snapshot.parent;
        }
        Ok(())
    }
}
