//! What a program has once: builtin classes, names, modules. Code refers to it. Invariant: a plain
//! field, or an item of an array that is never written, is a constant for compiled code.

use crate::heap::class::Class;
use crate::heap::dict::Dict;
use crate::heap::export::Exports;
use crate::heap::function::Global;
use crate::heap::places::{Codes, Places};
use crate::heap::thread::Threads;
use crate::heap::value::{CLASS, GETSET, MEMBER, Namespace, Text, Tuple, Value};
use verdigris::{List, Map, Str, prelude::*};

/// What a program has once.
#[gc]
pub struct World {
    /// The builtin classes; see [`classes`].
    pub classes: GcArray<Gc<Class>>,
    /// Names that the language knows; see [`names`].
    pub names: GcArray<Gc<Str>>,
    /// One object for each name.
    pub interned: Gc<Map<Gc<Str>, Gc<Str>>>,
    /// The builtins.
    pub builtins: Gc<Map<Gc<Str>, Gc<Global>>>,
    /// The modules that have been imported: a dict from names.
    pub modules: Gc<Dict>,
    /// The exception that is handled, or `None`.
    pub handled: Cell<Value>,
    /// Where a builtin is called that asks for the variables there: the module and the local
    /// ones; `None` where none is.
    pub scope: Cell<Value>,
    /// The empty string.
    pub empty: Gc<Text>,
    /// The strings of one ASCII character.
    pub characters: GcArray<Gc<Text>>,
    /// The tuple of nothing.
    pub no_items: Tuple,
    /// How deep calls may be within each other.
    pub limit: Quasi<i64>,
    /// Whether the program is to be interrupted.
    pub interrupted: Quasi<bool>,
    /// The folder of modules of CPython that are preferred to those of the library, or nothing.
    pub stdlib: Gc<Str>,
    /// The folder of modules of CPython where those are looked for that are nowhere else: `Unbound`
    /// if it has not been looked for so far, `None` if there is none.
    pub fallback: Cell<Value>,
    /// Whether that folder was looked for, and there is none.
    pub lacks_fallback: Cell<bool>,
    /// `sys.path`
    pub path: Gc<List<Value>>,
    /// The methods that every object has.
    pub of_objects: Gc<Namespace>,
    /// The methods that every class has.
    pub of_types: Gc<Namespace>,
    /// Where the program is.
    pub places: Places,
    /// The numbers of code.
    pub codes: Gc<Codes>,
    /// Bytearrays that cannot be resized at present.
    pub exports: Exports,
    /// The threads that have begun and not ended, by their numbers.
    pub threads: Threads,
    /// `sys.argv`
    pub arguments: Value,
}

/// The greatest recursion limit that a program may set.
pub const MAX_DEPTH: i64 = 40_000;

macro_rules! numbered {
    ($table:ident: $($name:ident = $number:literal, $text:literal;)*) => {
        $(
            #[doc = concat!("`", $text, "`")]
            pub const $name: usize = $number;
        )*

        /// All of them, in the order of their numbers.
        pub const $table: &[&str] = &[$($text),*];
    };
}

/// The numbers of names that the language knows.
pub mod names {
    numbered! {
        NAMES:
        INIT = 0, "__init__";
        NEW = 1, "__new__";
        CALL = 2, "__call__";
        GETATTR = 3, "__getattr__";
        SETATTR = 4, "__setattr__";
        DELATTR = 5, "__delattr__";
        GET = 6, "__get__";
        SET = 7, "__set__";
        DELETE = 8, "__delete__";
        REPR = 9, "__repr__";
        STR = 10, "__str__";
        FORMAT = 11, "__format__";
        HASH = 12, "__hash__";
        BOOL = 13, "__bool__";
        LEN = 14, "__len__";
        ITER = 15, "__iter__";
        NEXT = 16, "__next__";
        GETITEM = 17, "__getitem__";
        SETITEM = 18, "__setitem__";
        DELITEM = 19, "__delitem__";
        CONTAINS = 20, "__contains__";
        NEG = 21, "__neg__";
        POS = 22, "__pos__";
        INVERT = 23, "__invert__";
        LT = 24, "__lt__";
        LE = 25, "__le__";
        EQ = 26, "__eq__";
        NE = 27, "__ne__";
        GT = 28, "__gt__";
        GE = 29, "__ge__";
        ADD = 30, "__add__";
        SUB = 31, "__sub__";
        MUL = 32, "__mul__";
        TRUEDIV = 33, "__truediv__";
        FLOORDIV = 34, "__floordiv__";
        MOD = 35, "__mod__";
        POW = 36, "__pow__";
        LSHIFT = 37, "__lshift__";
        RSHIFT = 38, "__rshift__";
        AND = 39, "__and__";
        OR = 40, "__or__";
        XOR = 41, "__xor__";
        MATMUL = 42, "__matmul__";
        RADD = 43, "__radd__";
        RSUB = 44, "__rsub__";
        RMUL = 45, "__rmul__";
        RTRUEDIV = 46, "__rtruediv__";
        RFLOORDIV = 47, "__rfloordiv__";
        RMOD = 48, "__rmod__";
        RPOW = 49, "__rpow__";
        RLSHIFT = 50, "__rlshift__";
        RRSHIFT = 51, "__rrshift__";
        RAND = 52, "__rand__";
        ROR = 53, "__ror__";
        RXOR = 54, "__rxor__";
        RMATMUL = 55, "__rmatmul__";
        IADD = 56, "__iadd__";
        ISUB = 57, "__isub__";
        IMUL = 58, "__imul__";
        ITRUEDIV = 59, "__itruediv__";
        IFLOORDIV = 60, "__ifloordiv__";
        IMOD = 61, "__imod__";
        IPOW = 62, "__ipow__";
        ILSHIFT = 63, "__ilshift__";
        IRSHIFT = 64, "__irshift__";
        IAND = 65, "__iand__";
        IOR = 66, "__ior__";
        IXOR = 67, "__ixor__";
        IMATMUL = 68, "__imatmul__";
        INDEX = 69, "__index__";
        INT = 70, "__int__";
        FLOAT = 71, "__float__";
        ABS = 72, "__abs__";
        CLASS = 73, "__class__";
        DICT = 74, "__dict__";
        NAME = 75, "__name__";
        QUALNAME = 76, "__qualname__";
        MODULE = 77, "__module__";
        DOC = 78, "__doc__";
        SET_NAME = 79, "__set_name__";
        INIT_SUBCLASS = 80, "__init_subclass__";
        REVERSED = 81, "__reversed__";
        ENTER = 82, "__enter__";
        EXIT = 83, "__exit__";
        ROUND = 84, "__round__";
        DIVMOD = 85, "__divmod__";
        SEND = 86, "send";
        THROW = 87, "throw";
        CLOSE = 88, "close";
        LENGTH_HINT = 89, "__length_hint__";
        BASES = 90, "__bases__";
        MRO = 91, "__mro__";
        WRAPPED = 92, "__wrapped__";
        CLASS_GETITEM = 93, "__class_getitem__";
        MISSING = 94, "__missing__";
        GETATTRIBUTE = 95, "__getattribute__";
        SLOTS = 96, "__slots__";
        DEL = 97, "__del__";
        INSTANCECHECK = 98, "__instancecheck__";
        SUBCLASSCHECK = 99, "__subclasscheck__";
        MRO_ENTRIES = 100, "__mro_entries__";
        PREPARE = 101, "__prepare__";
        ABSTRACT = 102, "__abstractmethods__";
        MATCH_ARGS = 103, "__match_args__";
        AWAIT = 104, "__await__";
        AITER = 105, "__aiter__";
        ANEXT = 106, "__anext__";
        AENTER = 107, "__aenter__";
        AEXIT = 108, "__aexit__";
    }
}

/// The numbers of the builtin classes.
pub mod classes {
    numbered! {
        CLASSES:
        OBJECT = 0, "object";
        TYPE = 1, "type";
        NONE = 2, "NoneType";
        INT = 3, "int";
        BOOL = 4, "bool";
        FLOAT = 5, "float";
        STR = 6, "str";
        LIST = 7, "list";
        TUPLE = 8, "tuple";
        DICT = 9, "dict";
        SET = 10, "set";
        FROZENSET = 11, "frozenset";
        RANGE = 12, "range";
        SLICE = 13, "slice";
        FUNCTION = 14, "function";
        NATIVE = 15, "builtin_function_or_method";
        METHOD = 16, "method";
        MODULE = 17, "module";
        GENERATOR = 18, "generator";
        PROPERTY = 19, "property";
        STATICMETHOD = 20, "staticmethod";
        CLASSMETHOD = 21, "classmethod";
        SUPER = 22, "super";
        ELLIPSIS = 23, "ellipsis";
        NOT_IMPLEMENTED = 24, "NotImplementedType";
        DICT_KEYS = 25, "dict_keys";
        DICT_VALUES = 26, "dict_values";
        DICT_ITEMS = 27, "dict_items";
        TRACEBACK = 28, "traceback";
        METHOD_DESCRIPTOR = 29, "method_descriptor";
        RANGE_ITERATOR = 30, "range_iterator";
        LIST_ITERATOR = 31, "list_iterator";
        TUPLE_ITERATOR = 32, "tuple_iterator";
        STR_ITERATOR = 33, "str_iterator";
        KEY_ITERATOR = 34, "dict_keyiterator";
        VALUE_ITERATOR = 35, "dict_valueiterator";
        ITEM_ITERATOR = 36, "dict_itemiterator";
        SET_ITERATOR = 37, "set_iterator";
        BYTES_ITERATOR = 38, "bytes_iterator";
        BYTEARRAY_ITERATOR = 39, "bytearray_iterator";
        ENUMERATE = 40, "enumerate";
        ZIP = 41, "zip";
        MAP = 42, "map";
        FILTER = 43, "filter";
        REVERSED = 44, "reversed";
        SEQUENCE_ITERATOR = 45, "iterator";
        CALLABLE_ITERATOR = 46, "callable_iterator";
        COROUTINE_WRAPPER = 47, "coroutine_wrapper";
        ASYNC_GENERATOR_ASEND = 48, "async_generator_asend";
        ASYNC_GENERATOR_ATHROW = 49, "async_generator_athrow";
        COROUTINE = 50, "coroutine";
        ASYNC_GENERATOR = 51, "async_generator";
        CELL = 52, "cell";
        BYTES = 53, "bytes";
        BYTEARRAY = 54, "bytearray";
        COMPLEX = 55, "complex";
        BASE_EXCEPTION = 56, "BaseException";
        EXCEPTION = 57, "Exception";
        TYPE_ERROR = 58, "TypeError";
        VALUE_ERROR = 59, "ValueError";
        NAME_ERROR = 60, "NameError";
        UNBOUND_LOCAL_ERROR = 61, "UnboundLocalError";
        ATTRIBUTE_ERROR = 62, "AttributeError";
        LOOKUP_ERROR = 63, "LookupError";
        INDEX_ERROR = 64, "IndexError";
        KEY_ERROR = 65, "KeyError";
        ARITHMETIC_ERROR = 66, "ArithmeticError";
        ZERO_DIVISION_ERROR = 67, "ZeroDivisionError";
        OVERFLOW_ERROR = 68, "OverflowError";
        RUNTIME_ERROR = 69, "RuntimeError";
        RECURSION_ERROR = 70, "RecursionError";
        NOT_IMPLEMENTED_ERROR = 71, "NotImplementedError";
        STOP_ITERATION = 72, "StopIteration";
        GENERATOR_EXIT = 73, "GeneratorExit";
        ASSERTION_ERROR = 74, "AssertionError";
        IMPORT_ERROR = 75, "ImportError";
        MODULE_NOT_FOUND_ERROR = 76, "ModuleNotFoundError";
        OS_ERROR = 77, "OSError";
        SYSTEM_EXIT = 78, "SystemExit";
        KEYBOARD_INTERRUPT = 79, "KeyboardInterrupt";
        SYNTAX_ERROR = 80, "SyntaxError";
        MEMORY_ERROR = 81, "MemoryError";
        EOF_ERROR = 82, "EOFError";
        UNICODE_ERROR = 83, "UnicodeError";
        WARNING = 84, "Warning";
        FLOATING_POINT_ERROR = 85, "FloatingPointError";
        BUFFER_ERROR = 86, "BufferError";
        SYSTEM_ERROR = 87, "SystemError";
        FILE_NOT_FOUND_ERROR = 88, "FileNotFoundError";
        FILE_EXISTS_ERROR = 89, "FileExistsError";
        PERMISSION_ERROR = 90, "PermissionError";
        IS_A_DIRECTORY_ERROR = 91, "IsADirectoryError";
        NOT_A_DIRECTORY_ERROR = 92, "NotADirectoryError";
        TIMEOUT_ERROR = 93, "TimeoutError";
        CONNECTION_ERROR = 94, "ConnectionError";
        REFERENCE_ERROR = 95, "ReferenceError";
        STOP_ASYNC_ITERATION = 96, "StopAsyncIteration";
        INDENTATION_ERROR = 97, "IndentationError";
        UNICODE_DECODE_ERROR = 98, "UnicodeDecodeError";
        UNICODE_ENCODE_ERROR = 99, "UnicodeEncodeError";
        USER_WARNING = 100, "UserWarning";
        DEPRECATION_WARNING = 101, "DeprecationWarning";
        RUNTIME_WARNING = 102, "RuntimeWarning";
        BASE_EXCEPTION_GROUP = 103, "BaseExceptionGroup";
        EXCEPTION_GROUP = 104, "ExceptionGroup";
        IMPORT_WARNING = 105, "ImportWarning";
        PENDING_DEPRECATION_WARNING = 106, "PendingDeprecationWarning";
        SYNTAX_WARNING = 107, "SyntaxWarning";
        FUTURE_WARNING = 108, "FutureWarning";
        UNICODE_WARNING = 109, "UnicodeWarning";
        BYTES_WARNING = 110, "BytesWarning";
        RESOURCE_WARNING = 111, "ResourceWarning";
        ENCODING_WARNING = 112, "EncodingWarning";
        TAB_ERROR = 113, "TabError";
        UNICODE_TRANSLATE_ERROR = 114, "UnicodeTranslateError";
        BLOCKING_IO_ERROR = 115, "BlockingIOError";
        CHILD_PROCESS_ERROR = 116, "ChildProcessError";
        INTERRUPTED_ERROR = 117, "InterruptedError";
        PROCESS_LOOKUP_ERROR = 118, "ProcessLookupError";
        BROKEN_PIPE_ERROR = 119, "BrokenPipeError";
        CONNECTION_ABORTED_ERROR = 120, "ConnectionAbortedError";
        CONNECTION_REFUSED_ERROR = 121, "ConnectionRefusedError";
        CONNECTION_RESET_ERROR = 122, "ConnectionResetError";
        CODE = 123, "code";
        FRAME = 124, "frame";
        MEMBER_DESCRIPTOR = 125, "member_descriptor";
        WRAPPER_DESCRIPTOR = 126, "wrapper_descriptor";
        METHOD_WRAPPER = 127, "method-wrapper";
        WEAKREF = 128, "weakref";
        GETSET_DESCRIPTOR = 129, "getset_descriptor";
        CLASSMETHOD_DESCRIPTOR = 130, "classmethod_descriptor";
    }

    /// The number of the class that a builtin class derives from.
    pub fn base_of(class: usize) -> usize {
        match class {
            BOOL => INT,
            BASE_EXCEPTION | ..BASE_EXCEPTION | CODE.. => OBJECT,
            BASE_EXCEPTION_GROUP | EXCEPTION | GENERATOR_EXIT | SYSTEM_EXIT
            | KEYBOARD_INTERRUPT => BASE_EXCEPTION,
            UNBOUND_LOCAL_ERROR => NAME_ERROR,
            INDEX_ERROR | KEY_ERROR => LOOKUP_ERROR,
            ZERO_DIVISION_ERROR | OVERFLOW_ERROR | FLOATING_POINT_ERROR => ARITHMETIC_ERROR,
            RECURSION_ERROR | NOT_IMPLEMENTED_ERROR => RUNTIME_ERROR,
            MODULE_NOT_FOUND_ERROR => IMPORT_ERROR,
            UNICODE_ERROR => VALUE_ERROR,
            FILE_NOT_FOUND_ERROR..=CONNECTION_ERROR => OS_ERROR,
            INDENTATION_ERROR => SYNTAX_ERROR,
            TAB_ERROR => INDENTATION_ERROR,
            UNICODE_DECODE_ERROR | UNICODE_ENCODE_ERROR => UNICODE_ERROR,
            UNICODE_TRANSLATE_ERROR => UNICODE_ERROR,
            USER_WARNING..=RUNTIME_WARNING => WARNING,
            IMPORT_WARNING..=ENCODING_WARNING => WARNING,
            EXCEPTION_GROUP => BASE_EXCEPTION_GROUP,
            BLOCKING_IO_ERROR..=PROCESS_LOOKUP_ERROR => OS_ERROR,
            BROKEN_PIPE_ERROR..=CONNECTION_RESET_ERROR => CONNECTION_ERROR,
            _ => EXCEPTION,
        }
    }
}

/// The class of a value.
#[inline]
pub fn class_of(world: Gc<World>, value: Value) -> Gc<Class> {
    match value {
        Value::Instance(instance) => crate::heap::instance::class(instance),
        Value::Class(class) => match promote(class).meta {
            Some(meta) => meta,
            None => world.classes[classes::TYPE],
        },
        Value::Iter(iter) => world.classes[classes::RANGE_ITERATOR + promote(iter.kind)],
        Value::View(view) => world.classes[classes::DICT_KEYS + promote(view.kind)],
        Value::Accessor(accessor) => {
            let accessor = promote(accessor);
            world.classes[match accessor.kind {
                CLASS if matches!(accessor.get, Value::Native(_)) => {
                    classes::CLASSMETHOD_DESCRIPTOR
                }
                MEMBER => classes::MEMBER_DESCRIPTOR,
                GETSET => classes::GETSET_DESCRIPTOR,
                kind => classes::PROPERTY + kind,
            }]
        }
        Value::Native(native) => {
            let native = promote(native);
            world.classes[match native.class {
                Some(_) if native.is_special => classes::WRAPPER_DESCRIPTOR,
                Some(_) => classes::METHOD_DESCRIPTOR,
                None => classes::NATIVE,
            }]
        }
        Value::Method(method) => {
            world.classes[match method.function {
                Value::Native(native) if promote(native).is_special => classes::METHOD_WRAPPER,
                Value::Native(_) => classes::NATIVE,
                _ => classes::METHOD,
            }]
        }
        _ => world.classes[number_of(value)],
    }
}

/// The number of the class of a value whose kind alone says it.
#[inline]
pub fn number_of(value: Value) -> usize {
    match value {
        Value::None => classes::NONE,
        Value::NotImplemented => classes::NOT_IMPLEMENTED,
        Value::Ellipsis => classes::ELLIPSIS,
        Value::Bool(_) => classes::BOOL,
        Value::Int(_) | Value::Big(_) => classes::INT,
        Value::Float(_) => classes::FLOAT,
        Value::Str(_) => classes::STR,
        Value::List(_) => classes::LIST,
        Value::Tuple(_) => classes::TUPLE,
        Value::Dict(_) => classes::DICT,
        Value::Set(_) => classes::SET,
        Value::FrozenSet(_) => classes::FROZENSET,
        Value::Range(_) => classes::RANGE,
        Value::Slice(_) => classes::SLICE,
        Value::Generator(_) => classes::GENERATOR,
        Value::Coroutine(_) => classes::COROUTINE,
        Value::AsyncGenerator(_) => classes::ASYNC_GENERATOR,
        Value::Function(_) => classes::FUNCTION,
        Value::Native(_) => classes::NATIVE,
        Value::Method(_) => classes::METHOD,
        Value::Super(_) => classes::SUPER,
        Value::Class(_) => classes::TYPE,
        Value::Module(_) => classes::MODULE,
        Value::Traceback(_) => classes::TRACEBACK,
        Value::Code(_) => classes::CODE,
        Value::Frame(_) => classes::FRAME,
        Value::Weak(_) => classes::WEAKREF,
        Value::Cell(_) => classes::CELL,
        Value::Bytes(_) => classes::BYTES,
        Value::ByteArray(_) => classes::BYTEARRAY,
        Value::Complex(_) => classes::COMPLEX,
        _ => classes::OBJECT,
    }
}

/// The name of the class of a value, for messages.
pub fn type_name(world: Gc<World>, value: Value) -> String {
    class_of(world, value).name_text()
}

/// The one object of a name.
pub fn intern(world: Gc<World>, name: &str) -> Gc<Str> {
    interned(world, Str::new(name))
}

/// The same for a text that is an object.
pub fn interned(world: Gc<World>, name: Gc<Str>) -> Gc<Str> {
    world.interned.get_or_insert(name, name)
}
