use verdigris::prelude::*;
fn f() { let x = ; }
