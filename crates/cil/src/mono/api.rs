//! The functions of Mono's embedding interface that are used, as its documentation declares them.

#![allow(unsafe_code)]

use libc::{c_char, c_int, c_void};
use libloading::Library;

macro_rules! opaque {
    ($($(#[doc = $doc:literal])+ $name:ident)*) => {
        $(
            $(#[doc = $doc])+
            #[repr(C)]
            pub(super) struct $name {
                _opaque: [u8; 0],
            }
        )*
    };
}

opaque! {
    /// A domain of an application.
    Domain
    /// An assembly's metadata.
    Image
    /// A class.
    Class
    /// A type, as metadata.
    Type
    /// A method, as metadata.
    MethodInfo
    /// A description of a method as text.
    MethodDesc
    /// An object of the CLI, which Mono's collector may move unless something on the stack of an
    /// attached thread leads to it.
    Object
}

macro_rules! functions {
    ($($name:ident($($arg:ty),*) $(-> $ret:ty)?;)*) => {
        /// The functions, of a library that is never unloaded.
        #[derive(Clone, Copy)]
        pub(super) struct Api {
            $(pub(super) $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
        }

        impl Api {
            /// Looks all of them up.
            pub(super) fn of(library: Library) -> Result<Api, String> {
                let library = Box::leak(Box::new(library));
                Ok(Api {
                    $($name: {
                        // SAFETY: the function has these parameters by its documentation.
                        let found = unsafe { library.get(stringify!($name)) };
                        *found.map_err(|error| format!("this is another Mono: {error}"))?
                    },)*
                })
            }
        }
    };
}

functions! {
    mono_set_dirs(*const c_char, *const c_char);
    mono_jit_init(*const c_char) -> *mut Domain;
    mono_get_corlib() -> *mut Image;
    mono_class_from_name(*mut Image, *const c_char, *const c_char) -> *mut Class;
    mono_get_byte_class() -> *mut Class;
    mono_class_get_type(*mut Class) -> *mut Type;
    mono_type_get_object(*mut Domain, *mut Type) -> *mut Object;
    mono_class_get_method_from_name(*mut Class, *const c_char, c_int) -> *mut MethodInfo;
    mono_method_desc_new(*const c_char, c_int) -> *mut MethodDesc;
    mono_method_desc_search_in_class(*mut MethodDesc, *mut Class) -> *mut MethodInfo;
    mono_method_desc_free(*mut MethodDesc);
    mono_object_new(*mut Domain, *mut Class) -> *mut Object;
    mono_object_unbox(*mut Object) -> *mut c_void;
    mono_object_to_string(*mut Object, *mut *mut Object) -> *mut Object;
    mono_string_new(*mut Domain, *const c_char) -> *mut Object;
    mono_string_to_utf8(*mut Object) -> *mut c_char;
    mono_free(*mut c_void);
    mono_array_new(*mut Domain, *mut Class, usize) -> *mut Object;
    mono_array_addr_with_size(*mut Object, c_int, usize) -> *mut c_char;
    mono_gc_wbarrier_set_arrayref(*mut Object, *mut c_void, *mut Object);
    mono_gc_collect(c_int);
    mono_gchandle_new(*mut Object, c_int) -> u32;
    mono_gchandle_get_target(u32) -> *mut Object;
    mono_gchandle_free(u32);
    mono_runtime_invoke(*mut MethodInfo, *mut c_void, *mut *mut c_void, *mut *mut Object) -> *mut Object;
    mono_compile_method(*mut MethodInfo) -> *mut c_void;
}
