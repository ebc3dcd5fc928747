//! Statistics as a table for people, or as one JSON object. The table has few lines, whatever the
//! program: of long lists it shows what matters most and counts the rest. The JSON has everything.

use crate::kinds::Activity;
use crate::stats::{AbortStats, CodeStats, Stats};
use crate::terminal::{Terminal, TextStyle};
use crate::units::{bytes, count, time};
use std::fmt::{Display, Write};

/// The most pieces of code, and the most attempts, that a table shows.
const MOST: usize = 10;

/// The most characters of the reason why something was given up.
const MAX_DETAIL: usize = 100;

/// In which form statistics are written: what the option `--stats` of a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatsForm {
    /// A table for people.
    Table,
    /// One JSON object on one line.
    Json,
}

impl StatsForm {
    /// Reads `table` or `json`.
    ///
    /// # Errors
    /// If it is something else.
    pub fn parse(text: &str) -> Result<StatsForm, String> {
        match text {
            "table" => Ok(StatsForm::Table),
            "json" => Ok(StatsForm::Json),
            _ => Err(format!("there is no form {text:?}: table or json")),
        }
    }
}

impl Stats {
    /// One JSON object on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a record of numbers and strings always serialises")
    }

    /// The statistics in one of the forms, without a line break at the end.
    pub fn text(&self, form: StatsForm) -> String {
        match form {
            StatsForm::Table => self.table(),
            StatsForm::Json => self.to_json(),
        }
    }

    /// The same for standard error: if that is a terminal, headings stand out, and lines are cut at
    /// its width.
    pub fn show(&self, form: StatsForm) -> String {
        match form {
            StatsForm::Table => self.table_on(Terminal::stderr()),
            StatsForm::Json => self.to_json(),
        }
    }

    /// A table for people: where time went, what was made, and, as far as
    /// the VM's option `keep_places` asked for it, where in the guest program.
    pub fn table(&self) -> String {
        self.table_on(Terminal::default())
    }

    /// [`Stats::table`], as a terminal can show it.
    pub(crate) fn table_on(&self, terminal: Terminal) -> String {
        let mut rows = Rows {
            terminal,
            ..Rows::default()
        };
        self.tiers_to(&mut rows);
        rows.text("");
        self.sums_to(&mut rows);
        self.code_to(&mut rows);
        self.given_up_to(&mut rows);
        rows.out.trim_end().to_string()
    }

    fn tiers_to(&self, rows: &mut Rows) {
        let tiers = &self.tiers;
        rows.heading(["time by tier", "time", "pieces", "entries", "code"], &[0]);
        rows.row([
            Activity::Interpreter.name(),
            &time(tiers.interpreted_seconds),
            "",
            "",
            "",
        ]);
        let specialised = self.specialised.pieces;
        let all = self.traces + self.bridges;
        let traced = all.saturating_sub(specialised);
        let of = [
            (
                Activity::Specialised.name(),
                &tiers.specialised,
                specialised,
            ),
            (Activity::Traces.name(), &tiers.traced, traced),
            (Activity::Threaded.name(), &tiers.threaded, tiers.stencils),
        ];
        for (name, figures, pieces) in of {
            if pieces == 0 && figures.entries == 0 {
                continue;
            }
            rows.row([
                name,
                &time(figures.seconds),
                &pieces.to_string(),
                &figures.entries.to_string(),
                &bytes(figures.code_bytes),
            ]);
        }
        let own = [
            (Activity::Leaving.name(), tiers.leaving_seconds),
            (Activity::Tracing.name(), self.seconds.tracing),
            (Activity::Optimising.name(), self.seconds.optimising),
            (Activity::Compiling.name(), self.seconds.compiling),
            (Activity::Collecting.name(), self.heap.seconds),
        ];
        for (name, seconds) in own.into_iter().filter(|(_, seconds)| *seconds > 0.0) {
            rows.row([name, &time(seconds), "", "", ""]);
        }
    }

    fn sums_to(&self, rows: &mut Rows) {
        let failures = self.guard_failures;
        rows.text(format_args!(
            "{} compiled ({} of loops), {} ({})",
            count(self.traces, "trace"),
            self.loops,
            count(self.bridges, "bridge"),
            self.backend
        ));
        rows.text(format_args!(
            "{}, {} without a bridge, {} to the interpreter",
            count(self.guards, "guard"),
            count(failures.total, "failure"),
            failures.interpreter
        ));
        rows.text(format_args!(
            "{} ({} young), {} allocated, longest pause {}",
            count(
                self.heap.collections + self.heap.young_collections,
                "collection"
            ),
            self.heap.young_collections,
            bytes(self.heap.allocated_bytes),
            time(
                self.heap
                    .longest_pause_seconds
                    .max(self.heap.longest_young_pause_seconds)
            )
        ));
        let seldom = [
            (self.freed + self.evicted, "trees of code were freed"),
            (self.invalidated, "traces were invalidated"),
            (self.forced, "times kept frames were given back"),
            (self.tiers.waits, "times compiling had to wait"),
            (
                self.tiers.rests,
                "times code rested, since it was left too soon",
            ),
            (self.tiers.settled, "places went over to partial evaluation"),
            (
                self.tiers.generalised,
                "promotions were compiled for any value",
            ),
        ];
        for (times, what) in seldom.into_iter().filter(|(times, _)| *times > 0) {
            rows.text(format_args!("{times} {what}"));
        }
        if self.given_up.is_empty() && !self.aborts.is_empty() {
            let aborts = self.aborts.iter();
            let aborts = aborts.map(|(reason, times)| format!("{reason} ({times})"));
            rows.text(format_args!(
                "given up: {}",
                aborts.collect::<Vec<_>>().join(", ")
            ));
        }
    }

    /// The code, the pieces with most entries and failures first.
    fn code_to(&self, rows: &mut Rows) {
        if self.locations.is_empty() {
            return;
        }
        let mut code: Vec<&CodeStats> = self.locations.iter().collect();
        let weight = |code: &CodeStats| code.entries.unwrap_or(0) + code.guard_failures;
        // Among the others, what has taken longest to make.
        code.sort_by(|a, b| (weight(b).cmp(&weight(a))).then(b.seconds.total_cmp(&a.seconds)));
        rows.text("");
        rows.heading(["entries", "failures", "made in", "code", ""], &[4]);
        for code in code.iter().take(MOST) {
            let entries = code.entries.map_or(String::new(), |n| n.to_string());
            rows.row([
                &*entries,
                &code.guard_failures.to_string(),
                &time(code.seconds),
                &bytes(code.code_bytes),
                &code.title,
            ]);
        }
        rows.more(code.len());
    }

    /// The attempts that were given up, the most expensive first.
    fn given_up_to(&self, rows: &mut Rows) {
        if self.given_up.is_empty() {
            return;
        }
        let mut given_up: Vec<&AbortStats> = self.given_up.iter().collect();
        given_up.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        rows.text("");
        rows.heading(["given up", "in", "", "", ""], &[0, 4]);
        for abort in given_up.iter().take(MOST) {
            let mut what = format!("{}: {}", abort.place, cut(&abort.detail));
            if abort.blocked {
                what += "; not tried again";
            }
            rows.row([
                &*count(abort.times, "time"),
                &time(abort.seconds),
                "",
                "",
                &what,
            ]);
        }
        rows.more(given_up.len());
    }
}

/// Rows of a table under way: those that follow each other have the same columns.
#[derive(Default)]
struct Rows {
    out: String,
    terminal: Terminal,
    open: Vec<[String; 5]>,
    /// The columns of these that begin at the left.
    left: &'static [usize],
}

impl Rows {
    /// Begins a table.
    fn heading(&mut self, cells: [&str; 5], left: &'static [usize]) {
        self.close();
        self.left = left;
        self.row(cells);
    }

    fn row(&mut self, cells: [&str; 5]) {
        self.open.push(cells.map(str::to_string));
    }

    /// A line of text.
    fn text(&mut self, text: impl Display) {
        self.close();
        self.line(TextStyle::Plain, &text.to_string());
    }

    /// Adds a line. What does not fit the terminal is cut.
    fn line(&mut self, style: TextStyle, text: &str) {
        let width = self.terminal.width.unwrap_or(usize::MAX);
        let text = match text.char_indices().nth(width) {
            Some(_) => text.chars().take(width - 1).chain(['…']).collect(),
            None => text.to_owned(),
        };
        self.out += &self.terminal.paint(style, &text);
        self.out.push('\n');
    }

    /// Says that there are more than were shown.
    fn more(&mut self, all: usize) {
        if all > MOST {
            self.text(format_args!("... and {} more", all - MOST));
        }
        self.close();
    }

    /// Aligns the rows; columns without anything are left out.
    fn close(&mut self) {
        let rows = std::mem::take(&mut self.open);
        let width = |column: usize| {
            let widths = rows.iter().map(|row| row[column].chars().count());
            widths.max().unwrap_or(0)
        };
        for (n, row) in rows.iter().enumerate() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = width(column);
                if width == 0 {
                    continue;
                }
                let gap = if column == 0 { "" } else { "  " };
                let _ = match self.left.contains(&column) {
                    true => write!(line, "{gap}{cell:width$}"),
                    false => write!(line, "{gap}{cell:>width$}"),
                };
            }
            // The first row is the heading.
            let style = [TextStyle::Strong, TextStyle::Plain][n.min(1)];
            self.line(style, line.trim_end());
        }
    }
}

/// The beginning of a long text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_DETAIL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AbortReason, SourcePos};
    use expect_test::expect;

    /// A run that has something of everything.
    fn stats() -> Stats {
        let mut stats = Stats {
            backend: "x64".to_string(),
            traces: 3,
            loops: 2,
            bridges: 1,
            guards: 41,
            ..Stats::default()
        };
        stats.guard_failures.total = 230;
        stats.guard_failures.interpreter = 229;
        stats.tiers.interpreted_seconds = 0.0123;
        stats.tiers.traced.seconds = 1.25;
        stats.tiers.traced.entries = 17;
        stats.tiers.traced.code_bytes = 20_480;
        stats.tiers.waits = 4;
        stats.seconds.tracing = 0.0004;
        stats.heap.allocated_bytes = 5000;
        stats.aborts.insert(AbortReason::TraceTooLong, 2);
        stats
    }

    fn code(trace: u32, title: &str, entries: Option<u64>, guard_failures: u64) -> CodeStats {
        CodeStats {
            trace,
            title: format!("trace {trace}: {title}"),
            entries,
            guard_failures,
            code_bytes: 700,
            seconds: f64::from(trace) * 1e-4,
            ..CodeStats::default()
        }
    }

    #[test]
    fn a_table_says_where_time_went() {
        expect![[r#"
            time by tier     time  pieces  entries   code
            interpreter   12.3 ms
            traces         1.25 s       4       17  20 kB
            tracing        400 us

            3 traces compiled (2 of loops), 1 bridge (x64)
            41 guards, 230 failures without a bridge, 229 to the interpreter
            0 collections (0 young), 5000 B allocated, longest pause 0 us
            4 times compiling had to wait
            given up: trace too long (2)"#]]
        .assert_eq(&stats().table());
        expect![[r#"
            time by tier  time  pieces  entries  code
            interpreter   0 us

            0 traces compiled (0 of loops), 0 bridges ()
            0 guards, 0 failures without a bridge, 0 to the interpreter
            0 collections (0 young), 0 B allocated, longest pause 0 us"#]]
        .assert_eq(&Stats::default().table());
    }

    #[test]
    fn places_are_sorted_by_what_matters() {
        let mut stats = stats();
        stats.locations = vec![
            code(0, "loop at fib.lua:12 in fib (43, ref)", Some(3), 100),
            code(1, "bridge from g3 of trace 0 at fib.lua:14 in fib", None, 0),
            code(2, "entry at fib.lua:2 in main (0, ref)", Some(2000), 1),
        ];
        stats.given_up.push(AbortStats {
            place: "header fib.lua:30 in main (7, ref)".to_string(),
            detail: "the trace is too long: ".to_string() + &"so ".repeat(99),
            times: 2,
            blocked: true,
            ..AbortStats::default()
        });
        let table = stats.table();
        let (_, places) = table.split_once("\n\n").unwrap();
        expect![[r#"
            3 traces compiled (2 of loops), 1 bridge (x64)
            41 guards, 230 failures without a bridge, 229 to the interpreter
            0 collections (0 young), 5000 B allocated, longest pause 0 us
            4 times compiling had to wait

            entries  failures  made in   code
               2000         1   200 us  700 B  trace 2: entry at fib.lua:2 in main (0, ref)
                  3       100     0 us  700 B  trace 0: loop at fib.lua:12 in fib (43, ref)
                            0   100 us  700 B  trace 1: bridge from g3 of trace 0 at fib.lua:14 in fib

            given up    in
            2 times   0 us  header fib.lua:30 in main (7, ref): the trace is too long: so so so so so so so so so so so so so so so so so so so so so so so so so so…; not tried again"#]].assert_eq(places);
        stats.locations = (0..30).map(|n| code(n, "loop", Some(1), 0)).collect();
        let table = stats.table();
        assert!(table.contains("\n... and 20 more\n"), "{table}");
    }

    #[test]
    fn the_json_has_the_places() {
        let mut stats = Stats::default();
        let location = SourcePos {
            text: "fib.lua:12 in fib".to_string(),
            file: Some("fib.lua".to_string()),
            line: Some(12),
            function: Some("fib".to_string()),
            ..SourcePos::default()
        };
        stats.locations.push(CodeStats {
            location: Some(location),
            ..code(3, "loop", Some(7), 0)
        });
        stats.locations.push(code(4, "bridge", None, 1));
        let json: serde_json::Value = serde_json::from_str(&stats.to_json()).unwrap();
        let [first, second] = [&json["locations"][0], &json["locations"][1]];
        let location = serde_json::json!({ "text": "fib.lua:12 in fib", "file": "fib.lua", "line": 12, "function": "fib" });
        assert_eq!(
            (&first["location"], &first["entries"]),
            (&location, &7.into())
        );
        assert!(second["location"].is_null() && second["entries"].is_null());
    }

    #[test]
    fn a_terminal_shows_headings_and_is_narrow() {
        let terminal = Terminal {
            width: Some(40),
            has_colours: true,
        };
        let table = stats().table_on(terminal);
        let first = table.lines().next().expect("a line");
        assert!(first.starts_with("\x1b[1mtime by tier "), "{first}");
        let plain = table.replace("\x1b[1m", "").replace("\x1b[0m", "");
        assert!(
            plain.lines().all(|line| line.chars().count() <= 40),
            "{plain}"
        );
        assert!(plain.lines().any(|line| line.ends_with('…')), "{plain}");
    }

    #[test]
    fn forms_have_names() {
        assert_eq!(StatsForm::parse("json"), Ok(StatsForm::Json));
        assert_eq!(StatsForm::parse("table"), Ok(StatsForm::Table));
        expect![[r#"there is no form "xml": table or json"#]]
            .assert_eq(&StatsForm::parse("xml").unwrap_err());
    }
}
