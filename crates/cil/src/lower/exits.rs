//! Links and ends of blocks, and the ways out behind the blocks.

use crate::activation::{Activation, next_block};
use crate::code::{Kind, Label};
use crate::instructions::*;
use crate::locals::{Local, kind_of};
use crate::lower::state::{Exit, Lower, Source, exit_word};
use std::mem::offset_of;
use std::rc::Rc;
use verdigris_heap::Context;
use verdigris_layered::{ArgPlace, BlockEnd, GuardLink, InputArgs, Link, MethodBlockId};
use verdigris_ops::Ty;
use verdigris_trace::Arg;

impl<'m> Lower<'m> {
    /// Loads the parameters of a block from the slots.
    pub(super) fn load_params(&mut self, number: usize) {
        let block = &self.method.blocks()[number];
        let types: Vec<Ty> = self.method.types(&block.params).collect();
        let (locals, _) = self.blocks[number].clone();
        self.find_slots(&types);
        for (place, (ty, local)) in
            InputArgs::places(types.iter().copied()).zip(types.iter().zip(locals))
        {
            self.slot(place);
            self.code.op(match kind_of(*ty) {
                Kind::Float => LDIND_R8,
                Kind::Address => LDIND_I,
                Kind::Int | Kind::Short => LDIND_I8,
            });
            self.code.variable(STLOC, local);
        }
    }

    /// Writes arguments to the slots.
    fn store_args(&mut self, types: &[Ty], args: &[Source]) {
        self.find_slots(types);
        for (place, (&ty, &arg)) in
            InputArgs::places(types.iter().copied()).zip(types.iter().zip(args))
        {
            self.slot(place);
            self.source(arg);
            self.code.op(match kind_of(ty) {
                Kind::Float => STIND_R8,
                Kind::Address => STIND_I,
                Kind::Int | Kind::Short => STIND_I8,
            });
        }
    }

    /// Puts the addresses of the slots for arguments of these types in variables.
    fn find_slots(&mut self, types: &[Ty]) {
        for kind in 0..self.slot_starts.len() {
            if !InputArgs::places(types.iter().copied()).any(|place| place.kind == kind) {
                continue;
            }
            let local = match self.slot_starts[kind] {
                Some(local) => local,
                None => self.locals.fresh(Kind::Address),
            };
            self.slot_starts[kind] = Some(local);
            self.code.op(LDARG_2);
            self.offset(offset_of!(Activation, starts));
            self.code.op(LDIND_I);
            self.offset(8 * kind);
            self.code.op(LDIND_I);
            self.code.variable(STLOC, local);
        }
    }

    /// Pushes the address of a slot.
    fn slot(&mut self, place: ArgPlace) {
        let start = self.slot_starts[place.kind].expect("the slots have been found");
        self.code.variable(LDLOC, start);
        self.offset(8 * place.slot);
    }

    fn source(&mut self, source: Source) {
        match source {
            Source::Local(local) => self.code.variable(LDLOC, local),
            Source::Zero => self.code.int(0),
            Source::Arg(arg) => self.value(arg),
        }
    }

    /// Goes on at a block with these arguments.
    fn follow(&mut self, link: Link, types: &[Ty], args: &[Source]) {
        match link {
            Link::Internal(number) => {
                let (params, body) = self.blocks[usize::from(number)].clone();
                // All are pushed before one is stored, since some may change places.
                let moved = |&(&param, &arg): &(&Local, &Source)| match arg {
                    Source::Arg(Arg::Ref(value)) => self.locals.of(value) != param,
                    Source::Local(local) => local != param,
                    _ => true,
                };
                let moves: Vec<(&Local, &Source)> = params.iter().zip(args).filter(moved).collect();
                moves.iter().for_each(|(_, arg)| self.source(**arg));
                for &(&param, _) in moves.iter().rev() {
                    self.code.variable(STLOC, param);
                }
                self.code.branch(BR, body);
            }
            Link::External(block) => {
                self.store_args(types, args);
                self.leave(block);
            }
        }
    }

    /// Returns the id of the next block.
    fn leave(&mut self, block: MethodBlockId) {
        self.code.short(block.word() as i32);
        self.code.op(RET);
    }

    /// The end of a block.
    pub(super) fn end(&mut self, end: &'m BlockEnd) {
        let sources =
            |args: &[Arg]| -> Vec<Source> { args.iter().map(|&arg| Source::Arg(arg)).collect() };
        match end {
            BlockEnd::Goto(link, args) => {
                let types: Vec<Ty> = args.iter().map(|&arg| self.ty(arg)).collect();
                self.follow(*link, &types, &sources(args));
            }
            BlockEnd::Finish(values) => {
                let nothing = [Arg::int(0)];
                let values = if values.is_empty() {
                    &nothing
                } else {
                    &values[..]
                };
                for (n, &value) in values.iter().enumerate() {
                    self.context_place(exit_word(n));
                    self.word(value);
                    self.code.op(STIND_I8);
                }
                self.leave(MethodBlockId::FINISH);
            }
            BlockEnd::Thread(args) => {
                let types: Vec<Ty> = args.iter().map(|&arg| self.ty(arg)).collect();
                self.store_args(&types, &sources(args));
                self.value(args[0]);
                self.code.ops(&[CONV_I, LDIND_U4, RET]);
            }
            // Nothing comes behind the guard.
            BlockEnd::Leave => {}
        }
    }

    /// The way out for exhausted memory.
    pub(super) fn out_of_memory(&mut self) -> Label {
        match self.out_of_memory {
            Some(label) => label,
            None => {
                let label = self.code.label();
                self.out_of_memory = Some(label);
                label
            }
        }
    }

    /// Writes what is rarely executed.
    pub(super) fn cold(&mut self) {
        for slow in std::mem::take(&mut self.slow_allocations) {
            self.slow_allocation(&slow);
        }
        for exit in std::mem::take(&mut self.exits) {
            self.exit(exit);
        }
        if let Some(label) = self.out_of_memory {
            self.code.bind(label);
            self.leave(MethodBlockId::OUT_OF_MEMORY);
        }
    }

    fn exit(&mut self, exit: Exit<'m>) {
        self.code.bind(exit.label);
        if let Some(state) = exit.state {
            self.context_place(offset_of!(Context, resumed));
            self.code.variable(LDLOC, state);
            self.code.op(STIND_I8);
        }
        let switch = match exit.link {
            GuardLink::Side(link) => return self.follow(link, &exit.types, &exit.args),
            GuardLink::Switch(switch) => switch,
        };
        if switch.is_forced() {
            self.address(switch.forced_byte() as u64);
            self.code.short(0);
            self.code.op(STIND_I1);
        }
        self.store_args(&exit.types, &exit.args);
        self.address(Rc::as_ptr(switch).expose_provenance() as u64);
        self.code.op(LDARG_2);
        let next = next_block as *const () as usize;
        self.call_address(next, &[Kind::Address; 2], Some(Kind::Short));
        self.code.op(RET);
    }
}
