use verdigris::prelude::*;
#[object]
enum Kind {
    A(Gc<A>),
}
