//! Lists: concatenation, n-th item, structural equality. In: values. Out: values, or why there is
//! none. Invariant: nothing here recurses, so a list may be nested as deeply as the heap allows;
//! between two allocations every new object is reachable from a local variable, where the collector
//! looks.

use crate::object::{Cons, Obj, ObjKind, int};
use crate::trap::Trap;
use verdigris::{prelude::*, rooted_elsewhere};

/// Tag of the array that holds the items of a list for a moment.
struct InTransit;

/// `left` followed by `right`, both lists.
#[opaque]
pub fn concat(left: Obj, right: Obj) -> Result<Obj, Trap> {
    if !matches!(right.kind(), ObjKind::Cons(_) | ObjKind::Nil(_)) {
        return Err(Trap::Operands(left, right));
    }
    let items = GcArray::<Cell<Obj>, InTransit>::new(length(left, right)?, right);
    let mut rest = left;
    let mut index = 0;
    while let ObjKind::Cons(pair) = rest.kind() {
        items[index].set(pair.car);
        index += 1;
        rest = pair.cdr;
    }
    let mut result = right;
    for index in (0..index).rev() {
        let (car, cdr) = (items[index].get(), result);
        result = Obj::from(Gc::new(Cons { car, cdr }));
    }
    Ok(result)
}

/// The length of `left`; an error if it does not end in nil.
fn length(left: Obj, right: Obj) -> Result<usize, Trap> {
    let mut rest = left;
    let mut length = 0;
    loop {
        match rest.kind() {
            ObjKind::Cons(pair) => rest = pair.cdr,
            ObjKind::Nil(_) => return Ok(length),
            _ => return Err(Trap::Operands(rest, right)),
        }
        length += 1;
    }
}

/// The item of a list with this number, from 0.
#[opaque]
pub fn nth(list: Obj, index: i64) -> Result<Obj, Trap> {
    let mut rest = list;
    let mut left = index;
    loop {
        match rest.kind() {
            ObjKind::Cons(pair) if left == 0 => return Ok(pair.car),
            ObjKind::Cons(pair) if left > 0 => rest = pair.cdr,
            ObjKind::Cons(_) | ObjKind::Nil(_) => return Err(Trap::ListIndex(index)),
            _ => return Err(Trap::Operands(rest, int(index))),
        }
        left -= 1;
    }
}

/// Whether two values are equal: integers by value, lists by their items, objects by identity;
/// values of different types are not. Allocates nothing on the guest heap, so what is compared
/// stays alive.
#[opaque]
#[rooted_elsewhere]
pub fn same(left: Obj, right: Obj) -> bool {
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        let equal = match (left.kind(), right.kind()) {
            (ObjKind::Int(a), ObjKind::Int(b)) => a.value == b.value,
            (ObjKind::Nil(_), ObjKind::Nil(_)) => true,
            (ObjKind::Cons(a), ObjKind::Cons(b)) => {
                pending.push((a.cdr, b.cdr));
                pending.push((a.car, b.car));
                true
            }
            (ObjKind::Instance(a), ObjKind::Instance(b)) => Gc::ptr_eq(a, b),
            _ => false,
        };
        if !equal {
            return false;
        }
    }
    true
}
