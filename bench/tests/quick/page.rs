//! The page. In: the page of the quick run, and the one in `docs`. Out: what it is made of, and
//! what a browser shows of it. Invariant under test: it is well-formed, each suite has a chart, and
//! every chart is drawn, with all of its words inside of it.

use crate::browser;
use crate::{QUICK, bench};
use roxmltree::{Document, Node, ParsingOptions};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use verdigris_browser::{Browser, Window, skipped};

/// The page of the quick run.
static PAGE: LazyLock<PathBuf> = LazyLock::new(|| {
    let page = QUICK.folder.path().join("quick.html");
    let out = page.to_str().expect("its name is UTF-8");
    let output = bench(&["page", &QUICK.json(), "--out", out]);
    assert!(output.status.success(), "{output:?}");
    page
});

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(name)
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Hands the elements to `f`.
fn parsed<R>(text: &str, f: impl FnOnce(&Document) -> R) -> R {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    f(&Document::parse_with_options(text, options).expect("it is well-formed"))
}

fn is_chart(node: &Node) -> bool {
    let classes = node.attribute("class").unwrap_or("");
    classes.split(' ').any(|class| class == "chart")
}

/// For each section its name and how many charts it has.
fn charts(text: &str) -> Vec<(String, usize)> {
    parsed(text, |document| {
        let sections = document
            .descendants()
            .filter(|node| node.has_tag_name("section"));
        let count = |section: Node| {
            let inside = section.descendants();
            let charts = inside.filter(|node| is_chart(node)).count();
            (section.attribute("id").unwrap_or("").to_string(), charts)
        };
        sections.map(count).collect()
    })
}

#[test]
fn every_suite_has_a_chart() {
    let charts = charts(&read(&PAGE));
    let mut suites: Vec<String> = QUICK
        .records()
        .iter()
        .map(|r| r["suite"].as_str().expect("a name").to_string())
        .collect();
    suites.dedup();
    assert!(suites.len() >= 14, "{suites:?}");
    for suite in suites {
        let section = charts
            .iter()
            .find(|section| section.0 == format!("suite-{suite}"));
        let (_, charts) = section.unwrap_or_else(|| panic!("{suite} has no section"));
        assert!(*charts > 0, "{suite} has no chart");
    }
}

/// The measurements of the 2022 paper's levels stand beside the paper's own.
#[test]
fn the_papers_numbers_are_in_the_charts() {
    parsed(&read(&PAGE), |document| {
        let section = |name: &str| {
            let mut all = document.descendants();
            let found = all.find(|node| node.attribute("id") == Some(name));
            found.unwrap_or_else(|| panic!("there is no {name}"))
        };
        let paper: Vec<&str> = section("suite-tiers-paper")
            .descendants()
            .filter(|node| node.has_tag_name("text"))
            .filter_map(|node| node.text())
            .collect();
        for text in [
            "baseline, paper",
            "1.90×",
            "tracing, paper",
            "3.25×",
            "startup and stable, all: interp/baseline",
            "1.77×",
            "paper",
            "here",
        ] {
            assert!(paper.contains(&text), "{text} in {paper:?}");
        }
        let lines = section("suite-tiers-curves");
        let lines = lines.descendants();
        let lines = lines.filter(|node| node.has_tag_name("polyline")).count();
        assert_eq!(
            lines,
            5 * 5,
            "a program of each language, with five systems"
        );
    });
}

/// Every chart says in words what it shows.
#[test]
fn charts_have_titles_and_descriptions() {
    parsed(&read(&PAGE), |document| {
        let charts = document.descendants().filter(|node| is_chart(node));
        for chart in charts {
            for name in ["title", "desc"] {
                let child = chart.children().find(|child| child.has_tag_name(name));
                let text = child.and_then(|child| child.text()).unwrap_or("");
                assert!(
                    text.len() > 5,
                    "{name} of {:?}",
                    chart.attribute("aria-labelledby")
                );
            }
        }
    });
}

/// The page in `docs` is made from the records beside it, of a complete run of a release build.
#[test]
fn the_committed_page_is_that_of_the_committed_records() {
    let again = QUICK.folder.path().join("again.html");
    let (json, out) = (
        committed("benchmarks.json"),
        again.to_str().expect("its name is UTF-8"),
    );
    let json = json.to_str().expect("its name is UTF-8");
    let output = bench(&["page", json, "--out", out]);
    assert!(output.status.success(), "{output:?}");
    assert!(
        read(&again) == read(&committed("benchmarks.html")),
        "make it anew: bench -- page docs/benchmarks.json --out docs/benchmarks.html"
    );
    let records: serde_json::Value =
        serde_json::from_str(&read(&committed("benchmarks.json"))).expect("it is JSON");
    let machine = &records["machine"];
    assert_eq!(
        (&machine["build"], &machine["quick"]),
        (&"release".into(), &false.into())
    );
}

const WINDOW: Window = Window {
    width: 1000,
    height: 3000,
    dark: false,
};

fn check_in_browser(browser: &Browser, file: &Path, at_least: usize) {
    let text = read(file);
    let expected: usize = charts(&text).iter().map(|section| section.1).sum();
    assert!(
        expected >= at_least,
        "{} has {expected} charts",
        file.display()
    );
    // As it is, the browser finds the charts.
    let shown = browser.dom(file, WINDOW);
    assert_eq!(browser::charts(&shown), expected, "{}", file.display());
    // A copy that measures itself says how large they are.
    let copy = QUICK.folder.path().join("measured.html");
    fs::write(&copy, browser::measuring(&text)).expect("it is written");
    let measured = browser::measurements(&browser.dom(&copy, WINDOW));
    assert_eq!(measured.charts.len(), expected, "{}", file.display());
    assert_eq!(
        (measured.resources, measured.errors),
        (0, 0),
        "{}",
        file.display()
    );
    for (number, chart) in measured.charts.iter().enumerate() {
        let number = number + 1;
        assert!(
            chart.width > 200.0 && chart.height > 40.0,
            "chart {number}: {chart:?}"
        );
        assert!(chart.marks > 0, "chart {number} shows nothing: {chart:?}");
        assert_eq!(
            chart.outside, 0,
            "words of chart {number} are cut off: {chart:?}"
        );
    }
    let picture = browser.screenshot(file, WINDOW, &QUICK.folder.path().join("page.png"));
    assert!(
        picture.starts_with(b"\x89PNG") && picture.len() > 20_000,
        "{} bytes",
        picture.len()
    );
}

#[test]
fn a_browser_shows_the_charts() {
    match Browser::find() {
        Some(browser) => {
            check_in_browser(&browser, &committed("benchmarks.html"), 30);
            check_in_browser(&browser, &PAGE, 20);
        }
        None => skipped(),
    }
}
