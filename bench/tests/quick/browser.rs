//! A headless browser. In: pages in files. Out: their elements as the browser has them, pictures, and the sizes of what is drawn.
//! Invariant: it loads nothing but the file, and leaves nothing behind.
//!
//! If `VERDIGRIS_BROWSER` is set, there must be a browser: `1` means that any of the usual commands will do, else it is the command.
//! If it is not set and there is none, tests say that they were skipped.

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
    pub fn dom(&self, file: &Path) -> String {
        let output = self.run(file, &["--dump-dom"]);
        String::from_utf8(output).expect("a page is UTF-8")
    }

    /// What the page looks like, as PNG.
    pub fn screenshot(&self, file: &Path, picture: &Path) -> Vec<u8> {
        let option = format!("--screenshot={}", picture.display());
        self.run(file, &[&option, "--window-size=1000,3000"]);
        fs::read(picture).expect("there is a picture")
    }

    fn run(&self, file: &Path, options: &[&str]) -> Vec<u8> {
        let folder = TempDir::new().expect("there is a place for temporary files");
        let file = fs::canonicalize(file).expect("the page is there");
        let printed = folder.path().join("printed");
        let mut process = Command::new(&self.command);
        process
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
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

/// A page that writes down, in its own elements, how large its charts are, how many marks and words they have, what it has loaded and
/// what went wrong.
pub fn measuring(page: &str) -> String {
    const SCRIPT: &str = r#"<script>
let errors = 0;
addEventListener("error", () => errors += 1, true);
addEventListener("load", () => {
  for (const chart of document.querySelectorAll("svg.chart")) {
    const frame = chart.getBoundingClientRect();
    const seen = mark => { const box = mark.getBoundingClientRect(); return box.width > 0 || box.height > 0; };
    const inside = text => {
      const box = text.getBoundingClientRect();
      return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    };
    const marks = [...chart.querySelectorAll(".bar, .dot, .line")].filter(seen).length;
    const outside = [...chart.querySelectorAll("text")].filter(text => !inside(text)).length;
    chart.setAttribute("data-measured", [frame.width, frame.height, marks, outside].join(" "));
  }
  const resources = performance.getEntriesByType("resource").length;
  document.documentElement.setAttribute("data-page", [resources, errors].join(" "));
});
</script>
</head>"#;
    assert!(page.contains("</head>"), "it is a page");
    page.replacen("</head>", SCRIPT, 1)
}

/// The size of a chart in the browser, and what is in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chart {
    pub width: f64,
    pub height: f64,
    pub marks: usize,
    /// Words that are not wholly inside.
    pub outside: usize,
}

/// What a measuring page wrote down.
pub struct Measured {
    pub charts: Vec<Chart>,
    /// What was loaded beside the page.
    pub resources: usize,
    pub errors: usize,
}

/// How many charts there are among the elements.
pub fn charts(dom: &str) -> usize {
    let marks = ["<svg class=\"chart\"", "<svg class=\"chart narrow\""];
    marks.iter().map(|mark| dom.matches(mark).count()).sum()
}

/// Reads what a measuring page wrote down.
///
/// # Panics
/// If it did not.
pub fn measurements(dom: &str) -> Measured {
    let numbers = |attribute: &str| -> Vec<Vec<f64>> {
        let mark = format!("{attribute}=\"");
        let values = dom
            .split(mark.as_str())
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        let parse = |value: &str| {
            value
                .split(' ')
                .map(|number| number.parse().expect("a number"))
                .collect()
        };
        values.map(parse).collect()
    };
    let page = numbers("data-page");
    let chart = |numbers: &Vec<f64>| Chart {
        width: numbers[0],
        height: numbers[1],
        marks: numbers[2] as usize,
        outside: numbers[3] as usize,
    };
    Measured {
        charts: numbers("data-measured").iter().map(chart).collect(),
        resources: page[0][0] as usize,
        errors: page[0][1] as usize,
    }
}
