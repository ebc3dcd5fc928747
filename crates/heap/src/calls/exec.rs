//! Execution of data operations and calls on raw words, for the stages that interpret. Pure
//! operations mean what [`verdigris_ops::eval`] says, the others what compiled code does with the
//! same layouts.

use crate::calls::effect_check::checked;
use crate::collector::Bound;
use crate::context::Context;
use crate::context::payloads::HeapExhausted;
use crate::detector;
use crate::fields::quasi::written;
use crate::fields::virtualizable::reclaim;
use crate::layout::descr::{ARRAY_ITEMS_OFFSET, ARRAY_LEN_OFFSET, class_word_of};
use crate::memory::address_space::barrier;
use crate::objects::alloc::{alloc_array, alloc_array_beyond, alloc_struct, alloc_struct_beyond};
use cranelift_entity::EntityRef;
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, FnInfo, SlotLayout, Ty, eval};

/// A called function has panicked. The payload is in the context: [`Context::take_payload`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Panicked;

/// Executes one row of the table of data operations; operations without result give 0.
///
/// # Errors
/// If an allocation reaches the heap limit.
///
/// # Safety
/// `ctx` is the current context of this thread; `descrs` is linked; `args` and `descr` are what the
/// operation wants; references are live and not null; indices are in bounds.
#[inline]
pub unsafe fn exec_data(
    ctx: *mut Context,
    descrs: &Descrs,
    op: DataOp,
    args: &[u64],
    descr: u32,
) -> Result<u64, HeapExhausted> {
    // SAFETY: the caller's promise.
    unsafe { exec_bound(ctx, descrs, op, args, descr, Bound::Limit) }
}

/// [`exec_data`] for callers that cannot fail at the heap limit: objects lie beyond it
/// then, and the heap is exhausted ([`Context::is_exhausted`]).
///
/// # Errors
/// If the system has no memory.
///
/// # Safety
/// As [`exec_data`].
#[inline]
pub unsafe fn exec_data_beyond(
    ctx: *mut Context,
    descrs: &Descrs,
    op: DataOp,
    args: &[u64],
    descr: u32,
) -> Result<u64, HeapExhausted> {
    // SAFETY: the caller's promise.
    unsafe { exec_bound(ctx, descrs, op, args, descr, Bound::None) }
}

#[inline]
unsafe fn exec_bound(
    ctx: *mut Context,
    descrs: &Descrs,
    op: DataOp,
    args: &[u64],
    descr: u32,
    bound: Bound,
) -> Result<u64, HeapExhausted> {
    use DataOp::*;
    if let Some(result) = eval(op, args) {
        return Ok(result);
    }
    // SAFETY: the caller's promise.
    unsafe {
        match op {
            GetFieldI | GetFieldR | GetFieldF | GetFieldW => {
                let (layout, _) = field(descrs, descr);
                Ok(load(args[0] + layout.offset as u64, layout))
            }
            SetFieldI | SetFieldR | SetFieldF | SetFieldW => {
                set_field(descrs, FieldId::new(descr as usize), args[0], args[1]);
                Ok(0)
            }
            Invalidate => {
                let (layout, _) = field(descrs, descr);
                written(ctx, args[0] + layout.offset as u64);
                Ok(0)
            }
            HasClass => {
                let class = &descrs.classes[ClassId::new(descr as usize)];
                Ok(u64::from(class_word_of(args[0]) == class.word))
            }
            Reclaim => reclaim(ctx, args[0]).map(|()| 0),
            GetItemI | GetItemR | GetItemF | GetItemW => {
                let (layout, _) = item(descrs, descr);
                Ok(load(item_address(args[0], layout, args[1]), layout))
            }
            SetItemI | SetItemR | SetItemF | SetItemW => {
                set_item(
                    descrs,
                    ClassId::new(descr as usize),
                    args[0],
                    args[1],
                    args[2],
                );
                Ok(0)
            }
            ArrayLen => Ok(*place::<u64>(args[0] + ARRAY_LEN_OFFSET as u64)),
            New => {
                let class = &descrs.classes[ClassId::new(descr as usize)];
                object(match bound {
                    Bound::Limit => alloc_struct(ctx, class.size, class.word),
                    Bound::None => alloc_struct_beyond(ctx, class.size, class.word),
                })
            }
            NewArray => {
                let class = ClassId::new(descr as usize);
                let (word, stride) = (descrs.classes[class].word, descrs.item(class).1.stride);
                object(match bound {
                    Bound::Limit => alloc_array(ctx, word, stride, args[0]),
                    Bound::None => alloc_array_beyond(ctx, word, stride, args[0]),
                })
            }
            FillItemsI | FillItemsR | FillItemsF | FillItemsW => {
                fill_items(descrs, descr, args[0], args[1]);
                Ok(0)
            }
            _ => unreachable!("`eval` defines every other operation"),
        }
    }
}

/// Calls a function through its `invoke` thunk. Returns the first word of its result, 0 if it has
/// none; [`result_word`] gives the others, as long as nothing else has been called.
///
/// # Errors
/// If it panicked; the payload is in the context.
///
/// # Safety
/// `ctx` is the current context of this thread; `info` is linked; `args` are words of its parameter
/// types.
pub unsafe fn exec_call(ctx: *mut Context, info: &FnInfo, args: &[u64]) -> Result<u64, Panicked> {
    debug_assert_ne!(info.invoke, 0, "{} is not linked", info.name);
    debug_assert_eq!(args.len(), info.params.len(), "{}", info.name);
    // SAFETY: the caller's promise; the address of a linked `invoke` is that of such a function.
    unsafe {
        let invoke: unsafe extern "C" fn(usize, *const u64) -> u64 =
            std::mem::transmute(info.invoke);
        let call = || {
            let _guests = detector::guests();
            invoke(info.target, args.as_ptr())
        };
        let (result, wrong) = checked(ctx, info, call);
        if let Some(message) = wrong
            && (*ctx).panicked == 0
        {
            (*ctx).set_payload(Box::new(message));
        }
        if (*ctx).panicked != 0 {
            return Err(Panicked);
        }
        Ok(result)
    }
}

/// A word of the result of the call that was made last, of which `first` is the first one.
///
/// # Safety
/// `ctx` is alive; the call's result has more than `n` words.
#[inline]
pub unsafe fn result_word(ctx: *mut Context, first: u64, n: usize) -> u64 {
    match n {
        0 => first,
        // SAFETY: the caller's promise.
        _ => unsafe { (*ctx).results[n] },
    }
}

/// `object.field = value`: what [`exec_data`] does for the store of a field, for callers that do
/// many.
///
/// # Safety
/// `descrs` is linked, the object is live and has the field, and the value is of its type.
#[inline]
pub unsafe fn set_field(descrs: &Descrs, field: FieldId, object: u64, value: u64) {
    let field = &descrs.fields[field];
    let layout = field.layout;
    // SAFETY: the caller's promise.
    unsafe { store(object + layout.offset as u64, layout, field.ty, value) }
}

/// `array[index] = value`, of the word of its items that the class names; as [`set_field`].
///
/// # Safety
/// `descrs` is linked, the array is live and of this class or one that this is a word of, the index
/// is in bounds, and the value is of the word's type.
#[inline]
pub unsafe fn set_item(descrs: &Descrs, class: ClassId, array: u64, index: u64, value: u64) {
    let (ty, layout, _) = descrs.item(class);
    // SAFETY: the caller's promise.
    unsafe { store(item_address(array, layout, index), layout, ty, value) }
}

#[inline]
fn field(descrs: &Descrs, descr: u32) -> (SlotLayout, Ty) {
    let field = &descrs.fields[FieldId::new(descr as usize)];
    (field.layout, field.ty)
}

#[inline]
fn item(descrs: &Descrs, descr: u32) -> (SlotLayout, Ty) {
    let (ty, layout, _) = descrs.item(ClassId::new(descr as usize));
    (layout, ty)
}

#[inline]
fn item_address(array: u64, layout: SlotLayout, index: u64) -> u64 {
    array + ARRAY_ITEMS_OFFSET as u64 + layout.offset as u64 + index * layout.stride as u64
}

fn place<T>(address: u64) -> *mut T {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

#[inline]
unsafe fn load(address: u64, layout: SlotLayout) -> u64 {
    // SAFETY: the caller's promise: the layout is that of the place.
    unsafe {
        match (layout.size, layout.signed) {
            (1, false) => *place::<u8>(address) as u64,
            (1, true) => *place::<i8>(address) as u64,
            (2, false) => *place::<u16>(address) as u64,
            (2, true) => *place::<i16>(address) as u64,
            (4, false) => *place::<u32>(address) as u64,
            (4, true) => *place::<i32>(address) as u64,
            (8, _) => *place::<u64>(address),
            _ => 0,
        }
    }
}

/// Stores a word of this type at an address where something with this layout lies.
///
/// # Safety
/// The address is that of such a place in a live object.
#[inline]
pub unsafe fn store(address: u64, layout: SlotLayout, ty: Ty, value: u64) {
    // SAFETY: the caller's promise: the layout is that of the place.
    unsafe {
        match layout.size {
            1 => *place::<u8>(address) = value as u8,
            2 => *place::<u16>(address) = value as u16,
            4 => *place::<u32>(address) = value as u32,
            8 => *place::<u64>(address) = value,
            _ => {}
        }
    }
    if matches!(ty, Ty::Ref | Ty::Word) && value != 0 {
        barrier(place(address));
    }
}

#[inline]
fn object(address: *mut u8) -> Result<u64, HeapExhausted> {
    if address.is_null() {
        return Err(HeapExhausted);
    }
    Ok(address.expose_provenance() as u64)
}

/// # Safety
/// `array` is an array of this class.
unsafe fn fill_items(descrs: &Descrs, descr: u32, array: u64, value: u64) {
    let (layout, ty) = item(descrs, descr);
    // SAFETY: the caller's promise; the indices are in bounds.
    unsafe {
        let len = *place::<u64>(array + ARRAY_LEN_OFFSET as u64);
        for index in 0..len {
            store(item_address(array, layout, index), layout, ty, value);
        }
    }
}

/// Called from machine code: stores the low bytes of `value` in every item of an array that is
/// young, in the part of it that lies `start` bytes from the array's header.
///
/// # Safety
/// `array` is a live array of a class that says where the part is, how large, and how far from item
/// to item.
pub unsafe extern "C" fn vd_fill_array(
    array: *mut u8,
    start: u64,
    size: u64,
    stride: u64,
    value: u64,
) -> u64 {
    // SAFETY: the caller's promise: there are `len` items, each with room for the part, aligned to
    // its size.
    unsafe {
        let len = array.add(ARRAY_LEN_OFFSET).cast::<u64>().read();
        for n in 0..len {
            let part = array.add((start + n * stride) as usize);
            match size {
                0 => {}
                1 => part.write(value as u8),
                2 => part.cast::<u16>().write(value as u16),
                4 => part.cast::<u32>().write(value as u32),
                _ => part.cast::<u64>().write(value),
            }
        }
    }
    0
}

/// The same for an array that may be old.
///
/// # Safety
/// As [`vd_fill_array`].
pub unsafe extern "C" fn vd_fill_old_array(
    array: *mut u8,
    start: u64,
    size: u64,
    stride: u64,
    value: u64,
) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        vd_fill_array(array, start, size, stride, value);
        let len = array.add(ARRAY_LEN_OFFSET).cast::<u64>().read();
        for n in 0..len {
            barrier(array.add((start + n * stride) as usize));
        }
    }
    0
}
