//! A machine as its handles see it: what is beside the VM, and how that is entered. Invariants: the
//! state of a thread is that of the machine that runs on it, however machines call each other; the
//! VM is dropped when the last [`Lua`] that owns it is, or when what runs then has ended.

use super::callback::{self, Callback};
use super::slab::Slab;
use super::thrown::ThrownValues;
use super::{Error, Lua, Result};
use crate::collected::{self, Collected};
use crate::finalize;
use crate::host;
use crate::native::embedded;
use crate::native::names::COUNT;
use crate::table::Table;
use crate::value::{Host, Native, Thread, Value, World};
use std::any::{Any, TypeId};
use std::cell::{Cell as StdCell, RefCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering};
use verdigris::{ExhaustedError, FinalQueue, StoppedError, prelude::*, protect};

/// A machine.
pub(crate) struct Inner {
    /// Its number among all machines of the process.
    pub(crate) number: u64,
    vm: RefCell<Option<Rc<Vm>>>,
    parts: RefCell<Option<Parts>>,
    host: RefCell<host::State>,
    /// What its collector is to tell, while it is not entered.
    collected: RefCell<Option<Rc<Collected>>>,
    /// How often it is entered, with other machines between.
    entries: StdCell<usize>,
    /// Whether nothing owns it any more.
    is_over: StdCell<bool>,
    /// Whether its finalizers have been called for that.
    is_finishing: StdCell<bool>,
    owner: RefCell<Weak<Owner>>,
    /// The functions of the embedder, by the numbers behind those of the library.
    pub(crate) callbacks: RefCell<Slab<Rc<Callback>>>,
    /// The values of userdata.
    pub(crate) hosts: RefCell<Slab<Rc<dyn Any>>>,
    /// The metatables of userdata, by the types of its values.
    pub(crate) types: RefCell<HashMap<TypeId, Root<Gc<Table>>>>,
    pub(crate) thrown: ThrownValues,
    /// The traceback of the last error that Rust has not been told of.
    pub(crate) traceback: RefCell<Option<String>>,
    /// How many instructions a call from Rust may execute; 0 for any number.
    pub(crate) instructions: StdCell<u64>,
}

/// What there is of a machine in its heap.
struct Parts {
    world: Root<Gc<World>>,
    /// The message handler that keeps tracebacks.
    tracer: Root<Gc<Native>>,
    /// Functions and userdata that the program has no more.
    dead_functions: FinalQueue<Gc<Native>>,
    dead_hosts: FinalQueue<Gc<Host>>,
}

/// What keeps a machine.
pub(crate) struct Owner(Rc<Inner>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.is_over.set(true);
        if self.0.entries.get() == 0 {
            self.0.finish();
        }
    }
}

thread_local! {
    /// The machine that runs on this thread.
    static CURRENT: RefCell<Option<Rc<Inner>>> = const { RefCell::new(None) };
}

static MACHINES: AtomicU64 = AtomicU64::new(0);

/// The payload of the panic that ends a program which has executed too many instructions.
pub(crate) struct OutOfInstructions;

impl Inner {
    /// A machine of a VM, with a world that is made in it.
    ///
    /// # Errors
    /// If there is too little memory for it.
    pub(crate) fn create(
        vm: Rc<Vm>,
        host: host::State,
        make: impl FnOnce() -> Gc<World>,
    ) -> Result<(Rc<Inner>, Rc<Owner>)> {
        embedded::set_runner(callback::run);
        let inner = Rc::new(Inner {
            number: MACHINES.fetch_add(1, Ordering::Relaxed),
            vm: RefCell::new(Some(vm)),
            parts: RefCell::new(None),
            host: RefCell::new(host),
            collected: RefCell::default(),
            entries: StdCell::new(0),
            is_over: StdCell::new(false),
            is_finishing: StdCell::new(false),
            owner: RefCell::new(Weak::new()),
            callbacks: RefCell::default(),
            hosts: RefCell::default(),
            types: RefCell::default(),
            thrown: ThrownValues::default(),
            traceback: RefCell::new(None),
            instructions: StdCell::new(0),
        });
        let owner = Rc::new(Owner(inner.clone()));
        inner.owner.replace(Rc::downgrade(&owner));
        inner.enter_anew(|| {
            let world = make();
            let key = inner.callbacks.borrow_mut().add(callback::tracer());
            let tracer = Gc::new(Native { id: COUNT + key });
            inner.parts.replace(Some(Parts {
                world: Root::new(world),
                tracer: Root::new(tracer),
                dead_functions: FinalQueue::new(),
                dead_hosts: FinalQueue::new(),
            }));
        })?;
        Ok((inner, owner))
    }

    /// What owns it, if anything does.
    pub(crate) fn owner(&self) -> Option<Rc<Owner>> {
        self.owner.borrow().upgrade()
    }

    /// The machine for those who own it already.
    pub(crate) fn lua(self: &Rc<Self>) -> Lua {
        Lua::borrowed(self.clone())
    }

    /// The VM.
    ///
    /// # Errors
    /// If it is gone.
    pub(crate) fn vm(&self) -> Result<Rc<Vm>> {
        self.vm.borrow().clone().ok_or(Error::LuaDropped)
    }

    /// The world.
    ///
    /// # Errors
    /// If it is gone.
    pub(crate) fn world(&self) -> Result<Gc<World>> {
        let parts = self.parts.borrow();
        let parts = parts.as_ref().ok_or(Error::LuaDropped)?;
        Ok(parts.world.get())
    }

    /// The message handler that keeps tracebacks.
    pub(crate) fn tracer(&self) -> Value {
        let parts = self.parts.borrow();
        parts
            .as_ref()
            .map_or(Value::Nil, |parts| Value::Native(parts.tracer.get()))
    }

    /// Runs `f` with the machine entered.
    ///
    /// # Errors
    /// If the machine is gone, if it is stopped, and if memory or the native stack is used up.
    pub(crate) fn enter<R>(self: &Rc<Self>, f: impl FnOnce(Gc<World>) -> R) -> Result<R> {
        let world = self.world()?;
        if self.is_current() {
            return protect(|| f(world)).map_err(|exhausted| match exhausted {
                ExhaustedError::Heap => Error::Memory,
                ExhaustedError::Stack => Error::stack_overflow(),
            });
        }
        let is_nested = self.entries.get() > 0;
        self.enter_anew(|| {
            let _scope = Scope::begin(world, is_nested, self.instructions.get());
            let result = f(world);
            self.bury();
            result
        })
    }

    fn is_current(self: &Rc<Self>) -> bool {
        CURRENT.with_borrow(|current| {
            current
                .as_ref()
                .is_some_and(|current| Rc::ptr_eq(current, self))
        })
    }

    fn enter_anew<R>(self: &Rc<Self>, f: impl FnOnce() -> R) -> Result<R> {
        let vm = self.vm()?;
        let mut result = None;
        let entered = {
            let _entered = Entered::begin(self.clone());
            catch_unwind(AssertUnwindSafe(|| vm.try_enter(|| result = Some(f()))))
        };
        match entered {
            Ok(Ok(())) => {}
            Ok(Err(StoppedError::HeapExhausted)) => return Err(Error::Memory),
            Ok(Err(StoppedError::StackExhausted)) => return Err(Error::stack_overflow()),
            Ok(Err(StoppedError::Interrupted)) => return Err(Error::Interrupted),
            Err(payload) if payload.is::<OutOfInstructions>() => {
                return Err(Error::OutOfInstructions);
            }
            Err(payload) => resume_unwind(payload),
        }
        result.ok_or(Error::Interrupted)
    }

    /// A function of the program that runs one of the embedder.
    pub(crate) fn native(&self, callback: Rc<Callback>) -> Gc<Native> {
        self.bury();
        // The object comes first: there may be no room for it.
        let id = COUNT + self.callbacks.borrow().next();
        let native = Gc::new(Native { id });
        self.callbacks.borrow_mut().add(callback);
        if let Some(parts) = &*self.parts.borrow() {
            parts.dead_functions.watch(native);
        }
        native
    }

    /// Userdata with a value.
    pub(crate) fn host(&self, value: Rc<dyn Any>, meta: Gc<Table>) -> Gc<Host> {
        self.bury();
        let key = self.hosts.borrow().next();
        let host = Gc::new(Host { key, meta });
        self.hosts.borrow_mut().add(value);
        if let Some(parts) = &*self.parts.borrow() {
            parts.dead_hosts.watch(host);
        }
        host
    }

    /// Drops the functions and values that the program has no more. What they do when they are
    /// dropped may come here again.
    pub(crate) fn bury(&self) {
        while let Some(key) = self.dead(|parts| parts.dead_functions.next().map(|f| f.id - COUNT)) {
            let callback = self.callbacks.borrow_mut().remove(key);
            drop(callback);
        }
        while let Some(key) = self.dead(|parts| parts.dead_hosts.next().map(|h| h.key)) {
            let value = self.hosts.borrow_mut().remove(key);
            drop(value);
        }
    }

    fn dead(&self, next: impl FnOnce(&Parts) -> Option<usize>) -> Option<usize> {
        self.parts.borrow().as_ref().and_then(next)
    }

    /// Exchanges its state with that of the thread: it is entered, or left again.
    fn exchange_with_thread(&self) {
        self.host.borrow_mut().exchange_with_thread();
        let before = collected::replace(self.collected.take());
        self.collected.replace(before);
    }

    /// Nothing owns it, and nothing runs: finalizers do, and then it goes.
    fn finish(self: &Rc<Self>) {
        if self.is_finishing.replace(true) {
            return;
        }
        // Whatever they end with is lost, unless it is a panic.
        let ended = catch_unwind(AssertUnwindSafe(|| self.enter(finalize::end)));
        self.close();
        if let Err(payload) = ended
            && !std::thread::panicking()
        {
            resume_unwind(payload);
        }
    }

    fn close(&self) {
        let vm = self.vm.take();
        let parts = self.parts.take();
        // What is dropped here may ask for the machine, which is gone.
        drop(self.callbacks.take());
        drop(self.hosts.take());
        drop(self.types.take());
        self.thrown.clear();
        drop(parts);
        self.host.borrow_mut().close_files();
        drop(vm);
    }
}

/// The machine that runs on this thread.
pub(crate) fn current() -> Option<Rc<Inner>> {
    CURRENT.with_borrow(Clone::clone)
}

/// While it exists, the thread's state is that of a machine.
struct Entered {
    inner: Rc<Inner>,
    before: Option<Rc<Inner>>,
}

impl Entered {
    fn begin(inner: Rc<Inner>) -> Entered {
        inner.entries.set(inner.entries.get() + 1);
        // Entered again, with another machine between, it takes its state back from there.
        let before = CURRENT.replace(Some(inner.clone()));
        if let Some(before) = &before {
            before.exchange_with_thread();
        }
        inner.exchange_with_thread();
        Entered { inner, before }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.inner.exchange_with_thread();
        if let Some(before) = &self.before {
            before.exchange_with_thread();
        }
        CURRENT.set(self.before.take());
        self.inner.entries.set(self.inner.entries.get() - 1);
        if self.inner.entries.get() == 0 && self.inner.is_over.get() {
            self.inner.finish();
        }
    }
}

/// What a world has to itself while a machine is entered once more: the program that waits in an
/// outer entry goes on with what it had.
struct Scope {
    world: Gc<World>,
    handler: Value,
    depth: i64,
    held: Option<Gc<Thread>>,
}

impl Scope {
    fn begin(world: Gc<World>, is_nested: bool, instructions: u64) -> Scope {
        let scope = Scope {
            world,
            handler: world.handler.replace(Value::Nil),
            depth: world.host_depth.get(),
            held: world.held.replace(world.running.get()),
        };
        if !is_nested {
            world.host_depth.set(0);
            let hooks = world.hooks;
            hooks.runs.set(false);
            if instructions > 0 {
                hooks.left.set(hooks.every.get());
            }
        }
        scope
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        self.world.handler.set(self.handler);
        self.world.host_depth.set(self.depth);
        self.world.held.set(self.held);
    }
}
