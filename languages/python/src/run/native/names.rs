//! The builtin functions: places and names, and how many arguments they take by position. In, out:
//! a table. Invariant: the number of a function is its place in it; the arguments of methods are
//! counted without the object.

/// What does the functions of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// `slots`
    Slots,
    /// `types`
    Types,
    /// Methods of metaclasses in `reflect`.
    Meta,
    /// Methods of code and frames in `reflect`.
    Code,
    /// Methods of descriptors in `reflect`.
    Descriptors,
    /// Methods of groups of exceptions in `reflect`.
    Groups,
    /// The functions of `system` that the library calls.
    Library,
    /// `builtins`
    Builtins,
    /// `objects`
    Objects,
    /// `lists`
    Lists,
    /// The methods of slices in `lists`.
    Slices,
    /// `dicts`
    Dicts,
    /// `sets`
    Sets,
    /// `strings`
    Strings,
    /// `bytes`
    Bytes,
    /// `bytearrays`
    ByteArrays,
    /// `numbers`
    Numbers,
    /// `coroutines`
    Coroutines,
    /// `exceptions`
    Exceptions,
    /// `math`
    Math,
    /// `system`
    System,
}

/// The homes of places; of all others it is [`Home::System`].
const OF_PLACES: &[(&str, Home)] = &[
    ("slot", Home::Slots),
    ("data", Home::Types),
    ("type", Home::Types),
    ("meta", Home::Meta),
    ("code", Home::Code),
    ("frame", Home::Code),
    ("descriptor", Home::Descriptors),
    ("BaseExceptionGroup", Home::Groups),
    ("_verdigris", Home::Library),
    ("", Home::Builtins),
    ("object", Home::Objects),
    ("list", Home::Lists),
    ("tuple", Home::Lists),
    ("range", Home::Lists),
    ("slice", Home::Slices),
    ("dict", Home::Dicts),
    ("set", Home::Sets),
    ("str", Home::Strings),
    ("bytes", Home::Bytes),
    ("bytearray", Home::ByteArrays),
    ("int", Home::Numbers),
    ("float", Home::Numbers),
    ("complex", Home::Numbers),
    ("generator", Home::Coroutines),
    ("coroutine", Home::Coroutines),
    ("coroutine_wrapper", Home::Coroutines),
    ("async_generator", Home::Coroutines),
    ("async_generator_asend", Home::Coroutines),
    ("async_generator_athrow", Home::Coroutines),
    ("BaseException", Home::Exceptions),
    ("property", Home::Exceptions),
    ("math", Home::Math),
];

/// The home of a place, when this is compiled.
const fn home(place: &str) -> Home {
    let mut n = 0;
    while n < OF_PLACES.len() {
        if is_same(OF_PLACES[n].0.as_bytes(), place.as_bytes()) {
            return OF_PLACES[n].1;
        }
        n += 1;
    }
    Home::System
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut n = 0;
    while n < a.len() && n < b.len() && a[n] == b[n] {
        n += 1;
    }
    n == a.len() && n == b.len()
}

macro_rules! natives {
    ($($name:ident = $number:literal, $place:literal, $text:literal, $least:literal, $most:expr;)*) => {
        $(
            #[doc = concat!("`", $text, "`")]
            pub const $name: usize = $number;
        )*

        /// For each function: where it is (nothing: a builtin; a class or a module otherwise), its
        /// name, the least and the greatest number of arguments by position.
        pub const NATIVES: &[(&str, &str, usize, usize)] = &[$(($place, $text, $least, $most)),*];

        /// Which file each function is in.
        pub static HOMES: &[Home] = &[$(home($place)),*];
    };
}

/// Whether a builtin function calls no function of the program, or hardly ever one: then
/// where it is called need not be noted.
pub fn is_leaf(id: usize) -> bool {
    let (place, name, ..) = NATIVES[id];
    match place {
        "math" | "time" | "int" | "float" | "complex" => true,
        "str" | "bytes" | "bytearray" => !matches!(
            name,
            "join" | "format" | "format_map" | "translate" | "extend"
        ),
        "list" => matches!(
            name,
            "append" | "pop" | "insert" | "reverse" | "clear" | "copy"
        ),
        "dict" => matches!(name, "keys" | "values" | "items" | "clear" | "copy"),
        "" => matches!(name, "len" | "ord" | "chr" | "abs" | "id"),
        _ => false,
    }
}

natives! {
    PRINT = 0, "", "print", 0, usize::MAX;
    LEN = 1, "", "len", 1, 1;
    REPR = 2, "", "repr", 1, 1;
    ABS = 3, "", "abs", 1, 1;
    ISINSTANCE = 4, "", "isinstance", 2, 2;
    ISSUBCLASS = 5, "", "issubclass", 2, 2;
    CALLABLE = 6, "", "callable", 1, 1;
    GETATTR = 7, "", "getattr", 2, 3;
    SETATTR = 8, "", "setattr", 3, 3;
    HASATTR = 9, "", "hasattr", 2, 2;
    DELATTR = 10, "", "delattr", 2, 2;
    ITER = 11, "", "iter", 1, 2;
    NEXT = 12, "", "next", 1, 2;
    SORTED = 13, "", "sorted", 1, 1;
    MIN = 14, "", "min", 1, usize::MAX;
    MAX = 15, "", "max", 1, usize::MAX;
    SUM = 16, "", "sum", 1, 2;
    ANY = 17, "", "any", 1, 1;
    ALL = 18, "", "all", 1, 1;
    ORD = 19, "", "ord", 1, 1;
    CHR = 20, "", "chr", 1, 1;
    HASH = 21, "", "hash", 1, 1;
    ID = 22, "", "id", 1, 1;
    DIVMOD = 23, "", "divmod", 2, 2;
    POW = 24, "", "pow", 2, 3;
    ROUND = 25, "", "round", 1, 2;
    HEX = 26, "", "hex", 1, 1;
    OCT = 27, "", "oct", 1, 1;
    BIN = 28, "", "bin", 1, 1;
    INPUT = 29, "", "input", 0, 1;
    FORMAT = 30, "", "format", 1, 2;
    VARS = 31, "", "vars", 0, 1;
    ASCII = 32, "", "ascii", 1, 1;
    IMPORT = 33, "", "__import__", 1, 5;
    DIR = 34, "", "dir", 0, 1;
    EXIT = 35, "", "exit", 0, 1;
    QUIT = 36, "", "quit", 0, 1;
    GLOBALS = 37, "", "globals", 0, 0;
    LOCALS = 38, "", "locals", 0, 0;
    OPEN = 39, "", "open", 1, usize::MAX;
    EVAL = 40, "", "eval", 1, 3;
    EXEC = 41, "", "exec", 1, 3;
    COMPILE = 42, "", "compile", 0, 6;
    OBJECT_INIT_SUBCLASS = 43, "object", "__init_subclass__", 0, 0;
    OBJECT_NEW = 44, "object", "__new__", 0, usize::MAX;
    OBJECT_INIT = 45, "object", "__init__", 0, usize::MAX;
    OBJECT_REPR = 46, "object", "__repr__", 0, 0;
    OBJECT_STR = 47, "object", "__str__", 0, 0;
    OBJECT_EQ = 48, "object", "__eq__", 1, 1;
    OBJECT_NE = 49, "object", "__ne__", 1, 1;
    OBJECT_HASH = 50, "object", "__hash__", 0, 0;
    OBJECT_SETATTR = 51, "object", "__setattr__", 2, 2;
    OBJECT_GETATTRIBUTE = 52, "object", "__getattribute__", 1, 1;
    OBJECT_DELATTR = 53, "object", "__delattr__", 1, 1;
    OBJECT_FORMAT = 54, "object", "__format__", 1, 1;
    LIST_APPEND = 55, "list", "append", 1, 1;
    LIST_EXTEND = 56, "list", "extend", 1, 1;
    LIST_INSERT = 57, "list", "insert", 2, 2;
    LIST_POP = 58, "list", "pop", 0, 1;
    LIST_REMOVE = 59, "list", "remove", 1, 1;
    LIST_CLEAR = 60, "list", "clear", 0, 0;
    LIST_INDEX = 61, "list", "index", 1, 3;
    LIST_COUNT = 62, "list", "count", 1, 1;
    LIST_SORT = 63, "list", "sort", 0, 0;
    LIST_REVERSE = 64, "list", "reverse", 0, 0;
    LIST_COPY = 65, "list", "copy", 0, 0;
    TUPLE_INDEX = 66, "tuple", "index", 1, 3;
    TUPLE_COUNT = 67, "tuple", "count", 1, 1;
    DICT_GET = 68, "dict", "get", 1, 2;
    DICT_KEYS = 69, "dict", "keys", 0, 0;
    DICT_VALUES = 70, "dict", "values", 0, 0;
    DICT_ITEMS = 71, "dict", "items", 0, 0;
    DICT_POP = 72, "dict", "pop", 1, 2;
    DICT_POPITEM = 73, "dict", "popitem", 0, 0;
    DICT_SETDEFAULT = 74, "dict", "setdefault", 1, 2;
    DICT_UPDATE = 75, "dict", "update", 0, 1;
    DICT_CLEAR = 76, "dict", "clear", 0, 0;
    DICT_COPY = 77, "dict", "copy", 0, 0;
    DICT_FROMKEYS = 78, "dict", "fromkeys", 1, 2;
    SET_ADD = 79, "set", "add", 1, 1;
    SET_REMOVE = 80, "set", "remove", 1, 1;
    SET_DISCARD = 81, "set", "discard", 1, 1;
    SET_POP = 82, "set", "pop", 0, 0;
    SET_CLEAR = 83, "set", "clear", 0, 0;
    SET_COPY = 84, "set", "copy", 0, 0;
    SET_UPDATE = 85, "set", "update", 0, usize::MAX;
    SET_UNION = 86, "set", "union", 0, usize::MAX;
    SET_INTERSECTION = 87, "set", "intersection", 0, usize::MAX;
    SET_DIFFERENCE = 88, "set", "difference", 0, usize::MAX;
    SET_SYMMETRIC_DIFFERENCE = 89, "set", "symmetric_difference", 1, 1;
    SET_ISSUBSET = 90, "set", "issubset", 1, 1;
    SET_ISSUPERSET = 91, "set", "issuperset", 1, 1;
    SET_ISDISJOINT = 92, "set", "isdisjoint", 1, 1;
    STR_JOIN = 93, "str", "join", 1, 1;
    STR_SPLIT = 94, "str", "split", 0, 2;
    STR_RSPLIT = 95, "str", "rsplit", 0, 2;
    STR_SPLITLINES = 96, "str", "splitlines", 0, 1;
    STR_STRIP = 97, "str", "strip", 0, 1;
    STR_LSTRIP = 98, "str", "lstrip", 0, 1;
    STR_RSTRIP = 99, "str", "rstrip", 0, 1;
    STR_UPPER = 100, "str", "upper", 0, 0;
    STR_LOWER = 101, "str", "lower", 0, 0;
    STR_TITLE = 102, "str", "title", 0, 0;
    STR_CAPITALIZE = 103, "str", "capitalize", 0, 0;
    STR_SWAPCASE = 104, "str", "swapcase", 0, 0;
    STR_CASEFOLD = 105, "str", "casefold", 0, 0;
    STR_STARTSWITH = 106, "str", "startswith", 1, 3;
    STR_ENDSWITH = 107, "str", "endswith", 1, 3;
    STR_FIND = 108, "str", "find", 1, 3;
    STR_RFIND = 109, "str", "rfind", 1, 3;
    STR_INDEX = 110, "str", "index", 1, 3;
    STR_RINDEX = 111, "str", "rindex", 1, 3;
    STR_COUNT = 112, "str", "count", 1, 3;
    STR_REPLACE = 113, "str", "replace", 2, 3;
    STR_FORMAT = 114, "str", "format", 0, usize::MAX;
    STR_CENTER = 115, "str", "center", 1, 2;
    STR_LJUST = 116, "str", "ljust", 1, 2;
    STR_RJUST = 117, "str", "rjust", 1, 2;
    STR_ZFILL = 118, "str", "zfill", 1, 1;
    STR_ISDIGIT = 119, "str", "isdigit", 0, 0;
    STR_ISALPHA = 120, "str", "isalpha", 0, 0;
    STR_ISALNUM = 121, "str", "isalnum", 0, 0;
    STR_ISSPACE = 122, "str", "isspace", 0, 0;
    STR_ISUPPER = 123, "str", "isupper", 0, 0;
    STR_ISLOWER = 124, "str", "islower", 0, 0;
    STR_ISDECIMAL = 125, "str", "isdecimal", 0, 0;
    STR_ISNUMERIC = 126, "str", "isnumeric", 0, 0;
    STR_ISIDENTIFIER = 127, "str", "isidentifier", 0, 0;
    STR_ISASCII = 128, "str", "isascii", 0, 0;
    STR_ISPRINTABLE = 129, "str", "isprintable", 0, 0;
    STR_ISTITLE = 130, "str", "istitle", 0, 0;
    STR_PARTITION = 131, "str", "partition", 1, 1;
    STR_RPARTITION = 132, "str", "rpartition", 1, 1;
    STR_EXPANDTABS = 133, "str", "expandtabs", 0, 1;
    STR_REMOVEPREFIX = 134, "str", "removeprefix", 1, 1;
    STR_REMOVESUFFIX = 135, "str", "removesuffix", 1, 1;
    STR_ENCODE = 136, "str", "encode", 0, 2;
    INT_BIT_LENGTH = 137, "int", "bit_length", 0, 0;
    INT_BIT_COUNT = 138, "int", "bit_count", 0, 0;
    INT_CONJUGATE = 139, "int", "conjugate", 0, 0;
    FLOAT_IS_INTEGER = 140, "float", "is_integer", 0, 0;
    FLOAT_CONJUGATE = 141, "float", "conjugate", 0, 0;
    FLOAT_HEX = 142, "float", "hex", 0, 0;
    GENERATOR_SEND = 143, "generator", "send", 1, 1;
    GENERATOR_THROW = 144, "generator", "throw", 1, 3;
    GENERATOR_CLOSE = 145, "generator", "close", 0, 0;
    GENERATOR_NEXT = 146, "generator", "__next__", 0, 0;
    GENERATOR_ITER = 147, "generator", "__iter__", 0, 0;
    BASEEXCEPTION_WITH_TRACEBACK = 148, "BaseException", "with_traceback", 1, 1;
    BASEEXCEPTION_ADD_NOTE = 149, "BaseException", "add_note", 1, 1;
    BASEEXCEPTION_INIT = 150, "BaseException", "__init__", 0, usize::MAX;
    BASEEXCEPTION_STR = 151, "BaseException", "__str__", 0, 0;
    BASEEXCEPTION_REPR = 152, "BaseException", "__repr__", 0, 0;
    PROPERTY_GETTER = 153, "property", "getter", 1, 1;
    PROPERTY_SETTER = 154, "property", "setter", 1, 1;
    PROPERTY_DELETER = 155, "property", "deleter", 1, 1;
    RANGE_INDEX = 156, "range", "index", 1, 1;
    RANGE_COUNT = 157, "range", "count", 1, 1;
    MATH_SQRT = 158, "math", "sqrt", 1, 1;
    MATH_FLOOR = 159, "math", "floor", 1, 1;
    MATH_CEIL = 160, "math", "ceil", 1, 1;
    MATH_SIN = 161, "math", "sin", 1, 1;
    MATH_COS = 162, "math", "cos", 1, 1;
    MATH_TAN = 163, "math", "tan", 1, 1;
    MATH_ASIN = 164, "math", "asin", 1, 1;
    MATH_ACOS = 165, "math", "acos", 1, 1;
    MATH_ATAN = 166, "math", "atan", 1, 1;
    MATH_ATAN2 = 167, "math", "atan2", 2, 2;
    MATH_EXP = 168, "math", "exp", 1, 1;
    MATH_LOG = 169, "math", "log", 1, 2;
    MATH_LOG2 = 170, "math", "log2", 1, 1;
    MATH_LOG10 = 171, "math", "log10", 1, 1;
    MATH_POW = 172, "math", "pow", 2, 2;
    MATH_FABS = 173, "math", "fabs", 1, 1;
    MATH_FMOD = 174, "math", "fmod", 2, 2;
    MATH_HYPOT = 175, "math", "hypot", 0, usize::MAX;
    MATH_GCD = 176, "math", "gcd", 0, usize::MAX;
    MATH_ISQRT = 177, "math", "isqrt", 1, 1;
    MATH_FACTORIAL = 178, "math", "factorial", 1, 1;
    MATH_DEGREES = 179, "math", "degrees", 1, 1;
    MATH_RADIANS = 180, "math", "radians", 1, 1;
    MATH_ISNAN = 181, "math", "isnan", 1, 1;
    MATH_ISINF = 182, "math", "isinf", 1, 1;
    MATH_ISFINITE = 183, "math", "isfinite", 1, 1;
    MATH_TRUNC = 184, "math", "trunc", 1, 1;
    MATH_COPYSIGN = 185, "math", "copysign", 2, 2;
    MATH_MODF = 186, "math", "modf", 1, 1;
    MATH_PROD = 187, "math", "prod", 1, 1;
    MATH_COMB = 188, "math", "comb", 2, 2;
    MATH_SINH = 189, "math", "sinh", 1, 1;
    MATH_COSH = 190, "math", "cosh", 1, 1;
    MATH_TANH = 191, "math", "tanh", 1, 1;
    MATH_EXPM1 = 192, "math", "expm1", 1, 1;
    MATH_LOG1P = 193, "math", "log1p", 1, 1;
    MATH_ISCLOSE = 194, "math", "isclose", 2, 2;
    MATH_LDEXP = 195, "math", "ldexp", 2, 2;
    MATH_FREXP = 196, "math", "frexp", 1, 1;
    MATH_FSUM = 197, "math", "fsum", 1, 1;
    MATH_LCM = 198, "math", "lcm", 0, usize::MAX;
    SYS_EXIT = 199, "sys", "exit", 0, 1;
    SYS_SETRECURSIONLIMIT = 200, "sys", "setrecursionlimit", 1, 1;
    SYS_GETRECURSIONLIMIT = 201, "sys", "getrecursionlimit", 0, 0;
    SYS_EXC_INFO = 202, "sys", "exc_info", 0, 0;
    SYS_INTERN = 203, "sys", "intern", 1, 1;
    TIME_TIME = 204, "time", "time", 0, 0;
    TIME_PERF_COUNTER = 205, "time", "perf_counter", 0, 0;
    TIME_MONOTONIC = 206, "time", "monotonic", 0, 0;
    TIME_SLEEP = 207, "time", "sleep", 1, 1;
    TIME_PROCESS_TIME = 208, "time", "process_time", 0, 0;
    TIME_PERF_COUNTER_NS = 209, "time", "perf_counter_ns", 0, 0;
    TIME_TIME_NS = 210, "time", "time_ns", 0, 0;
    FILE_WRITE = 211, "file", "write", 1, 1;
    FILE_FLUSH = 212, "file", "flush", 0, 0;
    SLOT_REPR = 213, "slot", "__repr__", 0, 0;
    SLOT_STR = 214, "slot", "__str__", 0, 0;
    SLOT_FORMAT = 215, "slot", "__format__", 1, 1;
    SLOT_HASH = 216, "slot", "__hash__", 0, 0;
    SLOT_BOOL = 217, "slot", "__bool__", 0, 0;
    SLOT_LEN = 218, "slot", "__len__", 0, 0;
    SLOT_ITER = 219, "slot", "__iter__", 0, 0;
    SLOT_NEXT = 220, "slot", "__next__", 0, 0;
    SLOT_GETITEM = 221, "slot", "__getitem__", 1, 1;
    SLOT_SETITEM = 222, "slot", "__setitem__", 2, 2;
    SLOT_DELITEM = 223, "slot", "__delitem__", 1, 1;
    SLOT_CONTAINS = 224, "slot", "__contains__", 1, 1;
    SLOT_NEG = 225, "slot", "__neg__", 0, 0;
    SLOT_POS = 226, "slot", "__pos__", 0, 0;
    SLOT_INVERT = 227, "slot", "__invert__", 0, 0;
    SLOT_LT = 228, "slot", "__lt__", 1, 1;
    SLOT_LE = 229, "slot", "__le__", 1, 1;
    SLOT_EQ = 230, "slot", "__eq__", 1, 1;
    SLOT_NE = 231, "slot", "__ne__", 1, 1;
    SLOT_GT = 232, "slot", "__gt__", 1, 1;
    SLOT_GE = 233, "slot", "__ge__", 1, 1;
    SLOT_ADD = 234, "slot", "__add__", 1, 1;
    SLOT_SUB = 235, "slot", "__sub__", 1, 1;
    SLOT_MUL = 236, "slot", "__mul__", 1, 1;
    SLOT_TRUEDIV = 237, "slot", "__truediv__", 1, 1;
    SLOT_FLOORDIV = 238, "slot", "__floordiv__", 1, 1;
    SLOT_MOD = 239, "slot", "__mod__", 1, 1;
    SLOT_POW = 240, "slot", "__pow__", 1, 1;
    SLOT_LSHIFT = 241, "slot", "__lshift__", 1, 1;
    SLOT_RSHIFT = 242, "slot", "__rshift__", 1, 1;
    SLOT_AND = 243, "slot", "__and__", 1, 1;
    SLOT_OR = 244, "slot", "__or__", 1, 1;
    SLOT_XOR = 245, "slot", "__xor__", 1, 1;
    SLOT_MATMUL = 246, "slot", "__matmul__", 1, 1;
    SLOT_RADD = 247, "slot", "__radd__", 1, 1;
    SLOT_RSUB = 248, "slot", "__rsub__", 1, 1;
    SLOT_RMUL = 249, "slot", "__rmul__", 1, 1;
    SLOT_RTRUEDIV = 250, "slot", "__rtruediv__", 1, 1;
    SLOT_RFLOORDIV = 251, "slot", "__rfloordiv__", 1, 1;
    SLOT_RMOD = 252, "slot", "__rmod__", 1, 1;
    SLOT_RPOW = 253, "slot", "__rpow__", 1, 1;
    SLOT_RLSHIFT = 254, "slot", "__rlshift__", 1, 1;
    SLOT_RRSHIFT = 255, "slot", "__rrshift__", 1, 1;
    SLOT_RAND = 256, "slot", "__rand__", 1, 1;
    SLOT_ROR = 257, "slot", "__ror__", 1, 1;
    SLOT_RXOR = 258, "slot", "__rxor__", 1, 1;
    SLOT_RMATMUL = 259, "slot", "__rmatmul__", 1, 1;
    SLOT_IADD = 260, "slot", "__iadd__", 1, 1;
    SLOT_ISUB = 261, "slot", "__isub__", 1, 1;
    SLOT_IMUL = 262, "slot", "__imul__", 1, 1;
    SLOT_ITRUEDIV = 263, "slot", "__itruediv__", 1, 1;
    SLOT_IFLOORDIV = 264, "slot", "__ifloordiv__", 1, 1;
    SLOT_IMOD = 265, "slot", "__imod__", 1, 1;
    SLOT_IPOW = 266, "slot", "__ipow__", 1, 1;
    SLOT_ILSHIFT = 267, "slot", "__ilshift__", 1, 1;
    SLOT_IRSHIFT = 268, "slot", "__irshift__", 1, 1;
    SLOT_IAND = 269, "slot", "__iand__", 1, 1;
    SLOT_IOR = 270, "slot", "__ior__", 1, 1;
    SLOT_IXOR = 271, "slot", "__ixor__", 1, 1;
    SLOT_IMATMUL = 272, "slot", "__imatmul__", 1, 1;
    SLOT_INDEX = 273, "slot", "__index__", 0, 0;
    SLOT_INT = 274, "slot", "__int__", 0, 0;
    SLOT_FLOAT = 275, "slot", "__float__", 0, 0;
    SLOT_ABS = 276, "slot", "__abs__", 0, 0;
    DATA_NEW = 277, "data", "__new__", 0, usize::MAX;
    LIST_INIT = 278, "list", "__init__", 0, 1;
    DICT_INIT = 279, "dict", "__init__", 0, 1;
    SET_INIT = 280, "set", "__init__", 0, 1;
    TYPE_NEW = 281, "type", "__new__", 3, 3;
    TYPE_INIT = 282, "type", "__init__", 1, 3;
    TYPE_CALL = 283, "type", "__call__", 0, usize::MAX;
    TYPE_SETATTR = 284, "type", "__setattr__", 2, 2;
    TYPE_DELATTR = 285, "type", "__delattr__", 1, 1;
    TYPE_SUBCLASSES = 286, "type", "__subclasses__", 0, 0;
    TYPE_MRO = 287, "type", "mro", 0, 0;
    SOURCE_MODULE = 288, "_verdigris", "source_module", 3, 3;
    READ_FILE = 289, "_verdigris", "read_file", 1, 1;
    WRITE_FILE = 290, "_verdigris", "write_file", 3, 3;
    READ_LINE = 291, "_verdigris", "read_line", 0, 0;
    BYTES_DECODE = 292, "bytes", "decode", 0, 2;
    BYTES_HEX = 293, "bytes", "hex", 0, 2;
    BYTES_FROMHEX = 294, "bytes", "fromhex", 1, 1;
    BYTES_MAKETRANS = 295, "bytes", "maketrans", 2, 2;
    BYTES_TRANSLATE = 296, "bytes", "translate", 1, 2;
    BYTES_JOIN = 297, "bytes", "join", 1, 1;
    BYTES_SPLIT = 298, "bytes", "split", 0, 2;
    BYTES_RSPLIT = 299, "bytes", "rsplit", 0, 2;
    BYTES_SPLITLINES = 300, "bytes", "splitlines", 0, 1;
    BYTES_PARTITION = 301, "bytes", "partition", 1, 1;
    BYTES_RPARTITION = 302, "bytes", "rpartition", 1, 1;
    BYTES_STRIP = 303, "bytes", "strip", 0, 1;
    BYTES_LSTRIP = 304, "bytes", "lstrip", 0, 1;
    BYTES_RSTRIP = 305, "bytes", "rstrip", 0, 1;
    BYTES_UPPER = 306, "bytes", "upper", 0, 0;
    BYTES_LOWER = 307, "bytes", "lower", 0, 0;
    BYTES_TITLE = 308, "bytes", "title", 0, 0;
    BYTES_CAPITALIZE = 309, "bytes", "capitalize", 0, 0;
    BYTES_SWAPCASE = 310, "bytes", "swapcase", 0, 0;
    BYTES_STARTSWITH = 311, "bytes", "startswith", 1, 3;
    BYTES_ENDSWITH = 312, "bytes", "endswith", 1, 3;
    BYTES_FIND = 313, "bytes", "find", 1, 3;
    BYTES_RFIND = 314, "bytes", "rfind", 1, 3;
    BYTES_INDEX = 315, "bytes", "index", 1, 3;
    BYTES_RINDEX = 316, "bytes", "rindex", 1, 3;
    BYTES_COUNT = 317, "bytes", "count", 1, 3;
    BYTES_REPLACE = 318, "bytes", "replace", 2, 3;
    BYTES_REMOVEPREFIX = 319, "bytes", "removeprefix", 1, 1;
    BYTES_REMOVESUFFIX = 320, "bytes", "removesuffix", 1, 1;
    BYTES_CENTER = 321, "bytes", "center", 1, 2;
    BYTES_LJUST = 322, "bytes", "ljust", 1, 2;
    BYTES_RJUST = 323, "bytes", "rjust", 1, 2;
    BYTES_ZFILL = 324, "bytes", "zfill", 1, 1;
    BYTES_ISDIGIT = 325, "bytes", "isdigit", 0, 0;
    BYTES_ISALPHA = 326, "bytes", "isalpha", 0, 0;
    BYTES_ISALNUM = 327, "bytes", "isalnum", 0, 0;
    BYTES_ISSPACE = 328, "bytes", "isspace", 0, 0;
    BYTES_ISASCII = 329, "bytes", "isascii", 0, 0;
    BYTES_ISUPPER = 330, "bytes", "isupper", 0, 0;
    BYTES_ISLOWER = 331, "bytes", "islower", 0, 0;
    BYTES_ISTITLE = 332, "bytes", "istitle", 0, 0;
    BYTES_EXPANDTABS = 333, "bytes", "expandtabs", 0, 1;
    BYTEARRAY_APPEND = 334, "bytearray", "append", 1, 1;
    BYTEARRAY_EXTEND = 335, "bytearray", "extend", 1, 1;
    BYTEARRAY_INSERT = 336, "bytearray", "insert", 2, 2;
    BYTEARRAY_POP = 337, "bytearray", "pop", 0, 1;
    BYTEARRAY_REMOVE = 338, "bytearray", "remove", 1, 1;
    BYTEARRAY_CLEAR = 339, "bytearray", "clear", 0, 0;
    BYTEARRAY_REVERSE = 340, "bytearray", "reverse", 0, 0;
    BYTEARRAY_COPY = 341, "bytearray", "copy", 0, 0;
    BYTEARRAY_INIT = 342, "bytearray", "__init__", 0, 3;
    INT_TO_BYTES = 343, "int", "to_bytes", 0, 2;
    INT_FROM_BYTES = 344, "int", "from_bytes", 0, 2;
    INT_AS_INTEGER_RATIO = 345, "int", "as_integer_ratio", 0, 0;
    FLOAT_AS_INTEGER_RATIO = 346, "float", "as_integer_ratio", 0, 0;
    FLOAT_FROMHEX = 347, "float", "fromhex", 1, 1;
    COMPLEX_CONJUGATE = 348, "complex", "conjugate", 0, 0;
    COMPLEX_COMPLEX = 349, "complex", "__complex__", 0, 0;
    THREAD_WAIT = 350, "_verdigris", "thread_wait", 1, 1;
    STR_MAKETRANS = 351, "str", "maketrans", 1, 3;
    STR_TRANSLATE = 352, "str", "translate", 1, 1;
    STR_FORMAT_MAP = 353, "str", "format_map", 1, 1;
    PATH_OPERATION = 354, "_verdigris", "path_operation", 3, 3;
    ENVIRONMENT = 355, "_verdigris", "environment", 0, 0;
    PACK_FLOAT = 356, "_verdigris", "pack_float", 2, 2;
    UNPACK_FLOAT = 357, "_verdigris", "unpack_float", 1, 1;
    MATH_ASINH = 358, "math", "asinh", 1, 1;
    MATH_ACOSH = 359, "math", "acosh", 1, 1;
    MATH_ATANH = 360, "math", "atanh", 1, 1;
    MODULE_NAMES = 361, "_verdigris", "module_names", 1, 1;
    MODULE_GET = 362, "_verdigris", "module_get", 2, 2;
    SLICE_INDICES = 363, "slice", "indices", 1, 1;
    DIGEST = 364, "_verdigris", "digest", 2, 2;
    REGEX_COMPILE = 365, "_verdigris", "regex_compile", 2, 2;
    REGEX_FIND = 366, "_verdigris", "regex_find", 6, 6;
    REGEX_ALL = 367, "_verdigris", "regex_all", 4, 4;
    REGEX_SPLIT = 368, "_verdigris", "regex_split", 3, 3;
    REGEX_REPLACE = 369, "_verdigris", "regex_replace", 4, 4;
    REGEX_TEMPLATE = 370, "_verdigris", "regex_template", 2, 2;
    REGEX_GROUPS = 371, "_verdigris", "regex_groups", 4, 4;
    REGEX_PART = 372, "_verdigris", "regex_part", 3, 3;
    COROUTINE_SEND = 373, "coroutine", "send", 1, 1;
    COROUTINE_THROW = 374, "coroutine", "throw", 1, 3;
    COROUTINE_CLOSE = 375, "coroutine", "close", 0, 0;
    COROUTINE_AWAIT = 376, "coroutine", "__await__", 0, 0;
    ASYNC_GENERATOR_ASEND = 377, "async_generator", "asend", 1, 1;
    ASYNC_GENERATOR_ATHROW = 378, "async_generator", "athrow", 1, 3;
    ASYNC_GENERATOR_ACLOSE = 379, "async_generator", "aclose", 0, 0;
    ASYNC_GENERATOR_AITER = 380, "async_generator", "__aiter__", 0, 0;
    ASYNC_GENERATOR_ANEXT = 381, "async_generator", "__anext__", 0, 0;
    WRAPPER_SEND = 382, "coroutine_wrapper", "send", 1, 1;
    WRAPPER_THROW = 383, "coroutine_wrapper", "throw", 1, 3;
    WRAPPER_CLOSE = 384, "coroutine_wrapper", "close", 0, 0;
    ASEND_SEND = 385, "async_generator_asend", "send", 1, 1;
    ASEND_THROW = 386, "async_generator_asend", "throw", 1, 3;
    ASEND_CLOSE = 387, "async_generator_asend", "close", 0, 0;
    ASEND_AWAIT = 388, "async_generator_asend", "__await__", 0, 0;
    ATHROW_SEND = 389, "async_generator_athrow", "send", 1, 1;
    ATHROW_THROW = 390, "async_generator_athrow", "throw", 1, 3;
    ATHROW_CLOSE = 391, "async_generator_athrow", "close", 0, 0;
    ATHROW_AWAIT = 392, "async_generator_athrow", "__await__", 0, 0;
    AITER = 393, "", "aiter", 1, 1;
    ANEXT = 394, "", "anext", 1, 2;
    CODE_KIND = 395, "_verdigris", "code_kind", 1, 1;
    ITERABLE_COROUTINE = 396, "_verdigris", "iterable_coroutine", 1, 1;
    PLACE_OF = 397, "_verdigris", "place_of", 1, 1;
    SYS_DISPLAYHOOK = 398, "sys", "displayhook", 1, 1;
    DECIMAL_OPERATION = 399, "_verdigris", "decimal_operation", 5, 5;
    DECIMAL_PARSE = 400, "_verdigris", "decimal_parse", 3, 3;
    DECIMAL_SHOW = 401, "_verdigris", "decimal_show", 3, 3;
    OBJECT_REDUCE_EX = 402, "object", "__reduce_ex__", 1, 1;
    OBJECT_REDUCE = 403, "object", "__reduce__", 0, 0;
    OBJECT_DIR = 404, "object", "__dir__", 0, 0;
    OBJECT_SIZEOF = 405, "object", "__sizeof__", 0, 0;
    OBJECT_SUBCLASSHOOK = 406, "object", "__subclasshook__", 0, 1;
    OBJECT_GETSTATE = 407, "object", "__getstate__", 0, 0;
    OBJECT_LT = 408, "object", "__lt__", 1, 1;
    OBJECT_LE = 409, "object", "__le__", 1, 1;
    OBJECT_GT = 410, "object", "__gt__", 1, 1;
    OBJECT_GE = 411, "object", "__ge__", 1, 1;
    META_INSTANCECHECK = 412, "meta", "__instancecheck__", 1, 1;
    META_SUBCLASSCHECK = 413, "meta", "__subclasscheck__", 1, 1;
    META_PREPARE = 414, "meta", "__prepare__", 0, usize::MAX;
    META_GETATTRIBUTE = 415, "meta", "__getattribute__", 1, 1;
    META_REPR = 416, "meta", "__repr__", 0, 0;
    META_DIR = 417, "meta", "__dir__", 0, 0;
    DESCRIPTOR_GET = 418, "descriptor", "__get__", 1, 2;
    DESCRIPTOR_SET = 419, "descriptor", "__set__", 2, 2;
    DESCRIPTOR_DELETE = 420, "descriptor", "__delete__", 1, 1;
    DESCRIPTOR_CALL = 421, "descriptor", "__call__", 0, usize::MAX;
    SYS_GETFRAME = 422, "sys", "_getframe", 0, 1;
    WEAK_NEW = 423, "_verdigris", "weak", 1, 1;
    WEAK_TARGET = 424, "_verdigris", "weak_target", 1, 1;
    COLLECT = 425, "_verdigris", "collect", 0, 0;
    IMPORT_BY_NAME = 426, "_verdigris", "import_by_name", 2, 2;
    NEW_MODULE = 427, "_verdigris", "new_module", 1, 1;
    GROUP_SPLIT = 428, "BaseExceptionGroup", "split", 1, 1;
    GROUP_SUBGROUP = 429, "BaseExceptionGroup", "subgroup", 1, 1;
    GROUP_DERIVE = 430, "BaseExceptionGroup", "derive", 1, 1;
    CODE_POSITIONS = 431, "code", "co_positions", 0, 0;
    CODE_LINES = 432, "code", "co_lines", 0, 0;
    FRAME_CLEAR = 433, "frame", "clear", 0, 0;
    FILE_ISATTY = 434, "file", "isatty", 0, 0;
    FILE_FILENO = 435, "file", "fileno", 0, 0;
    FILE_WRITABLE = 436, "file", "writable", 0, 0;
    FILE_READABLE = 437, "file", "readable", 0, 0;
    FILE_WRITELINES = 438, "file", "writelines", 1, 1;
    TRACEBACK_TEXT = 439, "_verdigris", "traceback_text", 1, 1;
    SET_DIFFERENCE_UPDATE = 440, "set", "difference_update", 0, usize::MAX;
    SET_INTERSECTION_UPDATE = 441, "set", "intersection_update", 0, usize::MAX;
    SET_SYMMETRIC_DIFFERENCE_UPDATE = 442, "set", "symmetric_difference_update", 1, 1;
    SOURCE_LINE = 443, "_verdigris", "source_line", 2, 2;
    BUFFER_EXPORT = 444, "_verdigris", "buffer_export", 2, 2;
    BUFFER_RELEASE = 445, "_verdigris", "buffer_release", 1, 1;
    THREAD_NEW = 446, "_verdigris", "thread_new", 1, 1;
    THREAD_RESUME = 447, "_verdigris", "thread_resume", 1, 1;
    THREAD_SUSPEND = 448, "_verdigris", "thread_suspend", 0, 0;
}
