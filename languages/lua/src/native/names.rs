//! The functions of the library: their numbers, and their names in the tables of the program.

macro_rules! functions {
    ($($id:literal $number:ident = $table:literal $name:literal;)*) => {
        $(
            #[doc = concat!("The number of `", $name, "` in `", $table, "`.")]
            pub const $number: usize = $id;
        )*

        /// The table and the name of each function, by its number. `-` is no table of the program.
        pub const NAMES: [(&str, &str); 72] = [$(($table, $name),)*];
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
    64 COROUTINE_CREATE = "coroutine" "create";
    65 COROUTINE_RESUME = "coroutine" "resume";
    66 COROUTINE_YIELD = "coroutine" "yield";
    67 COROUTINE_STATUS = "coroutine" "status";
    68 COROUTINE_RUNNING = "coroutine" "running";
    69 COROUTINE_ISYIELDABLE = "coroutine" "isyieldable";
    70 COROUTINE_CLOSE = "coroutine" "close";
    71 COROUTINE_WRAPPED = "-" "wrap";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places_in_the_table() {
        assert_eq!(NAMES[PRINT], ("", "print"));
        assert_eq!(NAMES[MATH_ABS], ("math", "abs"));
        assert_eq!(NAMES[STRING_FIND], ("string", "find"));
        assert_eq!(NAMES[SORT_PLAIN], ("-", "sort"));
    }
}
