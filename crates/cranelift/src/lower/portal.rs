//! Calls of the portal by compiled code: a direct call of the code for these greens while there is
//! any, else a call of the runner.
//!
//! The engine keeps a word for each callee with the address of its code. It finishes the call if
//! the callee leaves its code otherwise than by its end. Source: RPython's `call_assembler`.

use crate::compiler::{WORD, clif_type, trusted, trusted_cast};
use crate::enter::finish_call;
use crate::lower::state::{ExitArgs, Goes, Lower};
use crate::trampolines::{exit_offset, label_signature};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use smallvec::SmallVec;
use std::mem::offset_of;
use verdigris_backend::direct_callee;
use verdigris_heap::Context;
use verdigris_ops::{FnInfo, Ty};
use verdigris_trace::{Opcode, OptimisedOp, ValRef};

/// The results of a call.
type Results = SmallVec<[Value; 4]>;

impl Lower<'_, '_> {
    /// The word with the address of a callee's code, and the number of its greens, if the call can
    /// go there directly.
    pub(crate) fn callee(&self, info: &FnInfo, op: OptimisedOp<'_>) -> Option<(u64, usize)> {
        direct_callee(self.links.callees?, info, op.args())
    }

    /// The index and the values of a `guard_no_panic` behind a call of the portal, if only ways
    /// other than the direct one have to test it: code that ends as it should has no panic.
    pub(crate) fn guard_of_call(
        &mut self,
        guard: OptimisedOp<'_>,
        call: OptimisedOp<'_>,
    ) -> Option<(usize, ExitArgs)> {
        let defined = |arg: &ValRef| call.definitions().any(|value| value == *arg);
        let fits = guard.opcode() == Opcode::GuardNoPanic && !guard.fail_args().iter().any(defined);
        if self.links.forced || !fits {
            return None;
        }
        let args = self.exit_args(guard.fail_args(), None, None);
        Some((self.count_guard(), args))
    }

    /// Calls the portal from its merge point on. Returns the results.
    pub(crate) fn call_portal(
        &mut self,
        info: &FnInfo,
        op: OptimisedOp<'_>,
        (callee, greens): (u64, usize),
        guard: Option<(usize, ExitArgs)>,
    ) -> Results {
        // Both ways need them, so they are computed in front of the branch.
        for arg in op.args().iter() {
            self.value(arg);
        }
        let (direct, slow) = (self.b.create_block(), self.cold_block());
        let (otherwise, join) = (self.cold_block(), self.b.create_block());
        for &ty in &info.ret {
            self.b.append_block_param(join, clif_type(ty));
            self.b.append_block_param(otherwise, clif_type(ty));
        }
        let code = self.choose(callee, direct, slow);
        self.b.switch_to_block(direct);
        self.call_directly(info, op, code, greens, (join, otherwise));
        self.b.switch_to_block(slow);
        let call = self.call_in_memory(info, op);
        let first = self.b.inst_results(call)[0];
        let results = self.results_of_call(&info.ret, first);
        self.jump_with(otherwise, &results);
        self.b.switch_to_block(otherwise);
        let results: Results = self.b.block_params(otherwise).into();
        if let Some((index, args)) = guard {
            let panicked = self.panicked();
            self.leave_if(panicked, true, Goes::Out(index), args);
            let going_on = self.b.current_block().expect("code is being added");
            self.b.set_cold_block(going_on);
        }
        self.jump_with(join, &results);
        self.b.switch_to_block(join);
        self.b.block_params(join).into()
    }

    /// Goes to `direct` if the callee has code and the stack has room for it. Returns the code's
    /// address.
    fn choose(&mut self, callee: u64, direct: Block, slow: Block) -> Value {
        let context = self.context();
        let word = self.address(callee);
        let code = self.b.ins().load(WORD, trusted(), word, 0);
        let has_room = self.b.create_block();
        self.b.ins().brif(code, has_room, &[], slow, &[]);
        self.b.switch_to_block(has_room);
        let here = self.b.ins().get_stack_pointer(WORD);
        let limit = offset_of!(Context, stack_limit) as i32;
        let limit = self.b.ins().load(WORD, trusted(), context, limit);
        let fits = (self.b.ins()).icmp(IntCC::UnsignedGreaterThan, here, limit);
        self.b.ins().brif(fits, direct, &[], slow, &[]);
        code
    }

    /// Calls code, and goes on at `join` with its results if it ends as it should, else at
    /// `otherwise`.
    fn call_directly(
        &mut self,
        info: &FnInfo,
        op: OptimisedOp<'_>,
        code: Value,
        greens: usize,
        (join, otherwise): (Block, Block),
    ) {
        let reds: Vec<Value> = op
            .args()
            .iter()
            .skip(greens)
            .map(|red| self.value(red))
            .collect();
        let signature = label_signature(&info.params[greens..]);
        let signature = self.b.import_signature(signature);
        let call = self.b.ins().call_indirect(signature, code, &reds);
        let returned: SmallVec<[Value; 3]> = self.b.inst_results(call).into();
        let finish = self.address(self.links.finish);
        let finished = self.b.ins().icmp(IntCC::Equal, returned[0], finish);
        let (left, done) = (self.cold_block(), self.b.create_block());
        self.b.ins().brif(finished, done, &[], left, &[]);
        self.b.switch_to_block(done);
        let results = self.results_of_code(&info.ret, &returned[1..]);
        self.jump_with(join, &results);
        self.b.switch_to_block(left);
        let signature = self.runtime_signature(2);
        let helper = self.address(finish_call as *const () as u64);
        let context = self.context();
        (self.b.ins()).call_indirect(signature, helper, &[context, returned[0]]);
        let results = self.results_of_code(&info.ret, &[]);
        self.jump_with(otherwise, &results);
    }

    /// The results of code that has ended: the first as these words, the others in the exit buffer.
    fn results_of_code(&mut self, types: &[Ty], words: &[Value]) -> Results {
        let context = self.context();
        let mut results = Results::new();
        for (n, &ty) in types.iter().enumerate() {
            let place = exit_offset(n);
            results.push(match (words.get(n), ty) {
                (Some(&word), Ty::Float) => {
                    (self.b.ins()).bitcast(clif_type(ty), trusted_cast(), word)
                }
                (Some(&word), _) => word,
                (None, _) => (self.b.ins()).load(clif_type(ty), trusted(), context, place),
            });
        }
        results
    }

    /// The results of a call that has given the first of them as a word; the others are in the
    /// context.
    pub(crate) fn results_of_call(&mut self, types: &[Ty], first: Value) -> Results {
        let mut results = Results::new();
        let context = self.context();
        for (n, &ty) in types.iter().enumerate() {
            let place = (offset_of!(Context, results) + 8 * n) as i32;
            results.push(match (n, ty) {
                (0, Ty::Float) => {
                    let flags = trusted_cast();
                    self.b.ins().bitcast(clif_type(ty), flags, first)
                }
                (0, _) => first,
                _ => (self.b.ins()).load(clif_type(ty), trusted(), context, place),
            });
        }
        results
    }
}
