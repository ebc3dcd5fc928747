//! Userdata of any type, and the values in it.

use crate::embed::state::Inner;
use crate::embed::{Error, Lua, Result};
use crate::value::{File, Host, Value as Guest};
use std::any::Any;
use std::cell::{Ref, RefCell, RefMut};
use std::fmt;
use std::rc::Rc;
use verdigris::prelude::*;

/// The value of userdata, until it is taken out.
pub(crate) struct Stored<T>(RefCell<Option<T>>);

impl<T> Stored<T> {
    pub(crate) fn new(value: T) -> Stored<T> {
        Stored(RefCell::new(Some(value)))
    }

    /// The value, to read it.
    pub(crate) fn read(&self) -> Result<Ref<'_, T>> {
        let value = self.0.try_borrow().map_err(|_| Error::UserDataBorrow)?;
        Ref::filter_map(value, Option::as_ref).map_err(|_| Error::UserDataTaken)
    }

    /// The value, to change it.
    pub(crate) fn write(&self) -> Result<RefMut<'_, T>> {
        let value = self.0.try_borrow_mut();
        let value = value.map_err(|_| Error::UserDataBorrowMut)?;
        RefMut::filter_map(value, Option::as_mut).map_err(|_| Error::UserDataTaken)
    }

    fn take(&self) -> Result<T> {
        let value = self.0.try_borrow_mut();
        let value = value.map_err(|_| Error::UserDataBorrowMut)?.take();
        value.ok_or(Error::UserDataTaken)
    }
}

/// What messages call a type.
pub(crate) fn name_of<T>() -> &'static str {
    let name = std::any::type_name::<T>();
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

/// The value of a type in userdata.
pub(crate) fn stored<T: 'static>(value: &Rc<dyn Any>) -> Result<&Stored<T>> {
    let found = value.downcast_ref::<Stored<T>>();
    found.ok_or_else(|| Error::from_lua("userdata", name_of::<T>()))
}

/// Userdata: a value of Rust of any type, or an open file of Lua. The handle keeps it alive.
#[derive(Clone)]
pub struct AnyUserData {
    pub(in crate::embed) inner: Rc<Inner>,
    held: Held,
    value: Rc<dyn Any>,
}

#[derive(Clone)]
enum Held {
    Host(Root<Gc<Host>>),
    File(Root<Gc<File>>),
}

impl AnyUserData {
    pub(crate) fn of_host(inner: &Rc<Inner>, host: Gc<Host>) -> AnyUserData {
        let value = inner.hosts.borrow().get(host.key).cloned();
        AnyUserData {
            inner: inner.clone(),
            held: Held::Host(Root::new(host)),
            value: value.unwrap_or_else(|| Rc::new(())),
        }
    }

    pub(crate) fn of_file(inner: &Rc<Inner>, file: Gc<File>) -> AnyUserData {
        AnyUserData {
            inner: inner.clone(),
            held: Held::File(Root::new(file)),
            value: Rc::new(()),
        }
    }

    pub(in crate::embed) fn guest(&self) -> Guest {
        match &self.held {
            Held::Host(host) => Guest::Host(host.get()),
            Held::File(file) => Guest::File(file.get()),
        }
    }

    /// Whether it is a value of this type, or was one before that was taken.
    pub fn is<T: 'static>(&self) -> bool {
        self.value.is::<Stored<T>>()
    }

    /// The value, to read it.
    ///
    /// # Errors
    /// If it is of another type, was taken, or is being changed.
    pub fn borrow<T: 'static>(&self) -> Result<Ref<'_, T>> {
        stored(&self.value)?.read()
    }

    /// The value, to change it.
    ///
    /// # Errors
    /// If it is of another type, was taken, or is in use.
    pub fn borrow_mut<T: 'static>(&self) -> Result<RefMut<'_, T>> {
        stored(&self.value)?.write()
    }

    /// Takes the value out: from then on the userdata is of no use for the program.
    ///
    /// # Errors
    /// If it is of another type, was taken before, or is in use.
    pub fn take<T: 'static>(&self) -> Result<T> {
        stored::<T>(&self.value)?.take()
    }
}

/// Whether they are the same userdata.
impl PartialEq for AnyUserData {
    fn eq(&self, other: &AnyUserData) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
            && crate::compare::raw_equal(self.guest(), other.guest())
    }
}

impl fmt::Debug for AnyUserData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.held {
            Held::Host(host) => crate::embed::value::shown(f, "userdata", host),
            Held::File(file) => crate::embed::value::shown(f, "file", file),
        }
    }
}

impl Lua {
    /// Userdata with a value, which is dropped when the program has it no more, or with the
    /// machine.
    ///
    /// # Errors
    /// If there is too little memory, and the error of a field's value.
    pub fn create_userdata<T: super::UserData>(&self, value: T) -> Result<AnyUserData> {
        let inner = self.inner();
        inner.enter(|world| {
            let meta = inner.meta_of::<T>(world)?;
            let host = inner.host(Rc::new(Stored::new(value)), meta);
            Ok(AnyUserData::of_host(inner, host))
        })?
    }
}
