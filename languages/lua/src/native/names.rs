//! The functions of the library: their numbers, and their names in the tables of the program.

macro_rules! functions {
    ($($id:literal $number:ident = $table:literal $name:literal;)*) => {
        $(
            #[doc = concat!("The number of `", $name, "` in `", $table, "`.")]
            pub const $number: usize = $id;
        )*

        /// The table and the name of each function, by its number. `-` is no table of the program.
        pub const NAMES: [(&str, &str); COUNT] = [$(($table, $name),)*];

        /// How many there are.
        pub const COUNT: usize = [$($id,)*].len();
    };
}

functions! {
    0 PRINT = "" "print";
    1 TYPE = "" "type";
    2 TOSTRING = "" "tostring";
    3 TONUMBER = "" "tonumber";
    4 IPAIRS = "" "ipairs";
    5 PAIRS = "" "pairs";
    6 NEXT = "" "next";
    7 RAWGET = "" "rawget";
    8 RAWSET = "" "rawset";
    9 RAWEQUAL = "" "rawequal";
    10 RAWLEN = "" "rawlen";
    11 SELECT = "" "select";
    12 SETMETATABLE = "" "setmetatable";
    13 GETMETATABLE = "" "getmetatable";
    14 PCALL = "" "pcall";
    15 XPCALL = "" "xpcall";
    16 ERROR = "" "error";
    17 ASSERT = "" "assert";
    18 COLLECTGARBAGE = "" "collectgarbage";
    19 REQUIRE = "" "require";
    20 MATH_ABS = "math" "abs";
    21 MATH_CEIL = "math" "ceil";
    22 MATH_FLOOR = "math" "floor";
    23 MATH_SQRT = "math" "sqrt";
    24 MATH_SIN = "math" "sin";
    25 MATH_COS = "math" "cos";
    26 MATH_TAN = "math" "tan";
    27 MATH_ASIN = "math" "asin";
    28 MATH_ACOS = "math" "acos";
    29 MATH_ATAN = "math" "atan";
    30 MATH_EXP = "math" "exp";
    31 MATH_LOG = "math" "log";
    32 MATH_FMOD = "math" "fmod";
    33 MATH_MODF = "math" "modf";
    34 MATH_MAX = "math" "max";
    35 MATH_MIN = "math" "min";
    36 MATH_TOINTEGER = "math" "tointeger";
    37 MATH_TYPE = "math" "type";
    38 MATH_ULT = "math" "ult";
    39 MATH_RANDOM = "math" "random";
    40 MATH_RANDOMSEED = "math" "randomseed";
    41 STRING_LEN = "string" "len";
    42 STRING_SUB = "string" "sub";
    43 STRING_UPPER = "string" "upper";
    44 STRING_LOWER = "string" "lower";
    45 STRING_REP = "string" "rep";
    46 STRING_REVERSE = "string" "reverse";
    47 STRING_BYTE = "string" "byte";
    48 STRING_CHAR = "string" "char";
    49 STRING_FORMAT = "string" "format";
    50 STRING_FIND = "string" "find";
    51 TABLE_INSERT = "table" "insert";
    52 TABLE_REMOVE = "table" "remove";
    53 TABLE_CONCAT = "table" "concat";
    54 TABLE_UNPACK = "table" "unpack";
    55 TABLE_PACK = "table" "pack";
    56 TABLE_MOVE = "table" "move";
    57 IO_WRITE = "io" "write";
    58 OS_CLOCK = "os" "clock";
    59 OS_TIME = "os" "time";
    60 OS_EXIT = "os" "exit";
    61 OS_GETENV = "os" "getenv";
    62 IPAIRS_NEXT = "-" "ipairs_aux";
    63 SORT_PLAIN = "-" "sort";
    64 TABLE_SORT = "table" "sort";
    65 STRING_MATCH = "string" "match";
    66 STRING_GMATCH = "string" "gmatch";
    67 STRING_GSUB = "string" "gsub";
    68 SEARCH_STEP = "-" "for iterator";
    69 SEARCH_NEXT = "-" "gsub";
    70 SEARCH_FINISH = "-" "gsub";
    71 LOAD = "" "load";
    72 LOADFILE = "" "loadfile";
    73 DOFILE = "" "dofile";
    74 PACKAGE_SEARCHPATH = "package" "searchpath";
    75 PACKAGE_LOADLIB = "package" "loadlib";
    76 STRING_PACK = "string" "pack";
    77 STRING_UNPACK = "string" "unpack";
    78 STRING_PACKSIZE = "string" "packsize";
    79 STRING_DUMP = "string" "dump";
    80 UTF8_CHAR = "utf8" "char";
    81 UTF8_CODEPOINT = "utf8" "codepoint";
    82 UTF8_CODES = "utf8" "codes";
    83 UTF8_LEN = "utf8" "len";
    84 UTF8_OFFSET = "utf8" "offset";
    85 UTF8_NEXT = "-" "for iterator";
    86 UTF8_NEXT_LAX = "-" "for iterator";
    87 MATH_DEG = "math" "deg";
    88 MATH_RAD = "math" "rad";
    89 IO_CLOSE = "io" "close";
    90 IO_FLUSH = "io" "flush";
    91 IO_INPUT = "io" "input";
    92 IO_OUTPUT = "io" "output";
    93 IO_OPEN = "io" "open";
    94 IO_POPEN = "io" "popen";
    95 IO_TMPFILE = "io" "tmpfile";
    96 IO_READ = "io" "read";
    97 IO_TYPE = "io" "type";
    98 IO_LINES = "io" "lines";
    99 FILE_CLOSE = "FILE*" "close";
    100 FILE_FLUSH = "FILE*" "flush";
    101 FILE_READ = "FILE*" "read";
    102 FILE_WRITE = "FILE*" "write";
    103 FILE_LINES = "FILE*" "lines";
    104 FILE_SEEK = "FILE*" "seek";
    105 FILE_SETVBUF = "FILE*" "setvbuf";
    106 FILE_TOSTRING = "-" "__tostring";
    107 FILE_DONE = "-" "__close";
    108 LINE = "-" "for iterator";
    109 OS_DATE = "os" "date";
    110 OS_DIFFTIME = "os" "difftime";
    111 OS_EXECUTE = "os" "execute";
    112 OS_REMOVE = "os" "remove";
    113 OS_RENAME = "os" "rename";
    114 OS_SETLOCALE = "os" "setlocale";
    115 OS_TMPNAME = "os" "tmpname";
    116 DEBUG_GETINFO = "debug" "getinfo";
    117 DEBUG_TRACEBACK = "debug" "traceback";
    118 DEBUG_GETMETATABLE = "debug" "getmetatable";
    119 DEBUG_SETMETATABLE = "debug" "setmetatable";
    120 DEBUG_GETUPVALUE = "debug" "getupvalue";
    121 DEBUG_SETUPVALUE = "debug" "setupvalue";
    122 DEBUG_UPVALUEID = "debug" "upvalueid";
    123 DEBUG_UPVALUEJOIN = "debug" "upvaluejoin";
    124 DEBUG_GETLOCAL = "debug" "getlocal";
    125 DEBUG_SETLOCAL = "debug" "setlocal";
    126 DEBUG_SETHOOK = "debug" "sethook";
    127 DEBUG_GETHOOK = "debug" "gethook";
    128 DEBUG_GETREGISTRY = "debug" "getregistry";
    129 DEBUG_GETUSERVALUE = "debug" "getuservalue";
    130 DEBUG_SETUSERVALUE = "debug" "setuservalue";
    131 DEBUG_DEBUG = "debug" "debug";
    132 WARN = "" "warn";
    133 COROUTINE_CREATE = "coroutine" "create";
    134 COROUTINE_RESUME = "coroutine" "resume";
    135 COROUTINE_YIELD = "coroutine" "yield";
    136 COROUTINE_STATUS = "coroutine" "status";
    137 COROUTINE_RUNNING = "coroutine" "running";
    138 COROUTINE_ISYIELDABLE = "coroutine" "isyieldable";
    139 COROUTINE_CLOSE = "coroutine" "close";
    140 COROUTINE_WRAP = "coroutine" "wrap";
    141 COROUTINE_WRAPPED = "-" "wrap";
    142 MESSAGE = "-" "message";
}

/// The table and the name of a function by its number: those of the embedder have none.
pub fn name_of(id: usize) -> (&'static str, &'static str) {
    NAMES.get(id).copied().unwrap_or(("", "?"))
}

/// The place of `table.sort` in [`crate::value::World::library`].
pub const SORT: usize = 0;
/// The place of the iterator of `string.gmatch`.
pub const GMATCH: usize = 1;
/// The place of `string.gsub` with a function.
pub const GSUB_CALL: usize = 2;
/// The place of `string.gsub` with a table.
pub const GSUB_INDEX: usize = 3;
/// The place of `load` of a function.
pub const LOAD_PIECES: usize = 4;
/// The place of `dofile`.
pub const RUN_FILE: usize = 5;
/// The place of `require`.
pub const FIND_MODULE: usize = 6;
/// The place of the iterator of `lines`.
pub const LINES: usize = 7;
/// The place of `coroutine.wrap`.
pub const WRAP: usize = 8;
/// How many functions of the library are written in Lua.
pub const IN_LUA: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places_in_the_table() {
        assert_eq!(NAMES[PRINT], ("", "print"));
        assert_eq!(NAMES[MATH_ABS], ("math", "abs"));
        assert_eq!(NAMES[STRING_FIND], ("string", "find"));
        assert_eq!(NAMES[SEARCH_FINISH], ("-", "gsub"));
    }
}
