//! The page. In: a document of records. Out: one HTML file with charts and tables that needs
//! nothing else: no script, no font, no other file. Invariant: every suite of the document has a
//! section with a chart.

mod axis;
mod chart;
mod html;
mod overview;
mod sections;
mod suites;
mod tiers;

use crate::measure::document::Document;
use chart::Charts;
use html::{escape, table};
use std::fs;
use std::path::PathBuf;

/// The arguments of `page`.
#[derive(clap::Args)]
pub struct PageArgs {
    /// A file that `all --json FILE` wrote.
    file: PathBuf,
    /// The page.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Makes the page.
///
/// # Errors
/// If the file is not what `--json` writes, or the page cannot be written.
pub fn run(args: &PageArgs) -> Result<(), String> {
    let document = Document::read(&args.file)?;
    if document.records.is_empty() {
        return Err(format!("{}: there are no records", args.file.display()));
    }
    let out = &args.out;
    fs::write(out, page(&document)).map_err(|error| format!("{}: {error}", out.display()))
}

/// The page of a document.
fn page(document: &Document) -> String {
    let mut charts = Charts::default();
    let overview = overview::overview(&mut charts, &document.records);
    let sections = sections::sections(&mut charts, &document.records);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <title>Benchmarks of Verdigris</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n\
         <h1>Benchmarks of Verdigris</h1>\n{}{}{overview}{sections}{METHOD}</main>\n</body>\n</html>\n",
        include_str!("style.css"),
        warning(document),
        facts(document),
    )
}

/// A warning, if the figures are worth little.
fn warning(document: &Document) -> String {
    let machine = &document.machine;
    match (machine.quick, machine.build.as_str()) {
        (false, "release") => String::new(),
        (true, _) => "<p class=\"warning\">Made with --quick: the sizes are small, and each system ran once.</p>\n".to_string(),
        (_, build) => format!("<p class=\"warning\">Made by a {} build: the figures mean nothing.</p>\n", escape(build)),
    }
}

fn facts(document: &Document) -> String {
    let machine = &document.machine;
    let fact = |name: &str, value: &str| vec![name.to_string(), value.to_string()];
    let mut rows = vec![
        fact("what", "which"),
        fact("Measured", &machine.date),
        fact(
            "Processor",
            &format!("{}, {} processors", machine.cpu, machine.cores),
        ),
        fact("Platform", &machine.platform),
    ];
    rows.extend(machine.commit.as_ref().map(|commit| fact("Commit", commit)));
    rows.extend(machine.rustc.as_ref().map(|rustc| fact("Rust", rustc)));
    let peers = machine.peers.iter();
    rows.extend(peers.map(|(system, version)| fact(sections::full_name(system), version)));
    let table = table("The machine, and the versions of the other systems", &rows);
    format!("<div id=\"facts\">{table}</div>\n")
}

const METHOD: &str = r#"<section id="method"><h2>How it was measured</h2>
<ul>
<li>All times are processor time of the thread that runs the program, so that other work on the machine does not lengthen them; those of
start-up and memory are of whole processes, in user mode and in the system.</li>
<li>Runs are interleaved: in every round each system runs once, and there are as many rounds as runs. What is shown is the median; whiskers
go from the first to the third quartile. Ratios are of medians.</li>
<li><b>interp</b> is the interpreter alone; where it is slow, it runs a smaller size, and its time is scaled. <b>jit-cold</b> is the first
run in a new VM, with interpretation, tracing and compilation included. <b>jit-warm</b> is a later run in the same VM, whose loops have
been compiled. Languages that read their program anew for each run have no warm runs.</li>
<li><b>rust</b> is the same program in Rust, compiled with this one in the same build. The other systems run it in processes of their own, and
measure their own time after a short run that warms them up, so that neither their start-up nor their compilation is in it. Numbers of
Lua, LuaJIT and node are their own: doubles do not wrap.</li>
<li>Between the runs a fixed piece of work is measured, so that two files can be compared though the machine was busier for one of them.</li>
<li>Who can say a result says the same as the others, or the measurement fails.</li>
<li>Memory is the largest resident set of a process that runs one program and nothing else.</li>
</ul>
<p>The figures are in <code>benchmarks.json</code> beside this page, every run of them.
<code>cargo run --release -p bench -- all --json FILE</code> measures again, <code>bench -- page FILE --out PAGE</code> makes this page, and
<code>bench -- compare OLD NEW</code> says what got slower beyond noise.</p>
</section>
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::document::Machine;
    use crate::measure::record::Record;
    use std::collections::BTreeMap;

    fn page_of(records: Vec<Record>) -> String {
        let machine = Machine::here(
            true,
            BTreeMap::from([("c".to_string(), "<gcc> 1".to_string())]),
        );
        page(&Document::new(machine, records))
    }

    #[test]
    fn names_of_records_are_not_markup() {
        let name = "<b>\"&</b>";
        let page = page_of(vec![Record::new(name, name, 1, name, &[1.0, 2.0])]);
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..Default::default()
        };
        let document = roxmltree::Document::parse_with_options(&page, options);
        let document = document.expect("it is well-formed");
        let texts = document
            .descendants()
            .filter(|node| node.text() == Some(name));
        assert!(texts.count() >= 3, "{page}");
        assert!(
            page.contains("&lt;gcc&gt; 1") && !page.contains(name),
            "{page}"
        );
    }

    #[test]
    fn a_quick_run_says_that_it_means_little() {
        let page = page_of(vec![Record::new("tables", "b", 1, "c", &[1.0])]);
        assert!(page.contains("Made with --quick"), "{page}");
    }

    #[test]
    fn nothing_is_loaded() {
        let page = page_of(vec![Record::new("tables", "b", 1, "c", &[1.0])]);
        for outside in ["http", "src=", "href=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
