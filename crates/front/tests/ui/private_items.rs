use verdigris::prelude::*;

mod outer {
    mod inner {
        use verdigris::prelude::*;
        #[gc]
        pub struct Node {
            pub next: Option<Gc<Node>>,
        }
        #[opaque]
        pub fn make(x: i64) -> i64 {
            x
        }
    }
    pub struct Tag;
    pub fn inner_fn(x: i64) -> i64 {
        inner::make(x)
    }
    struct Private;
    pub type Items = GcArray<u8, Private>;
    use verdigris::prelude::*;
    pub type Nodes = GcArray<Gc<inner::Node>, Tag>;
}
fn local() -> i64 {
    #[opaque]
    fn inside() -> i64 {
        1
    }
    inside()
}
#[portal]
fn run(mut x: i64, items: outer::Items, nodes: outer::Nodes) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = outer::inner_fn(x) + items.len() as i64 + local();
    }
}
