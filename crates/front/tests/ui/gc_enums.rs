use verdigris::prelude::*;
verdigris::include_jit!();

#[gc]
enum Tree {
    Leaf(i64),
    Node(Gc<Tree>, Gc<Tree>),
}

enum Plain {
    One,
    Two(Gc<Plain>),
}

fn trees(tree: Gc<Tree>, plain: Gc<Plain>) -> i64 {
    match *tree {
        Tree::Leaf(n) => n,
        Tree::Node(..) => 0,
    }
}

#[portal]
fn run(tree: Gc<Tree>) -> i64 {
    let mut pc = 0usize;
    loop {
        merge_point!(greens = [pc], reds = [tree]);
        pc += 1;
        can_enter_jit!();
    }
}
