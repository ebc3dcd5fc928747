//! Values of Rust that programs work with. In: types with methods, fields and metamethods. Out:
//! userdata. Invariant: a value is borrowed as Rust has it: by any number of readers or by one
//! writer; what asks for more gets an error.

mod any;
mod fields;
mod metamethods;
mod registry;

pub use any::AnyUserData;
pub(crate) use any::Stored;
pub use metamethods::MetaMethod;

use super::{FromLua, FromLuaMulti, IntoLua, IntoLuaMulti, Lua, Result, Value};

/// A type of Rust whose values can be userdata.
///
/// ```
/// use verdigris_lua::{Lua, MetaMethod, Result, UserData, UserDataFields, UserDataMethods};
///
/// struct Counter(i64);
///
/// impl UserData for Counter {
///     fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
///         fields.add_field_method_get("count", |_, this| Ok(this.0));
///     }
///
///     fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
///         methods.add_method_mut("add", |_, this, by: i64| {
///             this.0 += by;
///             Ok(())
///         });
///         methods.add_meta_method(MetaMethod::Len, |_, this, ()| Ok(this.0));
///     }
/// }
///
/// fn main() -> Result<()> {
///     let lua = Lua::new();
///     lua.globals().set("counter", Counter(40))?;
///     let text = "counter:add(2) return counter.count, #counter";
///     assert_eq!(lua.load(text).eval::<(i64, i64)>()?, (42, 42));
///     Ok(())
/// }
/// ```
pub trait UserData: Sized + 'static {
    /// Adds the fields.
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        let _ = fields;
    }

    /// Adds the methods and metamethods.
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        let _ = methods;
    }
}

/// Where a type adds its methods. A later one of the same name replaces an earlier one.
pub trait UserDataMethods<T> {
    /// A method that reads the value: `value:name(arguments)`.
    fn add_method<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        name: impl Into<String>,
        method: impl Fn(&Lua, &T, A) -> Result<R> + 'static,
    );

    /// A method that changes the value. While it runs, nothing else can use it.
    fn add_method_mut<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        name: impl Into<String>,
        method: impl FnMut(&Lua, &mut T, A) -> Result<R> + 'static,
    );

    /// A function in the table of methods, without a value: `value.name(arguments)`.
    fn add_function<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        name: impl Into<String>,
        function: impl Fn(&Lua, A) -> Result<R> + 'static,
    );

    /// The same for a function that changes what it has captured.
    fn add_function_mut<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        name: impl Into<String>,
        function: impl FnMut(&Lua, A) -> Result<R> + 'static,
    );

    /// A metamethod whose first operand is the value, which it reads. That of a binary operator is
    /// called for a value as the second operand too: use [`UserDataMethods::add_meta_function`]
    /// then.
    fn add_meta_method<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        event: MetaMethod,
        method: impl Fn(&Lua, &T, A) -> Result<R> + 'static,
    );

    /// The same for one that changes the value.
    fn add_meta_method_mut<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        event: MetaMethod,
        method: impl FnMut(&Lua, &mut T, A) -> Result<R> + 'static,
    );

    /// A metamethod that is given its operands as they are.
    fn add_meta_function<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        event: MetaMethod,
        function: impl Fn(&Lua, A) -> Result<R> + 'static,
    );
}

/// Where a type adds its fields. A field with a getter comes before a method of the same name.
pub trait UserDataFields<T> {
    /// A field with one value for all values of the type.
    fn add_field<V: IntoLua + 'static>(&mut self, name: impl Into<String>, value: V);

    /// Gives what `value.name` is.
    fn add_field_method_get<R: IntoLua>(
        &mut self,
        name: impl Into<String>,
        getter: impl Fn(&Lua, &T) -> Result<R> + 'static,
    );

    /// Does `value.name = ..`.
    fn add_field_method_set<A: FromLua>(
        &mut self,
        name: impl Into<String>,
        setter: impl FnMut(&Lua, &mut T, A) -> Result<()> + 'static,
    );

    /// As [`UserDataFields::add_field_method_get`], with the userdata itself.
    fn add_field_function_get<R: IntoLua>(
        &mut self,
        name: impl Into<String>,
        getter: impl Fn(&Lua, AnyUserData) -> Result<R> + 'static,
    );

    /// As [`UserDataFields::add_field_method_set`], with the userdata itself.
    fn add_field_function_set<A: FromLua>(
        &mut self,
        name: impl Into<String>,
        setter: impl FnMut(&Lua, AnyUserData, A) -> Result<()> + 'static,
    );
}

impl<T: UserData> IntoLua for T {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        lua.create_userdata(self).map(Value::UserData)
    }
}
