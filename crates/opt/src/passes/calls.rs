//! Residual calls.
//!
//! Elidable calls are folded and shared. Read-only ones are shared until something is written that
//! they read, so a loop that leaves those slots alone makes them before it starts. Opaque ones see
//! and change the slots that their effects name: delayed stores there are done before the call, and
//! what is known of slots that it writes is forgotten behind it. A store that stays delayed is
//! carried by the call's `guard_no_panic`, which also keeps its value alive during the call.
//!
//! Invariant: the results of a call are known together or not at all.

use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use crate::state::heap_table::Written;
use crate::state::node::{Node, NodeId, Real};
use crate::state::pure_table::PureKey;
use smallvec::SmallVec;
use verdigris_ops::{Descrs, FnId, FnKind, HeapSlot, Places, Ty};
use verdigris_trace::{Arg, Descr, Opcode, RecordedOp};

/// The results of a call.
type Results = SmallVec<[NodeId; 4]>;
/// The key of each of them.
type Keys = SmallVec<[PureKey; 2]>;

impl Section {
    /// A residual call.
    pub fn call(&mut self, cx: &mut Cx<'_>, op: RecordedOp<'_>) -> Results {
        let function = op.function();
        let args = self.arg_nodes(op);
        self.call.removed = false;
        self.call.kept.clear();
        match cx.descrs.fns[function].kind {
            // The tracer records no calls of `as_recorded`. If a trace had one, it could be folded
            // as an elidable one.
            FnKind::Elidable | FnKind::Recorded => self.elidable_call(cx, op, function, args),
            FnKind::Readonly => self.readonly_call(cx, op, args),
            FnKind::Conditional if cx.passes.fold && self.nodes.is_zero(args[0]) => {
                self.call.removed = true;
                Results::new()
            }
            FnKind::Opaque | FnKind::Conditional | FnKind::Portal | FnKind::Runner => {
                // Arguments first: what they refer to escapes, and the callee sees the stores to
                // it.
                let vals = self.call_args(cx, op, &args);
                let descrs = cx.descrs;
                let effects = &descrs.fns[function].effects;
                let keeps = Section::keeps_across(cx, effects);
                let stays = |p: HeapSlot| keeps && p.is_virtualizable(descrs);
                self.flush_if(cx, |p| {
                    !stays(p) && (p.is_in(&effects.reads) || p.is_in(&effects.writes))
                });
                let results = self.emit_call(cx, op, &vals);
                if !Sabotage::TrustCall.is_on() {
                    self.heap.forget(|p| p.is_in(&effects.writes) && !stays(p));
                }
                self.heap
                    .variable_items
                    .forget(|class| effects.writes.has_items(class));
                if keeps {
                    self.note_kept(cx);
                }
                self.pure
                    .forget_calls(|f| descrs.fns[f].effects.reads.meets(&effects.writes));
                results
            }
        }
    }

    /// A call that writes nothing. What it reads is stored before, unless the result is known.
    fn readonly_call(
        &mut self,
        cx: &mut Cx<'_>,
        op: RecordedOp<'_>,
        args: SmallVec<[NodeId; 3]>,
    ) -> Results {
        let keys = self.result_keys(cx, op.descr(), &args);
        if let Some(known) = self.known_results(cx, &keys) {
            return self.known_call(cx, op, &args, known);
        }
        let vals = self.call_args(cx, op, &args);
        let function = op.function();
        let reads = &cx.descrs.fns[function].effects.reads;
        self.flush_if(cx, |p| p.is_in(reads));
        let results = self.emit_call(cx, op, &vals);
        if cx.passes.pure && !results.is_empty() {
            self.enter_results(keys, &results);
            self.pure.watch(function);
        }
        results
    }

    /// Forgets the results of read-only calls that may read what is about to be written.
    pub fn forget_readers(&mut self, descrs: &Descrs, slot: Written) {
        self.pure.forget_calls(|f| {
            let reads = &descrs.fns[f].effects.reads;
            match slot {
                Written::Field(field) => reads.has_field(field),
                Written::Items(class) => reads.has_items(class),
            }
        });
    }

    fn elidable_call(
        &mut self,
        cx: &mut Cx<'_>,
        op: RecordedOp<'_>,
        function: FnId,
        args: SmallVec<[NodeId; 3]>,
    ) -> Results {
        let descrs = cx.descrs;
        let types = &descrs.fns[function].ret[..];
        if cx.passes.fold
            && !types.is_empty()
            && let Some(words) = self.const_words(&args)
            && let Some(words) = cx.host.call(function, &words)
        {
            self.call.removed = true;
            let words = types.iter().zip(words);
            let known = words.map(|(&ty, word)| match ty {
                Ty::Word => self.constant_word(cx, word),
                ty => self.constant(ty, word),
            });
            let known = known.collect();
            return self.known_call(cx, op, &args, known);
        }
        let keys = self.result_keys(cx, op.descr(), &args);
        if let Some(known) = self.known_results(cx, &keys) {
            return self.known_call(cx, op, &args, known);
        }
        let vals = self.call_args(cx, op, &args);
        let results = self.emit_call(cx, op, &vals);
        if cx.passes.pure {
            self.enter_results(keys, &results);
        }
        results
    }

    /// Returns the known results of a call. With `check_hints`, the call is made all the same.
    fn known_call(
        &mut self,
        cx: &mut Cx<'_>,
        op: RecordedOp<'_>,
        args: &[NodeId],
        known: Results,
    ) -> Results {
        if cx.check_hints {
            let vals = self.call_args(cx, op, args);
            self.flush_all(cx);
            let now = self.emit_call(cx, op, &vals);
            self.unchecked
                .extend(now.into_iter().zip(known.iter().copied()));
            self.call.removed = false;
        }
        known
    }

    /// The results of a call, if all of them are known; then the call is removed.
    fn known_results(&mut self, cx: &Cx<'_>, keys: &[PureKey]) -> Option<Results> {
        if !cx.passes.pure || keys.is_empty() {
            return None;
        }
        let known: Option<Results> = keys.iter().map(|key| self.known_result(key)).collect();
        self.call.removed = known.is_some();
        known
    }

    fn enter_results(&mut self, keys: Keys, results: &[NodeId]) {
        for (key, &n) in keys.into_iter().zip(results) {
            self.enter_result(key, n);
        }
    }

    /// The keys of a call's results.
    fn result_keys(&mut self, cx: &Cx<'_>, descr: Descr, args: &[NodeId]) -> Keys {
        let results = cx.descrs.fns[descr.function()].ret.len();
        (0..results)
            .map(|n| self.result_key(descr, args, n))
            .collect()
    }

    /// The key of the `n`-th result of a call. All but the first have their number as an additional
    /// argument.
    fn result_key(&mut self, descr: Descr, args: &[NodeId], n: usize) -> PureKey {
        let mut args = SmallVec::from_slice(args);
        if n > 0 {
            args.push(self.constant(Ty::Int, n as u64));
        }
        PureKey {
            opcode: Opcode::Call,
            descr,
            args,
        }
    }

    /// The values that a call passes.
    fn call_args(
        &mut self,
        cx: &mut Cx<'_>,
        op: RecordedOp<'_>,
        args: &[NodeId],
    ) -> SmallVec<[Arg; 3]> {
        let descrs = cx.descrs;
        self.force_all_as(cx, args, &descrs.fns[op.function()].params)
    }

    fn emit_call(&mut self, cx: &Cx<'_>, op: RecordedOp<'_>, vals: &[Arg]) -> Results {
        let seq = self.next_seq();
        let types = &cx.descrs.fns[op.function()].ret;
        let values = self.code.trace.push_call(op.function(), vals, types);
        let values = values.zip(types);
        let results = values
            .map(|(val, &ty)| self.nodes.add(Node::Real(Real::new(val, ty, seq))))
            .collect();
        self.forget_suspects(cx.descrs, op.function());
        results
    }

    /// Forgets the words of values that a call may have changed against a promise. Delayed words
    /// stay known whatever memory holds, and are stored as a whole.
    fn forget_suspects(&mut self, descrs: &Descrs, function: FnId) {
        let suspects = &descrs.fns[function].effects.suspects;
        if *suspects == Places::none() {
            return;
        }
        let doubtful = |p: HeapSlot| p.is_in(suspects) && p.is_part(descrs);
        self.heap.retain(|p, _| !doubtful(p));
        self.heap
            .variable_items
            .forget(|class| doubtful(HeapSlot::Item(class, 0)));
    }
}
