//! A headless browser, for tests of pages. In: pages in files. Out: their elements as the browser
//! has them after their scripts have run, and pictures. Invariant: it loads nothing but the file,
//! and leaves nothing behind.
//!
//! If `VERDIGRIS_BROWSER` is set, there must be a browser: `1` means that any of the usual commands
//! will do, else it is the command. If it is not set and there is none, tests say that they were
//! skipped.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const VARIABLE: &str = "VERDIGRIS_BROWSER";
const COMMANDS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// How long a page may take.
const LONGEST: Duration = Duration::from_secs(60);

/// The browser that shows a page.
#[derive(Clone, Copy)]
pub struct Window {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Whether the user prefers dark pages.
    pub dark: bool,
}

impl Window {
    /// A light one of this size.
    pub fn new(width: u32, height: u32) -> Window {
        Window {
            width,
            height,
            dark: false,
        }
    }
}

/// A browser that can be started.
pub struct Browser {
    command: String,
}

impl Browser {
    /// The browser of this machine.
    ///
    /// # Panics
    /// If there is none and there must be one.
    pub fn find() -> Option<Browser> {
        let wanted = std::env::var(VARIABLE).unwrap_or_default();
        let named: Vec<&str> = match wanted.as_str() {
            "" | "1" => COMMANDS.to_vec(),
            command => vec![command],
        };
        let works = |command: &&str| {
            let mut process = Command::new(command);
            process
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            process.status().is_ok_and(|status| status.success())
        };
        let found = named.iter().copied().find(|command| works(command));
        assert!(
            found.is_some() || wanted.is_empty(),
            "{VARIABLE} is set, and there is none of {named:?}"
        );
        found.map(|command| Browser {
            command: command.to_string(),
        })
    }

    /// The elements of a page, after its scripts have run.
    ///
    /// # Panics
    /// If the browser does not come to an end.
    pub fn dom(&self, file: &Path, window: Window) -> String {
        let output = self.run(file, window, &["--dump-dom"]);
        String::from_utf8(output).expect("a page is UTF-8")
    }

    /// The rendered page, as PNG.
    ///
    /// # Panics
    /// If there is none.
    pub fn screenshot(&self, file: &Path, window: Window, picture: &Path) -> Vec<u8> {
        let option = format!("--screenshot={}", picture.display());
        self.run(file, window, &[&option]);
        fs::read(picture).expect("there is a picture")
    }

    fn run(&self, file: &Path, window: Window, options: &[&str]) -> Vec<u8> {
        let folder = TempDir::new().expect("there is a place for temporary files");
        let file = fs::canonicalize(file).expect("the page is there");
        let printed = folder.path().join("printed");
        let mut process = Command::new(&self.command);
        process
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-lcd-text",
                "--disable-quic",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args([
                "--disable-extensions",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .arg(format!("--window-size={},{}", window.width, window.height))
            .args(
                window
                    .dark
                    .then_some("--blink-settings=preferredColorScheme=0"),
            )
            .args(options)
            .arg(format!("file://{}", file.display()))
            .stdin(Stdio::null())
            .stdout(fs::File::create(&printed).expect("it can be written"))
            .stderr(Stdio::null());
        let mut child = process.spawn().expect("the browser can be started");
        let begin = Instant::now();
        let status = loop {
            match child.try_wait().expect("it is our child") {
                Some(status) => break status,
                None if begin.elapsed() > LONGEST => {
                    let _ = child.kill();
                    let _ = child.wait();
                    panic!(
                        "{} did not come to an end with {}",
                        self.command,
                        file.display()
                    );
                }
                None => std::thread::sleep(Duration::from_millis(50)),
            }
        };
        assert!(status.success(), "{}: {status}", self.command);
        fs::read(&printed).expect("it is there")
    }
}

/// Says that there is no browser, past the harness, which keeps what tests print to itself.
pub fn skipped() {
    let commands = COMMANDS.join(", ");
    let text = format!(
        "skipped: no browser ({commands}); install chromium, or set {VARIABLE} to a command\n"
    );
    let _ = std::io::stderr().write_all(text.as_bytes());
}
