//! Tuples: several arguments or results, of which the last may be any number.

use super::raw::{RawArgs, RawReturned};
use super::{FromLua, FromLuaMulti, IntoLua, IntoLuaMulti, Lua, MultiValue, Result, Value};
use crate::value::{Value as Guest, Values};

impl IntoLuaMulti for () {
    fn into_lua_multi(self, _: &Lua) -> Result<MultiValue> {
        Ok(MultiValue::new())
    }

    fn into_returned(self, lua: &Lua) -> Result<RawReturned> {
        Ok(RawReturned(crate::value::nothing(lua.inner().world()?)))
    }
}

impl FromLuaMulti for () {
    fn from_lua_multi(_: MultiValue, _: &Lua) -> Result<()> {
        Ok(())
    }

    fn from_args(_: RawArgs, _: &Lua) -> Result<()> {
        Ok(())
    }
}

macro_rules! tuple {
    ($count:literal: $($name:ident)*, $last:ident) => {
        #[allow(non_snake_case, reason = "a variable is called as its type is")]
        impl<$($name: IntoLua,)* $last: IntoLuaMulti> IntoLuaMulti for ($($name,)* $last,) {
            #[allow(unused_mut, reason = "there may be nothing in front")]
            fn into_lua_multi(self, lua: &Lua) -> Result<MultiValue> {
                let ($($name,)* $last,) = self;
                let front: [Value; $count] = [$($name.into_lua(lua)?,)*];
                let mut values = $last.into_lua_multi(lua)?;
                for value in front.into_iter().rev() {
                    values.push_front(value);
                }
                Ok(values)
            }

            #[inline]
            fn into_returned(self, lua: &Lua) -> Result<RawReturned> {
                let ($($name,)* $last,) = self;
                let front: [Guest; $count] = [$($name.into_slot(lua)?.0,)*];
                let last = $last.into_returned(lua)?;
                if front.is_empty() {
                    return Ok(last);
                }
                let last = last.0;
                let more = last.all.map_or(1, |all| all.len());
                let list = Values::new(front.len() + more, Guest::Nil);
                for (n, value) in front.iter().enumerate() {
                    list[n].set(*value);
                }
                for n in 0..more {
                    let value = last.all.map_or(last.first, |all| all[n].get());
                    list[front.len() + n].set(value);
                }
                Ok(RawReturned::several(list))
            }
        }

        #[allow(non_snake_case, reason = "a variable is called as its type is")]
        impl<$($name: FromLua,)* $last: FromLuaMulti> FromLuaMulti for ($($name,)* $last,) {
            #[allow(unused_mut, reason = "there may be nothing in front")]
            fn from_lua_multi(mut values: MultiValue, lua: &Lua) -> Result<Self> {
                $(let $name = $name::from_lua(values.pop_front().unwrap_or(Value::Nil), lua)?;)*
                Ok(($($name,)* $last::from_lua_multi(values, lua)?,))
            }

            #[inline]
            #[allow(unused_assignments, unused_mut, unused_variables, reason = "as above")]
            fn from_args(args: RawArgs, lua: &Lua) -> Result<Self> {
                let mut n = 0;
                $(
                    let $name = $name::from_slot(args.at(n), lua)
                        .map_err(|error| args.blame(n, error))?;
                    n += 1;
                )*
                Ok(($($name,)* $last::from_args(args.rest($count), lua)?,))
            }
        }
    };
}

tuple! { 0: , A }
tuple! { 1: A, B }
tuple! { 2: A B, C }
tuple! { 3: A B C, D }
tuple! { 4: A B C D, E }
tuple! { 5: A B C D E, F }
tuple! { 6: A B C D E F, G }
tuple! { 7: A B C D E F G, H }
tuple! { 8: A B C D E F G H, I }
tuple! { 9: A B C D E F G H I, J }
tuple! { 10: A B C D E F G H I J, K }
tuple! { 11: A B C D E F G H I J K, L }
