//! Makes methods of bodies, by `System.Reflection.Emit`: a `DynamicMethod`, whose instructions come
//! as one array of bytes. All of it runs on Mono's thread.
//!
//! Objects of the CLI that are at hand are in variables of this thread's stack, which Mono scans;
//! what is kept for longer has a handle.

#![allow(unsafe_code)]

use crate::code::{Body, Kind, Signature};
use crate::mono::api::{Api, Class, Domain, MethodInfo, Object};
use crate::mono::library::MonoLibrary;
use crate::mono::process;
use crate::times::processor_time;
use libc::c_void;
use std::ffi::{CStr, CString};
use std::ptr::null_mut;
use std::time::Duration;

/// `CallingConventions.Standard`.
const STANDARD: i32 = 1;
/// `OpCodes.Calli`, as the runtime lays out an `OpCode`: the bytes of the instruction, what it pops
/// and pushes, its size, type and operand, and how control goes on. The generator reads the first
/// two and the size, to write an instruction that is then replaced.
const CALLI: [u8; 8] = [0xff, 0x29, 0, 0, 1, 0, 0, 0];

/// A method that has been compiled.
pub(super) struct Made {
    /// Its code.
    pub(super) address: usize,
    /// What keeps it.
    pub(super) handle: u32,
}

/// Makes methods.
pub(super) struct Emitter {
    api: Api,
    domain: *mut Domain,
    dynamic_method: *mut Class,
    type_class: *mut Class,
    constructor: *mut MethodInfo,
    set_init_locals: *mut MethodInfo,
    get_generator: *mut MethodInfo,
    declare_local: *mut MethodInfo,
    emit_calli: *mut MethodInfo,
    get_il_info: *mut MethodInfo,
    set_code: *mut MethodInfo,
    create: *mut MethodInfo,
    get_handle: *mut MethodInfo,
    /// Handles of the types of the kinds, in their order.
    kinds: [u32; 4],
    no_type: u32,
    returned: u32,
    params: u32,
    module: u32,
    name: u32,
}

/// An answer of Mono's.
type Answer<T> = Result<T, String>;

impl Emitter {
    /// Starts Mono on this thread.
    pub(super) fn start(found: MonoLibrary) -> Answer<Emitter> {
        let api = Api::of(found.library)?;
        let folder = CString::new(found.folder.into_os_string().into_encoded_bytes());
        let folder = folder.map_err(|error| error.to_string())?;
        // SAFETY: the assembly without which Mono would end the process is there.
        let domain = process::unchanged(|| unsafe {
            (api.mono_set_dirs)(folder.as_ptr(), c"/etc".as_ptr());
            (api.mono_jit_init)(c"verdigris".as_ptr())
        });
        if domain.is_null() {
            return Err("Mono could not be started".into());
        }
        // SAFETY: Mono runs, and this is its thread.
        unsafe { Emitter::prepare(api, domain) }
    }

    /// # Safety
    /// Mono runs in this domain, and this is its thread; as for all functions here.
    unsafe fn prepare(api: Api, domain: *mut Domain) -> Answer<Emitter> {
        // SAFETY: the caller's promise; names are C strings, and what is looked up is not null.
        unsafe {
            let corlib = Corlib { api, domain };
            let emit = c"System.Reflection.Emit";
            let dynamic_method = corlib.class(emit, c"DynamicMethod")?;
            let generator = corlib.class(emit, c"ILGenerator")?;
            let il_info = corlib.class(emit, c"DynamicILInfo")?;
            let type_class = corlib.class(c"System", c"Type")?;
            let system = |name| corlib.type_object(c"System", name);
            let keep = |object| (api.mono_gchandle_new)(object, 1);
            let mut kinds = [0; 4];
            for kind in [Kind::Short, Kind::Int, Kind::Address, Kind::Float] {
                kinds[kind as usize] = keep(system(match kind {
                    Kind::Short => c"Int32",
                    Kind::Int => c"Int64",
                    Kind::Address => c"IntPtr",
                    Kind::Float => c"Double",
                })?);
            }
            let runtime_type = corlib.class(c"System", c"RuntimeType")?;
            let get_module = corlib.method(runtime_type, c"get_Module", 0)?;
            let returned = system(c"UInt32")?;
            let word = system(c"IntPtr")?;
            let emitter = Emitter {
                api,
                domain,
                dynamic_method,
                type_class,
                constructor: corlib.described(
                    dynamic_method,
                    c":.ctor(string,System.Type,System.Type[],System.Reflection.Module,bool)",
                )?,
                set_init_locals: corlib.method(dynamic_method, c"set_InitLocals", 1)?,
                get_generator: corlib.method(dynamic_method, c"GetILGenerator", 1)?,
                declare_local: corlib.method(generator, c"DeclareLocal", 1)?,
                emit_calli: corlib.described(
                    generator,
                    c":EmitCalli(System.Reflection.Emit.OpCode,System.Reflection.CallingConventions,System.Type,System.Type[],System.Type[])",
                )?,
                get_il_info: corlib.method(dynamic_method, c"GetDynamicILInfo", 0)?,
                set_code: corlib.described(il_info, c":SetCode(byte[],int)")?,
                create: corlib.method(dynamic_method, c"CreateDynMethod", 0)?,
                get_handle: corlib.method(dynamic_method, c"get_MethodHandle", 0)?,
                kinds,
                no_type: keep(system(c"Void")?),
                returned: keep(returned),
                params: 0,
                module: 0,
                name: keep((api.mono_string_new)(domain, c"verdigris".as_ptr())),
            };
            let params = emitter.types(&[returned, word, word]);
            let module = emitter.invoke(get_module, returned, &mut [])?;
            Ok(Emitter {
                params: keep(params),
                module: keep(module),
                ..emitter
            })
        }
    }

    /// Makes a method and compiles it. Returns how long the one and the other has taken.
    pub(super) fn make(&self, body: &Body) -> Answer<(Made, Duration, Duration)> {
        // SAFETY: this is Mono's thread, and Mono runs.
        unsafe {
            let started = processor_time();
            let (method, info) = self.emit(body)?;
            let emitted = processor_time();
            let address = (self.api.mono_compile_method)(info);
            let compiled = processor_time();
            if address.is_null() {
                return Err("Mono has compiled nothing".into());
            }
            let made = Made {
                address: address.expose_provenance(),
                handle: (self.api.mono_gchandle_new)(method, 0),
            };
            Ok((
                made,
                emitted.saturating_sub(started),
                compiled.saturating_sub(emitted),
            ))
        }
    }

    unsafe fn emit(&self, body: &Body) -> Answer<(*mut Object, *mut MethodInfo)> {
        // SAFETY: the caller's promise; arguments are of the types of the parameters: objects as
        // they are, others by their addresses.
        unsafe {
            let api = &self.api;
            let method = (api.mono_object_new)(self.domain, self.dynamic_method);
            let (mut skips_visibility, mut no) = (1u8, 0u8);
            let mut args = [
                self.kept(self.name).cast(),
                self.kept(self.returned).cast(),
                self.kept(self.params).cast(),
                self.kept(self.module).cast(),
                by_address(&mut skips_visibility),
            ];
            self.invoke(self.constructor, method, &mut args)?;
            self.invoke(self.set_init_locals, method, &mut [by_address(&mut no)])?;
            let mut size = 16i32;
            let generator =
                self.invoke(self.get_generator, method, &mut [by_address(&mut size)])?;
            for signature in &body.signatures {
                self.refer(generator, signature)?;
            }
            for &kind in &body.locals {
                let ty = self.kept(self.kinds[kind as usize]);
                self.invoke(self.declare_local, generator, &mut [ty.cast()])?;
            }
            let bytes =
                (api.mono_array_new)(self.domain, (api.mono_get_byte_class)(), body.code.len());
            let start = (api.mono_array_addr_with_size)(bytes, 1, 0).cast::<u8>();
            std::ptr::copy_nonoverlapping(body.code.as_ptr(), start, body.code.len());
            let info = self.invoke(self.get_il_info, method, &mut [])?;
            let mut depth = body.max_stack as i32;
            self.invoke(
                self.set_code,
                info,
                &mut [bytes.cast(), by_address(&mut depth)],
            )?;
            self.invoke(self.create, method, &mut [])?;
            let handle = self.invoke(self.get_handle, method, &mut [])?;
            let info = (api.mono_object_unbox)(handle)
                .cast::<*mut MethodInfo>()
                .read();
            Ok((method, info))
        }
    }

    /// Gives a signature the next token. The only way is an instruction that has it, which is
    /// replaced by the body.
    unsafe fn refer(&self, generator: *mut Object, signature: &Signature) -> Answer<()> {
        // SAFETY: the caller's promise, as in `emit`.
        unsafe {
            let kept = |kind: Kind| self.kept(self.kinds[kind as usize]);
            let params: Vec<*mut Object> =
                signature.params.iter().map(|&kind| kept(kind)).collect();
            let params = self.types(&params);
            let returned = signature.ret.map_or_else(|| self.kept(self.no_type), kept);
            let (mut calli, mut standard) = (CALLI, STANDARD);
            let mut args = [
                by_address(&mut calli),
                by_address(&mut standard),
                returned.cast(),
                params.cast(),
                null_mut(),
            ];
            self.invoke(self.emit_calli, generator, &mut args)?;
        }
        Ok(())
    }

    /// A new array of types.
    unsafe fn types(&self, types: &[*mut Object]) -> *mut Object {
        // SAFETY: the caller's promise; the array is as long.
        unsafe {
            let array = (self.api.mono_array_new)(self.domain, self.type_class, types.len());
            for (n, &ty) in types.iter().enumerate() {
                let item =
                    (self.api.mono_array_addr_with_size)(array, size_of::<usize>() as i32, n);
                (self.api.mono_gc_wbarrier_set_arrayref)(array, item.cast(), ty);
            }
            array
        }
    }

    unsafe fn kept(&self, handle: u32) -> *mut Object {
        // SAFETY: the caller's promise; the handle has not been freed.
        unsafe { (self.api.mono_gchandle_get_target)(handle) }
    }

    /// Calls a managed method. An exception is an error.
    unsafe fn invoke(
        &self,
        method: *mut MethodInfo,
        receiver: *mut Object,
        args: &mut [*mut c_void],
    ) -> Answer<*mut Object> {
        let mut exception = null_mut();
        // SAFETY: the caller's promise: the arguments are those that the method wants.
        unsafe {
            let args = args.as_mut_ptr();
            let invoke = self.api.mono_runtime_invoke;
            let result = invoke(method, receiver.cast(), args, &raw mut exception);
            match exception.is_null() {
                true => Ok(result),
                false => Err(self.text(exception)),
            }
        }
    }

    /// An exception as text.
    unsafe fn text(&self, exception: *mut Object) -> String {
        let mut another = null_mut();
        // SAFETY: the caller's promise; the text is freed as it was made.
        unsafe {
            let text = (self.api.mono_object_to_string)(exception, &raw mut another);
            if text.is_null() || !another.is_null() {
                return "Mono has thrown an exception that has no text".into();
            }
            let utf8 = (self.api.mono_string_to_utf8)(text);
            let result = CStr::from_ptr(utf8).to_string_lossy().into_owned();
            (self.api.mono_free)(utf8.cast());
            format!("Mono: {result}")
        }
    }

    /// Forgets a method, whose code is freed when Mono next collects.
    pub(super) fn forget(&self, handle: u32) {
        // SAFETY: the handle was made for a method, and is freed once.
        unsafe { (self.api.mono_gchandle_free)(handle) };
    }

    /// Lets Mono collect.
    pub(super) fn collect(&self) {
        // SAFETY: this is Mono's thread.
        unsafe { (self.api.mono_gc_collect)(1) };
    }
}

/// Mono's base library.
struct Corlib {
    api: Api,
    domain: *mut Domain,
}

impl Corlib {
    unsafe fn class(&self, namespace: &CStr, name: &CStr) -> Answer<*mut Class> {
        // SAFETY: the caller's promise: Mono runs.
        let class = unsafe {
            let corlib = (self.api.mono_get_corlib)();
            (self.api.mono_class_from_name)(corlib, namespace.as_ptr(), name.as_ptr())
        };
        known(class, name)
    }

    unsafe fn type_object(&self, namespace: &CStr, name: &CStr) -> Answer<*mut Object> {
        // SAFETY: the caller's promise.
        unsafe {
            let class = self.class(namespace, name)?;
            Ok((self.api.mono_type_get_object)(
                self.domain,
                (self.api.mono_class_get_type)(class),
            ))
        }
    }

    /// The method of this name with so many parameters.
    unsafe fn method(
        &self,
        class: *mut Class,
        name: &CStr,
        params: i32,
    ) -> Answer<*mut MethodInfo> {
        // SAFETY: the caller's promise.
        let method =
            unsafe { (self.api.mono_class_get_method_from_name)(class, name.as_ptr(), params) };
        known(method, name)
    }

    /// The method with this name and these parameters.
    unsafe fn described(&self, class: *mut Class, text: &CStr) -> Answer<*mut MethodInfo> {
        // SAFETY: the caller's promise; the description is freed once.
        let method = unsafe {
            let description = (self.api.mono_method_desc_new)(text.as_ptr(), 1);
            let method = (self.api.mono_method_desc_search_in_class)(description, class);
            (self.api.mono_method_desc_free)(description);
            method
        };
        known(method, text)
    }
}

fn known<T>(found: *mut T, name: &CStr) -> Answer<*mut T> {
    match found.is_null() {
        true => Err(format!(
            "this is another Mono: it has no {}",
            name.to_string_lossy()
        )),
        false => Ok(found),
    }
}

/// An argument that is not an object.
fn by_address<T>(value: &mut T) -> *mut c_void {
    std::ptr::from_mut(value).cast()
}
