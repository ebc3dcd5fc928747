//! How compiled code leaves. In: a test, and the values to hand over. Out: a branch to a cold block that tail-calls the target
//! of the guard's descriptor (a stub or a bridge) with the descriptor and the values.
//!
//! Guards whose values have the same types share a cold block, which halves compile time and code size. A block for one
//! guard alone takes no parameters: its constants would otherwise be computed in front of the branch.

use crate::compiler::WORD;
use crate::enter::ExitDescr;
use crate::glue::{ExitShape, exit_signature, trusted};
use crate::lower::{Links, Lower};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, SigRef, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The cold blocks of a function.
pub(crate) struct Exits {
    shapes: FxHashMap<ExitShape, Shape>,
    /// Blocks for one guard each: the block, the guard's index, the values.
    single: Vec<(Block, usize, SmallVec<[Value; 16]>)>,
    /// The exit for exhausted memory.
    out_of_memory: Option<Block>,
    /// Slow paths of allocations.
    slow: Vec<SlowPath>,
}

struct Shape {
    guards: u32,
    shared: Option<Block>,
}

/// An allocation that the bump allocator cannot serve.
pub(crate) struct SlowPath {
    /// The block.
    pub(crate) block: Block,
    /// Where to go on with the object as the parameter.
    pub(crate) done: Block,
    /// Bytes to allocate.
    pub(crate) size: u32,
    /// The class word.
    pub(crate) class_word: i32,
}

impl Exits {
    /// Counts how many guards there are of each shape.
    pub(crate) fn new(links: &Links<'_>) -> Exits {
        let mut shapes = FxHashMap::default();
        for guard in links.guards {
            let shape = ExitShape::of(&guard.types);
            let entry = shapes.entry(shape).or_insert(Shape {
                guards: 0,
                shared: None,
            });
            // A guard that can be forced branches to its exit twice.
            entry.guards += 1 + u32::from(links.forced);
        }
        Exits {
            shapes,
            single: Vec::new(),
            out_of_memory: None,
            slow: Vec::new(),
        }
    }

    /// Remembers a slow path, to be filled at the end.
    pub(crate) fn add_slow(&mut self, path: SlowPath) {
        self.slow.push(path);
    }

    /// The slow paths so far.
    pub(crate) fn take_slow(&mut self) -> Vec<SlowPath> {
        std::mem::take(&mut self.slow)
    }
}

impl Lower<'_, '_> {
    /// Leaves through guard `index` if `test` is not zero (or if it is zero, as `when` says); goes on otherwise.
    pub(crate) fn leave_if(&mut self, test: Value, when: bool, index: usize, values: &[Value]) {
        let go_on = self.b.create_block();
        let shape = ExitShape::of(&self.links.guards[index].types);
        let (exit, args) = if self.exits.shapes[&shape].guards > 1 {
            let descr = self.descr(index);
            let args = std::iter::once(descr).chain(values.iter().copied());
            (self.shared_exit(shape), args.map(BlockArg::from).collect())
        } else {
            (
                self.single_exit(index, values),
                SmallVec::<[BlockArg; 16]>::new(),
            )
        };
        if when {
            self.b.ins().brif(test, exit, &args, go_on, &[]);
        } else {
            self.b.ins().brif(test, go_on, &[], exit, &args);
        }
        self.b.switch_to_block(go_on);
    }

    /// Leaves through guard `index` if it has still to fail once although it holds.
    pub(crate) fn leave_if_forced(&mut self, index: usize, values: &[Value]) {
        let descr = self.descr(index);
        let forced = self.b.ins().load(WORD, trusted(), descr, ExitDescr::FORCED);
        self.leave_if(forced, true, index, values);
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
        for path in self.exits.take_slow() {
            self.slow_path(&path);
        }
        let mut signatures = FxHashMap::default();
        for (block, index, values) in std::mem::take(&mut self.exits.single) {
            self.b.switch_to_block(block);
            let mut args: SmallVec<[Value; 16]> = SmallVec::new();
            args.push(self.descr(index));
            args.extend(values);
            let shape = ExitShape::of(&self.links.guards[index].types);
            let signature = *(signatures.entry(shape))
                .or_insert_with(|| self.b.import_signature(exit_signature(shape)));
            self.leave(signature, &args);
        }
        let shared = self.exits.shapes.iter();
        let mut shared: Vec<(Block, ExitShape)> = shared
            .filter_map(|(&shape, s)| Some((s.shared?, shape)))
            .collect();
        // In order of creation, so that the same trace gives the same code.
        shared.sort_by_key(|s| s.0);
        for (block, shape) in shared {
            self.b.switch_to_block(block);
            let args: SmallVec<[Value; 16]> = self.b.block_params(block).into();
            let signature = self.b.import_signature(exit_signature(shape));
            self.leave(signature, &args);
        }
        if let Some(block) = self.exits.out_of_memory {
            self.b.switch_to_block(block);
            let exit = self.address(self.links.out_of_memory);
            self.b.ins().return_(&[exit]);
        }
    }

    fn leave(&mut self, signature: SigRef, args: &[Value]) {
        let descr = args[0];
        if self.links.forced {
            let zero = self.int(0);
            self.b
                .ins()
                .store(trusted(), zero, descr, ExitDescr::FORCED);
        }
        let target = self.b.ins().load(WORD, trusted(), descr, ExitDescr::TARGET);
        self.b.ins().return_call_indirect(signature, target, args);
    }

    fn descr(&mut self, index: usize) -> Value {
        let address = self.links.guards[index].address();
        self.address(address)
    }

    fn shared_exit(&mut self, shape: ExitShape) -> Block {
        let known = self.exits.shapes[&shape].shared;
        known.unwrap_or_else(|| {
            let block = self.cold_block();
            for param in exit_signature(shape).params {
                self.b.append_block_param(block, param.value_type);
            }
            if let Some(entry) = self.exits.shapes.get_mut(&shape) {
                entry.shared = Some(block);
            }
            block
        })
    }

    fn single_exit(&mut self, index: usize, values: &[Value]) -> Block {
        let block = self.cold_block();
        self.exits.single.push((block, index, values.into()));
        block
    }
}
