use verdigris::prelude::*;

type i64 = fn(i64, i64) -> i64;
type A = Option<B>;
type B = (bool, inner::C<u8>);
type Fine<A> = Option<A>;

mod inner {
    pub type C<T> = [super::A; 2];
    pub type Bool = bool;
    type bool = Bool;
}

#[portal]
fn run(pc: Fine<u8>, x: u8) -> i64 {
    loop {
        merge_point!(greens = [pc], reds = [x]);
        type Local = (Local, A);
        let y: Local = x;
        return y;
    }
}
