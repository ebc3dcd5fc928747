//! The VM of a language.

use verdigris::{HeapOptions, Options, Vm, rt};

/// A VM whose heap is bounded by `limit` bytes, or by the parameter `heap_limit`.
///
/// # Errors
/// If the VM cannot be made; see [`Vm::new`].
pub fn vm(program: rt::Program, mut options: Options, limit: usize) -> Result<Vm, String> {
    if options.heap.limit == HeapOptions::default().limit {
        options.heap.limit = limit;
    }
    Vm::new(program, options).map_err(|error| error.to_string())
}
