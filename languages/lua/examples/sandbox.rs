//! Programs that are not trusted: no files, bounded memory, bounded time.
//! `cargo run -p verdigris-lua --example sandbox`

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use verdigris_lua::{Error, Lua, LuaOptions, Result, StdLib};

/// Keeps what a program prints.
#[derive(Clone, Default)]
struct Page(Rc<RefCell<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a text for at most so long.
fn run_for(lua: &Lua, text: &str, time: Duration) -> Result<()> {
    let handle = lua.interrupt_handle()?;
    let (done, waits) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        // It fails as soon as the program has ended.
        if waits.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
            handle.interrupt();
        }
    });
    let result = lua.load(text).set_name("=program").exec();
    drop(done);
    watch.join().expect("it does not panic");
    // It may have come when the program had just ended.
    lua.clear_interrupt()?;
    result
}

/// Runs a few programs, and says how each of them ends.
///
/// # Errors
/// What goes wrong in the machine.
pub fn main() -> Result<()> {
    let page = Page::default();
    let options = LuaOptions::new()
        .libraries(StdLib::SANDBOX)
        .memory_limit(16 << 20)
        .output(page.clone());
    let lua = Lua::with(options)?;
    let programs = [
        ("print(('x'):rep(3))", "fine"),
        ("print(io, os.execute, require)", "fine"),
        ("local t = {} while true do t[#t + 1] = {} end", "memory"),
        ("local function f() return 1 + f() end f()", "error"),
        (
            "while true do pcall(function() while true do end end) end",
            "time",
        ),
    ];
    for (text, expected) in programs {
        let outcome = match run_for(&lua, text, Duration::from_secs(1)) {
            Ok(()) => "fine",
            Err(Error::Memory) => "memory",
            Err(Error::Interrupted) => "time",
            Err(_) => "error",
        };
        println!("{text}: {outcome}");
        // On a machine that is slow enough each of them takes too long.
        assert!(outcome == expected || outcome == "time");
    }
    println!("printed: {}", String::from_utf8_lossy(&page.0.borrow()));
    Ok(())
}
