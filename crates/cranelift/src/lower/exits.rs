//! Exits: a guard branches to a cold block, which tail-calls the target of the guard's descriptor
//! (a stub or a bridge) with the descriptor and the fail arguments.
//!
//! Every guard has a cold block of its own, in which everything is computed that only the exit
//! needs; guards whose values have the same types share the tail call behind it, which halves
//! compile time and code size.

use crate::compiler::{WORD, trusted, trusted_cast};
use crate::enter::ExitDescr;
use crate::lower::state::{ExitArg, ExitArgs, Goes, GuardExit, Lower};
use crate::trampolines::{ExitShape, exit_order, exit_signature, return_exit};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};
use smallvec::SmallVec;
use std::mem::offset_of;
use verdigris_heap::Context;
use verdigris_trace::TargetId;

/// How many guards share a tail call: register allocation takes quadratic time in it, and more
/// saves no code.
const SHARING: u32 = 32;

impl Lower<'_, '_> {
    /// Leaves if `test` is not zero (or if it is zero, as `when` says); goes on otherwise.
    pub(crate) fn leave_if(&mut self, test: Value, when: bool, goes: Goes, args: ExitArgs) {
        let exit = self.cold_block();
        if self.links.forced
            && let Goes::Out(index) = goes
        {
            let descr = self.descr(index);
            let forced = (self.b.ins()).load(WORD, trusted(), descr, ExitDescr::FORCED);
            self.branch(forced, true, exit);
        }
        self.branch(test, when, exit);
        self.exits.guards.push(GuardExit {
            block: exit,
            origin: self.origin,
            goes,
            args,
            state: None,
        });
    }

    fn branch(&mut self, test: Value, when: bool, exit: Block) {
        let go_on = self.b.create_block();
        if when {
            self.b.ins().brif(test, exit, &[], go_on, &[]);
        } else {
            self.b.ins().brif(test, go_on, &[], exit, &[]);
        }
        self.b.switch_to_block(go_on);
    }

    /// The exit for exhausted memory.
    pub(crate) fn out_of_memory(&mut self) -> Block {
        if let Some(block) = self.exits.out_of_memory {
            return block;
        }
        let block = self.cold_block();
        self.exits.out_of_memory = Some(block);
        block
    }

    /// A block that is rarely executed.
    pub(crate) fn cold_block(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }

    /// Fills the cold blocks that the main line branches to.
    pub(crate) fn cold_blocks(&mut self) {
        for path in std::mem::take(&mut self.exits.slow) {
            self.b.set_srcloc(path.origin);
            self.slow_path(&path);
        }
        for exit in std::mem::take(&mut self.exits.guards) {
            self.b.set_srcloc(exit.origin);
            self.guard_exit(&exit);
        }
        if let Some(block) = self.exits.out_of_memory {
            self.b.switch_to_block(block);
            let exit = self.address(self.links.out_of_memory);
            return_exit(self.b, &[exit]);
        }
    }

    fn guard_exit(&mut self, exit: &GuardExit) {
        self.b.switch_to_block(exit.block);
        if let Some(state) = exit.state {
            let context = self.context();
            let resumed = offset_of!(Context, resumed) as i32;
            self.b.ins().store(trusted(), state, context, resumed);
        }
        let mut values: SmallVec<[Value; 16]> = SmallVec::new();
        if let Goes::Out(index) = exit.goes {
            values.push(self.descr(index));
        }
        for &arg in &exit.args {
            values.push(match arg {
                ExitArg::Value(value) => value,
                ExitArg::Word(word) => self.int(word),
                ExitArg::Again(bit) => self.compare_again(bit),
                ExitArg::Difference(sum, added) => self.b.ins().isub(sum, added),
                ExitArg::Bits(float) => self.b.ins().bitcast(WORD, trusted_cast(), float),
            });
        }
        let index = match exit.goes {
            Goes::Out(index) => index,
            Goes::Side(target) => return self.go_to_side(target, &values),
        };
        let shape = ExitShape::of(&self.links.guards[index].types);
        let Some(entry) = self.exits.shapes.get_mut(&shape) else {
            unreachable!("the shapes of all guards were counted");
        };
        match &mut entry.shared {
            _ if entry.guards == 1 => self.leave(shape, &values),
            Some((block, users)) if *users < SHARING => {
                *users += 1;
                let block = *block;
                self.jump_with(block, &values);
            }
            _ => self.leave_shared(shape, &values),
        }
    }

    /// Goes on at a label of the same trace with these values, which are in the order in which
    /// exits pass them.
    fn go_to_side(&mut self, target: TargetId, values: &[Value]) {
        let places = &mut self.links.targets.iter();
        let types = places.find(|place| place.0 == target);
        let types = types.map_or(&[][..], |place| &place.1.params);
        let mut args: SmallVec<[Value; 16]> = values.into();
        for (&value, n) in values.iter().zip(exit_order(types, |n| n)) {
            args[n] = value;
        }
        self.tail_call(target, &args);
    }

    /// Jumps to a tail call that other guards will share, and makes it.
    fn leave_shared(&mut self, shape: ExitShape, values: &[Value]) {
        let block = self.cold_block();
        if let Some(entry) = self.exits.shapes.get_mut(&shape) {
            entry.shared = Some((block, 1));
        }
        self.jump_with(block, values);
        self.b.switch_to_block(block);
        let params: SmallVec<[Value; 16]> = (exit_signature(shape).params.iter())
            .map(|param| self.b.append_block_param(block, param.value_type))
            .collect();
        self.leave(shape, &params);
    }

    pub(crate) fn jump_with(&mut self, block: Block, values: &[Value]) {
        let args: SmallVec<[BlockArg; 16]> = values.iter().map(|&v| v.into()).collect();
        self.b.ins().jump(block, &args);
    }

    fn leave(&mut self, shape: ExitShape, args: &[Value]) {
        let descr = args[0];
        if self.links.forced {
            let zero = self.int(0);
            (self.b.ins()).store(trusted(), zero, descr, ExitDescr::FORCED);
        }
        let target = (self.b.ins()).load(WORD, trusted(), descr, ExitDescr::TARGET);
        let signature = self.b.import_signature(exit_signature(shape));
        self.b.ins().return_call_indirect(signature, target, args);
    }

    pub(crate) fn descr(&mut self, index: usize) -> Value {
        let address = self.links.guards[index].address();
        self.address(address)
    }
}
