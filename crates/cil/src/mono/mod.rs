//! Mono in this process: one runtime, on a thread of its own, which makes methods for all others.
//!
//! Mono cannot be started twice, nor stopped. A thread of its own is never entered on a foreign
//! stack, such as a coroutine's, which Mono's collector could not scan; and the threads that run
//! methods need not be attached.

mod api;
mod emit;
mod library;
mod process;

use crate::code::Body;
use crate::mono::emit::{Emitter, Made};
use crate::times;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};

/// The stack of Mono's thread: its compiler recurses.
const STACK: usize = 8 << 20;
/// Methods that are forgotten before Mono is asked to collect: it does not know how much code they
/// have.
const FORGOTTEN: usize = 500;

/// The runtime.
pub(crate) struct Mono {
    requests: Mutex<Sender<Request>>,
    /// The process that has the thread: a child of it has none.
    process: u32,
}

/// What Mono's thread is asked for.
enum Request {
    Make(Body, Sender<Result<Made, String>>),
    Forget(u32),
}

/// A method of Mono's. It is forgotten when this is dropped.
pub(crate) struct MonoMethod {
    made: Made,
    mono: &'static Mono,
}

impl Mono {
    /// The runtime of this process, which is started if it has not been.
    pub(crate) fn get() -> Result<&'static Mono, &'static str> {
        static MONO: OnceLock<Result<Mono, String>> = OnceLock::new();
        let mono = MONO.get_or_init(Mono::start);
        mono.as_ref().map_err(|error| error.as_str())
    }

    fn start() -> Result<Mono, String> {
        let library = library::find()?;
        let (requests, queue) = channel();
        let (ready, started) = channel();
        let thread = std::thread::Builder::new()
            .name("mono".into())
            .stack_size(STACK);
        let run = move || match Emitter::start(library) {
            Ok(emitter) => {
                let _ = ready.send(Ok(()));
                serve(&emitter, &queue);
            }
            Err(error) => drop(ready.send(Err(error))),
        };
        thread
            .spawn(run)
            .map_err(|error| format!("Mono's thread cannot be started: {error}"))?;
        let answer = started.recv();
        answer.map_err(|_| "Mono could not be started".to_owned())??;
        Ok(Mono {
            requests: Mutex::new(requests),
            process: std::process::id(),
        })
    }

    /// Makes a method of a body.
    pub(crate) fn make(&'static self, body: Body) -> Result<MonoMethod, String> {
        if !self.has_thread() {
            return Err("Mono does not outlive a fork: the child makes no methods".to_owned());
        }
        let (answer, answered) = channel();
        self.ask(Request::Make(body, answer));
        let gone = |_| "Mono's thread has ended".to_owned();
        let made = answered.recv().map_err(gone)??;
        Ok(MonoMethod { made, mono: self })
    }

    /// Whether this is the process that has the thread. In a child, even the lock may be held for
    /// ever.
    fn has_thread(&self) -> bool {
        self.process == std::process::id()
    }

    fn ask(&self, request: Request) {
        let requests = self
            .requests
            .lock()
            .unwrap_or_else(|error| error.into_inner());
        // Without the thread there is nothing to do.
        let _ = requests.send(request);
    }
}

impl MonoMethod {
    /// Where its code is.
    pub(crate) fn address(&self) -> usize {
        self.made.address
    }
}

impl Drop for MonoMethod {
    fn drop(&mut self) {
        if self.mono.has_thread() {
            self.mono.ask(Request::Forget(self.made.handle));
        }
    }
}

/// What Mono's thread does.
fn serve(emitter: &Emitter, queue: &Receiver<Request>) {
    let mut forgotten = 0;
    while let Ok(request) = queue.recv() {
        match request {
            Request::Make(body, answer) => {
                let made = emitter.make(&body).map(|(made, emission, compilation)| {
                    times::note_making(emission, compilation);
                    made
                });
                // The thread that has asked waits for it.
                let _ = answer.send(made);
            }
            Request::Forget(handle) => {
                emitter.forget(handle);
                forgotten += 1;
                if forgotten % FORGOTTEN == 0 {
                    emitter.collect();
                }
            }
        }
    }
}
