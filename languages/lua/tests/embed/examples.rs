//! The programs of `examples`, which check themselves.

#[path = "../../examples/calls.rs"]
mod calls;
#[path = "../../examples/sandbox.rs"]
mod sandbox;
#[path = "../../examples/tour.rs"]
mod tour;

#[test]
fn the_tour_works() {
    tour::main().unwrap();
}

#[test]
fn the_sandbox_holds() {
    sandbox::main().unwrap();
}

#[test]
fn calls_are_measured() {
    calls::measure(1000).unwrap();
}
