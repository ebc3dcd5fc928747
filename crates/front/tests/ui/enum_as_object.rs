use verdigris::prelude::*;
verdigris::include_jit!();

enum Tree {
    Leaf(i64),
    Node(Gc<Tree>, Gc<Tree>),
}

#[portal]
fn run(tree: Gc<Tree>) -> i64 {
    let mut pc = 0usize;
    loop {
        merge_point!(greens = [pc], reds = [tree]);
        pc += 1;
        if let Tree::Leaf(n) = *tree {
            return n;
        }
        can_enter_jit!();
    }
}
