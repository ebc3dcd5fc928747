//! What `core::mem` has, in the subset. In: places and values. Out: other values in these places.
//! Invariant: values are copied and forgotten, which is what moving and dropping them is: no type
//! in traced code has a `Drop`.

pub fn swap<T>(a: &mut T, b: &mut T) {
    let old = *a;
    *a = *b;
    *b = old;
}
pub fn replace<T>(place: &mut T, value: T) -> T {
    let old = *place;
    *place = value;
    old
}
pub fn take<T: Default>(place: &mut T) -> T {
    let old = *place;
    *place = T::default();
    old
}
pub fn drop<T>(_value: T) {}
pub fn forget<T>(_value: T) {}
