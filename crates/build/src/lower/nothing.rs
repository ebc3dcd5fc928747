//! Computes `nothing` where it is an operand, since jitcode has no constants of type word. Adds at
//! most one operation to a block.

use verdigris_graph::{
    Block, Graph, GraphConst, GraphDescr, GraphOp, GraphOpcode, Pos, Val, ValueId,
};
use verdigris_ops::{DataOp, Ty};

/// Computes `nothing` in each block that uses it.
pub fn materialise(graph: &mut Graph) {
    let Graph { blocks, values, .. } = graph;
    for block in blocks.values_mut() {
        let mut made: Option<ValueId> = None;
        let mut replace = |val: &mut Val| {
            if *val == Val::Const(GraphConst::Nothing) {
                *val = Val::Value(*made.get_or_insert_with(|| values.push(Ty::Word)));
            }
        };
        for op in &mut block.ops {
            op.args.iter_mut().for_each(&mut replace);
        }
        block.term.operands_mut().iter_mut().for_each(&mut replace);
        for target in block.term.targets_mut() {
            target.args.iter_mut().for_each(&mut replace);
        }
        if let Some(word) = made {
            make(block, word);
        }
    }
}

fn make(block: &mut Block, word: ValueId) {
    let op = GraphOp {
        code: GraphOpcode::Data(DataOp::WordFromInt),
        args: vec![Val::int(0)],
        descr: GraphDescr::None,
        dsts: vec![word],
        pos: Pos::default(),
    };
    block.ops.insert(0, op);
}
