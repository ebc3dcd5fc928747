//! Lua, Python, TLC, TLA and objmodel where the system refuses memory. In: a program of each, and
//! the number of the request that is refused, or how many bytes there are. Out: what it prints, or
//! an error that says so. Invariant under test: nothing ends the process, a refused request is made
//! good by the reserve, and the next run has everything again.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use verdigris::{Options, ReservingAllocator, memory_is_low};
use verdigris_faults::{Fault, Faulty, count};

#[global_allocator]
static ALLOCATOR: ReservingAllocator<Faulty> = ReservingAllocator::around(Faulty);

const DEPTH: i64 = 300;

/// How many of a run's requests are refused in turn: each in a run of its own.
const REQUESTS: u64 = 60;
/// How many sizes of memory are tried.
const SIZES: i64 = 20;

const SETTINGS: [&str; 3] = [
    "off",
    "threshold=3,function_threshold=3,trace_eagerness=2",
    "threshold=3,function_threshold=3,compiler=specialising",
];

/// Errors that a program may end with where memory is refused.
const ERRORS: [&str; 2] = [
    "not enough memory",
    "the guest program has used up its heap",
];

/// A program of a language: from a fault to what it prints.
type Guest<'a> = &'a (dyn Fn(Options) -> Result<String, String> + Sync);

fn options(settings: &str) -> Options {
    Options::parse(settings).unwrap_or_else(|error| panic!("{settings}: {error}"))
}

/// The reserve is the process's: the languages have it one after the other.
static TURN: Mutex<()> = Mutex::new(());

fn check(guest: Guest<'_>) {
    let _turn = TURN.lock();
    for settings in SETTINGS {
        let run = |fault| count(fault, || guest(options(settings)));
        // What is made once for a process is made now.
        let _ = run(Fault::None);
        let (expected, requests) = run(Fault::None);
        let expected = expected.unwrap_or_else(|error| panic!("{settings}: {error}"));
        let tried = REQUESTS.min(requests.number);
        for number in (0..tried).map(|n| n * requests.number / tried) {
            let (printed, requests) = run(Fault::Request(number));
            assert_eq!(requests.refused, 1, "{settings}, request {number}");
            assert_eq!(
                printed.as_deref(),
                Ok(&*expected),
                "{settings}, request {number}"
            );
            assert!(!memory_is_low(), "{settings}, request {number}");
        }
        for n in 0..SIZES {
            let bytes = requests.most * n / SIZES;
            let (printed, requests) = run(Fault::Bytes(bytes));
            assert!(requests.refused > 0, "{settings}, {bytes} bytes");
            match printed {
                // With the first of these sizes no program comes to its end.
                Ok(printed) => assert_eq!(
                    (n > 0, printed),
                    (true, expected.clone()),
                    "{settings}, {bytes} bytes"
                ),
                Err(error) => assert!(
                    ERRORS.iter().any(|end| error.contains(end)),
                    "{settings}, {bytes} bytes: {error}"
                ),
            }
            assert!(!memory_is_low(), "{settings}, {bytes} bytes");
        }
    }
}

fn file(path: &str) -> Vec<u8> {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn answer(output: String, error: Option<String>) -> Result<String, String> {
    match error {
        None => Ok(output),
        Some(error) => Err(error),
    }
}

const TEXT: &str = "
    local words = {}
    for i = 1, 60 do words[#words + 1] = 'w' .. i % 7 end
    local counts = {}
    for _, word in ipairs(words) do counts[word] = (counts[word] or 0) + 1 end
    local sum = 0
    for word, count in pairs(counts) do sum = sum + count * #word end
    print(sum, table.concat(words, ' ', 1, 5))
    local f = load('local s = 0 for i = 1, ... do s = s + i * i end return s')
    print(f(50), pcall(error, {}) and 1 or 0, ('x'):rep(100):gsub('x', 'yy', 3))
    local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
    print(fib(12), select('#', coroutine.wrap(function() return 1, 2, 3 end)()))
";

fn lua(options: Options) -> Result<String, String> {
    use verdigris_lua::machine::{Machine, load};
    let program = load(TEXT.as_bytes(), "faults").map_err(|error| error.to_string())?;
    let machine = Machine::new(options, DEPTH)?;
    let outcome = machine.run(&program, &[], true);
    answer(outcome.output, outcome.error)
}

#[test]
fn lua_goes_on_or_says_so() {
    verdigris_lua::machine::on_stack(DEPTH, || check(&lua)).expect("a stack");
}

const PYTHON: &str = "
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

words = ['w' + str(n % 7) for n in range(60)]
counts = {}
for word in words:
    counts[word] = counts.get(word, 0) + 1
print(counts, ' '.join(words[:5]), sorted(set(words)))
total = Point(0, 0)
for n in range(100):
    total = total + Point(n, n * 0.5)
print(total.x, total.y, 2 ** 200, f'{1 / 3:.5f}', 'x' * 100)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def squares(n):
    for k in range(n):
        yield k * k
print(fib(12), sum(squares(50)), [a + b for a, b in zip(range(9), range(9))])
try:
    {}['nothing']
except KeyError as error:
    print(repr(error))
";

#[test]
fn python_goes_on_or_says_so() {
    use verdigris_python::clock::Clock;
    use verdigris_python::machine::{Machine, compile, on_stack};
    use verdigris_python::setup::Setup;
    use verdigris_python::stdlib::StdlibChoice;
    let program = compile(PYTHON.as_bytes(), "faults.py").expect("it is a program");
    let setup = Setup {
        arguments: Vec::new(),
        folder: String::new(),
        stdlib: StdlibChoice::Off,
        limit: DEPTH,
        clock: Clock::Virtual,
    };
    let guest = |options| {
        let machine = Machine::new(options)?;
        let outcome = machine.run(&program, &setup, true);
        answer(outcome.output, outcome.error)
    };
    on_stack(DEPTH, || check(&guest)).expect("a stack");
}

#[test]
fn tlc_goes_on_or_says_so() {
    use tlc::machine::{Machine, load};
    let text = file("languages/tlc/programs/objects.tlc");
    let image = load(&text, "objects").unwrap_or_else(|error| panic!("{error}"));
    check(&|options| {
        let machine = Machine::new(options, DEPTH)?;
        let outcome = machine.run(&image, &[40], true);
        answer(outcome.output, outcome.error)
    });
}

#[test]
fn objmodel_goes_on_or_says_so() {
    use objmodel::machine::{Machine, Stage, load};
    let text = file("languages/objmodel/programs/shapes.om");
    let image = load(&text, "shapes").unwrap_or_else(|error| panic!("{error}"));
    check(&|options| {
        let machine = Machine::new(options, Stage::default(), DEPTH)?;
        let outcome = machine.run(&image, &[10], true);
        answer(outcome.output, outcome.error)
    });
}

#[test]
fn tla_goes_on_or_says_so() {
    use tla::machine::{Machine, load, on_stack};
    let text = String::from_utf8(file("languages/tla/programs/fib.tla")).expect("a text");
    let image = load(&text, "fib").unwrap_or_else(|error| panic!("{error}"));
    let guest = |options| Machine::new(options, DEPTH)?.run(&image, &[10]);
    on_stack(DEPTH, || check(&guest)).expect("a stack");
}
