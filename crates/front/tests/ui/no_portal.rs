use verdigris::prelude::*;
fn main() {}
