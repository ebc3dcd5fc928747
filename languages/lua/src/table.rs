//! Tables. In: keys and values. Out: values, places. Invariants: a key is in one of three parts.
//! Integers from 1 to `len` are in `items`, of which the last is not nil. Strings that the program
//! text names are fields, whose places the shape knows, unless there are too many of them.
//! Everything else is in the dictionary. A nil in any part is as good as no entry.

use crate::computed;
use crate::dict::{self, Dict};
use crate::number::float_to_integer;
use crate::shape::{self, Shape};
use crate::string::LuaStr;
use crate::value::{Global, Value, Values, World, set_global};
use verdigris::{advice, is_constant, look_inside_iff, prelude::*};

/// The tag of the arrays of items.
pub struct InItems;
/// The tag of the arrays of fields.
pub struct InFields;

/// The items of a table.
pub type Items = GcArray<Cell<Value>, InItems>;
/// The fields of a table.
pub type Fields = GcArray<Cell<Value>, InFields>;

/// A table.
#[gc]
pub struct Table {
    /// Which fields there are, and the metatable.
    pub shape: Cell<Gc<Shape>>,
    /// The values of the fields, with room for more.
    pub fields: Cell<Fields>,
    /// The items, with room for more.
    pub items: Cell<Items>,
    /// How many items there are.
    pub len: Cell<usize>,
    /// All other entries.
    pub dict: Cell<Option<Gc<Dict>>>,
    /// If the shape is loose, the metatable. Else, if its role is [`shape::Role::Once`], the first
    /// table that has got this one as its metatable.
    pub link: Cell<Option<Gc<Table>>>,
}

/// A new table without entries.
#[inline]
pub fn empty(world: Gc<World>) -> Gc<Table> {
    make(world.empty_shape, world.no_fields, world.no_items)
}

/// A table with these parts.
#[inline]
pub fn make(shape: Gc<Shape>, fields: Fields, items: Items) -> Gc<Table> {
    Gc::new(Table {
        shape: Cell::new(shape),
        fields: Cell::new(fields),
        items: Cell::new(items),
        len: Cell::new(0),
        dict: Cell::new(None),
        link: Cell::new(None),
    })
}

/// The metatable.
#[advice(
    "tables of many shapes meet here: give all of them the same fields in the same order, and one metatable"
)]
#[inline]
pub fn metatable(table: Gc<Table>) -> Option<Gc<Table>> {
    let shape = promote(table.shape.get());
    if shape.loose {
        return table.link.get();
    }
    shape.meta
}

/// The dictionary of a table, which is made if there is none.
#[opaque]
pub fn dict_of(table: Gc<Table>) -> Gc<Dict> {
    match table.dict.get() {
        Some(dict) => dict,
        None => {
            let dict = dict::new(false);
            table.dict.set(Some(dict));
            dict
        }
    }
}

/// The value of a dictionary's entry for programs.
#[inline]
pub fn content(value: Value) -> Value {
    match value {
        Value::Global(global) => global.get(),
        _ => value,
    }
}

/// The value of a string.
#[advice(
    "tables of many shapes meet here: give all of them the same fields in the same order, and one metatable"
)]
#[inline]
pub fn get_str(table: Gc<Table>, key: Gc<LuaStr>) -> Value {
    let place = shape::find(promote(table.shape.get()), key);
    if place >= 0 {
        return table.fields.get()[place as usize].get();
    }
    get_entry(table, Value::Str(key))
}

/// The value of a field; nil if there is none.
#[advice(
    "tables of many shapes meet here: give all of them the same fields in the same order, and one metatable"
)]
#[inline(always)]
pub fn get_field(table: Gc<Table>, key: Gc<LuaStr>) -> Value {
    let place = shape::find(promote(table.shape.get()), key);
    if place >= 0 {
        return table.fields.get()[place as usize].get();
    }
    Value::Nil
}

/// Replaces the value of a field that is there and is not nil; whether it has.
#[advice(
    "tables of many shapes meet here: give all of them the same fields in the same order, and one metatable"
)]
#[inline(always)]
pub fn replace_field(table: Gc<Table>, key: Gc<LuaStr>, value: Value) -> bool {
    let place = shape::find(promote(table.shape.get()), key);
    if place < 0 {
        return false;
    }
    let (fields, place) = (table.fields.get(), place as usize);
    if fields[place].get().is_nil() {
        return false;
    }
    fields[place].set(value);
    true
}

/// The value of an item; nil if there is none.
#[inline(always)]
pub fn get_item(table: Gc<Table>, key: i64) -> Value {
    let at = (key as usize).wrapping_sub(1);
    if at < table.len.get() {
        return table.items.get()[at].get();
    }
    Value::Nil
}

/// Replaces an item of a table without a metatable by a value that is not nil; whether it has.
#[inline(always)]
pub fn set_item(table: Gc<Table>, key: i64, value: Value) -> bool {
    let at = (key as usize).wrapping_sub(1);
    if at >= table.len.get() || value.is_nil() || metatable(table).is_some() {
        return false;
    }
    table.items.get()[at].set(value);
    true
}

/// The value of an integer.
#[inline]
pub fn get_int(table: Gc<Table>, key: i64) -> Value {
    let at = (key as usize).wrapping_sub(1);
    if at < table.len.get() {
        return table.items.get()[at].get();
    }
    let Some(dict) = table.dict.get() else {
        return Value::Nil;
    };
    let entry = dict::find_int(dict, key);
    if entry >= 0 {
        dict.values.get()[entry as usize].get()
    } else {
        Value::Nil
    }
}

/// The value of a key that is neither an item nor a field.
#[inline]
pub fn get_entry(table: Gc<Table>, key: Value) -> Value {
    match table.dict.get() {
        Some(dict) => {
            let entry = dict::find(dict, key);
            if entry >= 0 {
                content(dict.values.get()[entry as usize].get())
            } else {
                Value::Nil
            }
        }
        None => Value::Nil,
    }
}

/// The value of a key.
#[inline]
pub fn get(table: Gc<Table>, key: Value) -> Value {
    match key {
        Value::Int(i) => get_int(table, i),
        Value::Str(s) => computed::get(table, s),
        Value::Float(f) => match normalized(f) {
            Value::Int(i) => get_int(table, i),
            key => get_entry(table, key),
        },
        Value::Nil => Value::Nil,
        _ => get_entry(table, key),
    }
}

/// A float as a key: as an integer if it is one.
#[inline]
pub fn normalized(key: f64) -> Value {
    match float_to_integer(key) {
        Some(i) => Value::Int(i),
        None => Value::Float(key),
    }
}

/// Replaces the value of a string that has one; whether it has.
#[advice(
    "tables of many shapes meet here: give all of them the same fields in the same order, and one metatable"
)]
#[inline]
pub fn replace_str(table: Gc<Table>, key: Gc<LuaStr>, value: Value) -> bool {
    let place = shape::find(promote(table.shape.get()), key);
    if place >= 0 {
        let (fields, place) = (table.fields.get(), place as usize);
        if fields[place].get().is_nil() {
            return false;
        }
        fields[place].set(value);
        return true;
    }
    replace_entry(table, Value::Str(key), value)
}

/// Replaces the value of an integer that has one; whether it has.
#[inline]
pub fn replace_int(table: Gc<Table>, key: i64, value: Value) -> bool {
    let at = (key as usize).wrapping_sub(1);
    if at < table.len.get() {
        let items = table.items.get();
        if items[at].get().is_nil() {
            return false;
        }
        items[at].set(value);
        if value.is_nil() {
            shrink(table);
        }
        return true;
    }
    let Some(dict) = table.dict.get() else {
        return false;
    };
    let entry = dict::find_int(dict, key);
    if entry < 0 || dict.values.get()[entry as usize].get().is_nil() {
        return false;
    }
    dict.values.get()[entry as usize].set(value);
    true
}

/// Replaces the value of a key in the dictionary that has one; whether it has.
#[inline]
pub fn replace_entry(table: Gc<Table>, key: Value, value: Value) -> bool {
    let Some(dict) = table.dict.get() else {
        return false;
    };
    let entry = dict::find(dict, key);
    if entry < 0 {
        return false;
    }
    let (values, place) = (dict.values.get(), entry as usize);
    let old = values[place].get();
    if content(old).is_nil() {
        return false;
    }
    match old {
        Value::Global(global) => set_global(global, value),
        _ => values[place].set(value),
    }
    true
}

/// Sets a string that the program text names.
#[advice(
    "tables of many shapes meet here: give all of them the same fields in the same order, and one metatable"
)]
#[inline]
pub fn set_str(table: Gc<Table>, key: Gc<LuaStr>, value: Value) {
    let shape = promote(table.shape.get());
    let place = shape::find(shape, key);
    if place >= 0 {
        table.fields.get()[place as usize].set(value);
        return;
    }
    if shape.full || has_entry(table, Value::Str(key)) {
        set_entry(table, Value::Str(key), value);
        return;
    }
    if value.is_nil() {
        return;
    }
    add_field(table, shape, key, value);
}

/// Whether the dictionary has, or had, a key.
#[inline]
fn has_entry(table: Gc<Table>, key: Value) -> bool {
    match table.dict.get() {
        Some(dict) => dict::find(dict, key) >= 0,
        None => false,
    }
}

/// Adds a field behind the others, or an entry of the dictionary if there are too many shapes.
#[inline]
pub fn add_field(table: Gc<Table>, shape: Gc<Shape>, key: Gc<LuaStr>, value: Value) {
    let longer = shape::with_field(shape, key);
    if Gc::ptr_eq(longer, shape) {
        set_entry(table, Value::Str(key), value);
        return;
    }
    let place = shape.len();
    if place >= table.fields.get().len() {
        table.fields.set(more_fields(table.fields.get()));
    }
    table.fields.get()[place].set(value);
    table.shape.set(longer);
}

fn few_places(fields: Fields) -> bool {
    is_constant(fields.len()) && fields.len() <= 8
}

/// A copy of fields with room for more. That of an object which is not made is not made either.
#[look_inside_iff(few_places)]
fn more_fields(fields: Fields) -> Fields {
    let more = Fields::new((fields.len() * 2).max(4), Value::Nil);
    for at in 0..fields.len() {
        more[at].set(fields[at].get());
    }
    more
}

/// Sets an integer.
#[inline]
pub fn set_int(table: Gc<Table>, key: i64, value: Value) {
    let at = (key as usize).wrapping_sub(1);
    let len = table.len.get();
    if at < len {
        table.items.get()[at].set(value);
        if value.is_nil() {
            shrink(table);
        }
    } else if at == len && !value.is_nil() {
        append(table, value);
    } else if at < table.items.get().len() && !value.is_nil() && has_no_integers(table) {
        // There is room for it, and nothing in the dictionary that it could hide.
        table.items.get()[at].set(value);
        table.len.set(at + 1);
    } else if key >= 1 || !replace_int(table, key, value) {
        // A key that can be no item is replaced without this call if it is there.
        set_entry(table, Value::Int(key), value);
    }
}

/// Whether the dictionary has no integers that may become items.
#[inline]
fn has_no_integers(table: Gc<Table>) -> bool {
    match table.dict.get() {
        Some(dict) => dict.ints.get() == 0,
        None => true,
    }
}

/// Adds an item behind the last.
#[inline]
pub fn append(table: Gc<Table>, value: Value) {
    let len = table.len.get();
    if len >= table.items.get().len() {
        table.items.set(more_items(table.items.get()));
    }
    table.items.get()[len].set(value);
    table.len.set(len + 1);
    if !has_no_integers(table) {
        migrate(table);
    }
}

fn few_items(items: Items) -> bool {
    is_constant(items.len()) && items.len() <= 8
}

/// A copy of items with room for more. That of a list which is not made is not made either.
#[look_inside_iff(few_items)]
fn more_items(items: Items) -> Items {
    if items.len() > 8 {
        return items_for(items, items.len() * 2);
    }
    let more = Items::new((items.len() * 2).max(4), Value::Nil);
    for at in 0..items.len() {
        more[at].set(items[at].get());
    }
    more
}

/// Makes room for this many items.
pub fn reserve(table: Gc<Table>, count: usize) {
    if count > table.items.get().len() {
        table.items.set(items_for(table.items.get(), count));
    }
}

/// A copy of items with exactly this capacity.
#[opaque]
fn items_for(items: Items, count: usize) -> Items {
    let more = Items::new(count, Value::Nil);
    for at in 0..items.len().min(count) {
        more[at].set(items[at].get());
    }
    more
}

fn length_known(_table: Gc<Table>, list: Values, _first: usize) -> bool {
    is_constant(list.len())
}

/// Stores a list as items from this place on; there is room for them.
#[look_inside_iff(length_known)]
pub fn init_list(table: Gc<Table>, list: Values, first: usize) {
    let items = table.items.get();
    let count = list.len();
    for n in 0..count {
        items[first + n].set(list[n].get());
    }
    if count > 0 {
        end_items(table, first + count);
    }
}

/// Sets the number of items, less those at the end that are nil.
#[inline]
pub fn end_items(table: Gc<Table>, count: usize) {
    if count > table.len.get() {
        table.len.set(count);
    }
    shrink(table);
    if table.dict.get().is_some() {
        settle(table);
    }
}

/// Removes from the dictionary what has become an item, and takes what follows.
#[opaque]
fn settle(table: Gc<Table>) {
    if let Some(dict) = table.dict.get() {
        for at in 1..table.len.get() + 1 {
            clear_entry(dict, at as i64);
        }
    }
    migrate(table);
}

/// Takes what follows the items out of the dictionary.
#[opaque]
pub fn migrate(table: Gc<Table>) {
    let Some(dict) = table.dict.get() else {
        return;
    };
    // The entry of the item that has just been added, which may have been nil.
    clear_entry(dict, table.len.get() as i64);
    if dict.ints.get() == 0 {
        return;
    }
    loop {
        let len = table.len.get();
        let next = len as i64 + 1;
        // Room first: if there is none, the entry is still there.
        if len >= table.items.get().len() && has_entry(table, Value::Int(next)) {
            table.items.set(more_items(table.items.get()));
        }
        let value = clear_entry(dict, next);
        if value.is_nil() {
            return;
        }
        table.items.get()[len].set(value);
        table.len.set(len + 1);
    }
}

/// Makes an integer's entry of a dictionary nil; what it was.
fn clear_entry(dict: Gc<Dict>, key: i64) -> Value {
    if dict.ints.get() == 0 {
        return Value::Nil;
    }
    let entry = dict::find(dict, Value::Int(key));
    if entry < 0 {
        Value::Nil
    } else {
        dict.values.get()[entry as usize].replace(Value::Nil)
    }
}

/// Lets the items end at the last that is not nil.
#[inline]
fn shrink(table: Gc<Table>) {
    let len = table.len.get();
    if len > 0 && table.items.get()[len - 1].get().is_nil() {
        shrink_to_end(table);
    }
}

/// The same, however many they are.
#[opaque]
pub fn shrink_to_end(table: Gc<Table>) {
    let items = table.items.get();
    let mut len = table.len.get();
    while len > 0 && items[len - 1].get().is_nil() {
        len -= 1;
    }
    table.len.set(len);
}

/// Copies `count` items that begin at `from` to where `to` is, both counted from 1, for native
/// code. Whether that was possible: if all of these places are items and the table has no
/// metatable.
pub fn copy_items(table: Gc<Table>, from: i64, to: i64, count: i64) -> bool {
    let (from, to, count) = (from as u64, to as u64, count as u64);
    let last = from.max(to).checked_add(count);
    let inside = from.min(to) >= 1 && last.is_some_and(|last| last <= table.len.get() as u64 + 1);
    if !inside || metatable(table).is_some() {
        return false;
    }
    let (from, to, items) = (from as usize - 1, to as usize - 1, table.items.get());
    let copy = |n: usize| items[to + n].set(items[from + n].get());
    match from < to {
        true => (0..count as usize).rev().for_each(copy),
        false => (0..count as usize).for_each(copy),
    }
    true
}

/// Sets a key that is neither an item nor a field.
#[opaque]
pub fn set_entry(table: Gc<Table>, key: Value, value: Value) {
    let dict = match table.dict.get() {
        Some(dict) => dict,
        None if value.is_nil() => return,
        None => dict_of(table),
    };
    let entry = dict::find(dict, key);
    if entry >= 0 {
        let (values, entry) = (dict.values.get(), entry as usize);
        match values[entry].get() {
            Value::Global(global) => set_global(global, value),
            _ => values[entry].set(value),
        }
        return;
    }
    if value.is_nil() {
        return;
    }
    match key {
        Value::Str(name) if dict.of_globals => {
            let global = Global::new(name);
            set_global(global, value);
            dict::insert(dict, key, Value::Global(global));
        }
        Value::Int(i) if dict::is_full(dict) && gather_items(table, dict, i) => {
            set_int(table, i, value);
            migrate(table);
        }
        _ => dict::insert(dict, key, value),
    }
}

/// Moves integers from a full dictionary to the items, if more than half of the items' places are
/// in use then; whether there is a place for this key too.
fn gather_items(table: Gc<Table>, dict: Gc<Dict>, key: i64) -> bool {
    // How many integers there are in (2^(n-1), 2^n], for each n.
    let mut counts = [0usize; 40];
    let mut count = |i: i64| {
        if (1..1 << 38).contains(&i) {
            counts[(64 - (i - 1).leading_zeros()) as usize] += 1;
        }
    };
    count(key);
    for entry in 0..dict.used.get() {
        if let Value::Int(i) = dict.keys.get()[entry].get()
            && !dict.values.get()[entry].get().is_nil()
        {
            count(i);
        }
    }
    for at in 0..table.len.get() {
        if !table.items.get()[at].get().is_nil() {
            count(at as i64 + 1);
        }
    }
    let (mut total, mut room) = (0, 0);
    for (n, count) in counts.into_iter().enumerate() {
        total += count;
        if total > (1 << n) / 2 {
            room = 1usize << n;
        }
    }
    if room <= table.items.get().len() || (key as usize).wrapping_sub(1) >= room {
        return false;
    }
    reserve(table, room);
    let items = table.items.get();
    for entry in 0..dict.used.get() {
        if let Value::Int(i) = dict.keys.get()[entry].get()
            && (i as usize).wrapping_sub(1) < room
        {
            let value = dict.values.get()[entry].replace(Value::Nil);
            if !value.is_nil() {
                items[i as usize - 1].set(value);
                table.len.set(table.len.get().max(i as usize));
            }
        }
    }
    dict::tidy(dict);
    if dict.used.get() == 0 && !dict.of_globals {
        table.dict.set(None);
    }
    let at = key as usize - 1;
    if at > table.len.get() {
        table.len.set(at);
    }
    true
}

/// Sets a key that is neither nil nor NaN.
#[inline]
pub fn set(world: Gc<World>, table: Gc<Table>, key: Value, value: Value) {
    match key {
        Value::Int(i) => set_int(table, i, value),
        Value::Str(s) => computed::set(world, table, s, value),
        Value::Float(f) => match normalized(f) {
            Value::Int(i) => set_int(table, i, value),
            _ => set_entry(table, key, value),
        },
        _ => set_entry(table, key, value),
    }
}

/// A border: an integer whose item is there while the next is not.
#[inline]
pub fn border(table: Gc<Table>) -> i64 {
    table.len.get() as i64
}

/// The global with this name, which is made if there is none, for native code.
pub fn global(world: Gc<World>, name: Gc<LuaStr>) -> Gc<Global> {
    let dict = dict_of(world.globals);
    let entry = dict::find(dict, Value::Str(name));
    if entry >= 0
        && let Value::Global(global) = dict.values.get()[entry as usize].get()
    {
        return global;
    }
    let global = Global::new(name);
    dict::insert(dict, Value::Str(name), Value::Global(global));
    global
}

/// The place of the first entry that is not nil, from a place on; -1 if there is none. Places count
/// items, then fields, then entries of the dictionary. They stay the same as long as no key is
/// added, because room for items counts as well.
#[opaque]
pub fn entry_from(table: Gc<Table>, place: i64) -> i64 {
    let mut at = place as usize;
    let items = table.items.get();
    let room = items.len();
    let len = table.len.get();
    while at < len {
        if !items[at].get().is_nil() {
            return at as i64;
        }
        at += 1;
    }
    let mut field = at.max(room) - room;
    let count = table.shape.get().len();
    let fields = table.fields.get();
    while field < count {
        if !fields[field].get().is_nil() {
            return (room + field) as i64;
        }
        field += 1;
    }
    let Some(dict) = table.dict.get() else {
        return -1;
    };
    let (values, used) = (dict.values.get(), dict.used.get());
    for entry in field - count..used {
        if !content(values[entry].get()).is_nil() {
            return (room + count + entry) as i64;
        }
    }
    -1
}

/// As [`entry_from`]; an item that is there is found without a call.
#[inline]
pub fn next_place(table: Gc<Table>, place: i64) -> i64 {
    let at = place as usize;
    if at < table.len.get() && !table.items.get()[at].get().is_nil() {
        return place;
    }
    entry_from(table, place)
}

/// The key at a place that [`entry_from`] has found.
#[inline]
pub fn key_at(table: Gc<Table>, place: i64) -> Value {
    let at = place as usize;
    let room = table.items.get().len();
    if at < room {
        return Value::Int(place + 1);
    }
    // Whatever is walked over: nothing depends on the shape.
    let shape = table.shape.get();
    if at - room < shape.len() {
        return Value::Str(shape.keys[at - room]);
    }
    match table.dict.get() {
        Some(dict) => dict.keys.get()[at - room - shape.len()].get(),
        None => Value::Nil,
    }
}

/// The value at a place that [`entry_from`] has found.
#[inline]
pub fn value_at(table: Gc<Table>, place: i64) -> Value {
    let at = place as usize;
    let items = table.items.get();
    let room = items.len();
    if at < room {
        return items[at].get();
    }
    let shape = table.shape.get();
    if at - room < shape.len() {
        return table.fields.get()[at - room].get();
    }
    match table.dict.get() {
        Some(dict) => content(dict.values.get()[at - room - shape.len()].get()),
        None => Value::Nil,
    }
}

/// The place of a key; -1 if the table has never had it.
#[opaque]
pub fn place_of(table: Gc<Table>, key: Value) -> i64 {
    let room = table.items.get().len();
    let key = match key {
        Value::Float(f) => normalized(f),
        _ => key,
    };
    if let Value::Int(i) = key
        && i >= 1
        && i as usize <= room
    {
        return i - 1;
    }
    let shape = table.shape.get();
    if let Value::Str(s) = key {
        let field = shape::find(shape, s);
        if field >= 0 {
            return room as i64 + field;
        }
    }
    let Some(dict) = table.dict.get() else {
        return -1;
    };
    let entry = dict::find(dict, key);
    if entry < 0 {
        -1
    } else {
        (room + shape.len()) as i64 + entry
    }
}
