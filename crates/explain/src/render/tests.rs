//! The forms of a report that no language shows easily, and of those that nothing was measured.

use super::*;
use crate::model::{
    AbortReport, AllocationSite, CodeChange, CodeReport, EscapeCause, Findings, GuardReport,
    InterpretedPlace, LeadsTo, NestedEntries, PromotionReport,
};
use expect_test::expect;
use std::collections::BTreeMap;
use verdigris_report::{AbortReason, Activity, ChangeKind, CodeKind, WhyInterpreted};

fn place(line: u32) -> SourcePos {
    SourcePos {
        text: format!("toy:{line} in f"),
        file: Some("toy".to_owned()),
        line: Some(line),
        ..SourcePos::default()
    }
}

fn code(trace: u32, kind: CodeKind) -> CodeReport {
    CodeReport {
        trace,
        kind,
        place: place(trace + 1),
        operations: 20,
        code_bytes: 200 << 10,
        made_in: 0.01,
        ..CodeReport::default()
    }
}

fn promotion(value: u32) -> GuardReport {
    GuardReport {
        guard: format!("g{value}"),
        operation: "guard_value".to_owned(),
        place: Some(place(1)),
        source: Some("src/interp.rs:7 in step".to_owned()),
        failures: 100,
        leads_to: LeadsTo::Bridge(1),
        promoted: Some(value.to_string()),
        interpreted: 0.0,
        advice: None,
    }
}

/// What tests of languages do not show: much code, promotions, changes, and that reports come
/// back from JSON as they were.
fn report() -> Report {
    let bridge = CodeReport {
        from: Some(0),
        from_guard: Some("g1".to_owned()),
        ..code(1, CodeKind::Bridge)
    };
    let root = CodeReport {
        in_loop: 10,
        inside: 0.5,
        entries: Some(3),
        findings: Findings {
            guards: (1..=3).map(promotion).collect(),
            guard_count: 9,
            ..Findings::default()
        },
        ..code(0, CodeKind::Loop)
    };
    let abort = AbortReport {
        place: place(2),
        reason: AbortReason::TraceTooLong,
        detail: "the trace is too long".to_owned(),
        times: 3,
        seconds: 0.002,
        blocked: true,
        guard: None,
        ended: Some(place(3)),
        source: vec!["src/interp.rs:9 in step".to_owned()],
        from: vec![(place(3), 1900), (place(2), 100)],
    };
    Report {
        is_on: true,
        seconds: BTreeMap::from([
            (Activity::Interpreter, 0.2),
            (Activity::Traces, 0.5),
            (Activity::Leaving, 0.003),
        ]),
        code: vec![root, bridge],
        given_up: vec![abort],
        changes: vec![CodeChange {
            kind: ChangeKind::Invalidated,
            place: place(1),
            what: "the code of this loop was invalidated".to_owned(),
            times: 2,
        }],
        entered_inside: vec![NestedEntries {
            outer: 0,
            inner: 7,
            times: 1000,
        }],
        interpreted: vec![
            passed(2, WhyInterpreted::GivenUp, 6000),
            passed(1, WhyInterpreted::Cold, 1000),
        ],
        cold_passes: 1000,
        promotions: vec![promotions(3, 300)],
        ..Report::default()
    }
}

#[test]
fn a_report_comes_back_as_it_was() {
    let report = report();
    assert_eq!(Report::from_json(&report.to_json()), Ok(report.clone()));
    assert_eq!(Report::from_json(&toy(5).json(&report)), Ok(report));
    assert!(Report::from_json("{}").is_err());
}

fn passed(line: u32, why: WhyInterpreted, passes: u64) -> InterpretedPlace {
    InterpretedPlace {
        place: place(line),
        why,
        passes,
    }
}

fn promotions(values: u64, failures: u64) -> PromotionReport {
    PromotionReport {
        place: Some(place(1)),
        source: Some("src/interp.rs:7 in step".to_owned()),
        values,
        shown: vec!["1".to_owned(), "2".to_owned(), "3".to_owned()],
        failures,
        interpreted: 0.0,
        advice: None,
    }
}

/// With a source, and so many findings.
fn toy(most: usize) -> Render<'static> {
    Render {
        most,
        source: &|_| Some("while x:\n  y()\n  z()".to_owned()),
        ..Render::with_files()
    }
}

#[test]
fn what_costs_most_comes_first() {
    let render = toy(5);
    expect![[r#"
        703.0 ms in all: traces 71 %, interpreter 28 %, leaving code 0 %
        1. 152.0 ms  toy:2 in f: given up 3 times: trace too long; not tried again, so this is interpreted (6000 passes)
            | y()
            the trace is too long
            ended at toy:3 in f, the interpreter at src/interp.rs:9 in step
            operations from toy:3 in f (1900), toy:2 in f (100)
            -> do what the reason says, where most of the trace came from [traces-that-are-given-up]
        2. 20.0 ms  toy:1 in f: 400 kB of machine code with 1 bridge
            | while x:
            code that does not fit the caches runs slowly, however good it is
            -> lower `trace_limit`, so that calls are compiled once and not in each trace [much-code]
        3. 20.0 ms  toy:1 in f: the code of this loop was invalidated (2 times)
            | while x:
            -> write the `Quasi` field less often, or make it a `Cell` [invalidations]
        4. 3.00 ms  toy:1 in f: 3 guards failed 300 times before there was a bridge for each
            | while x:
            -> nothing, if it stops; fewer kinds of values in one loop need fewer bridges [bridges]
        5. 3.00 ms  toy:1 in f: a promotion has seen 3 values (polymorphic), and its guards have failed 300 times
            | while x:
            at src/interp.rs:7 in step of the interpreter
            values: 1, 2, 3
            -> promote something that has fewer values, or nothing [promotions]
        ... and 1 more (`--explain=all`)
        (`verdigris explain --about traces-that-are-given-up` says more, as it does of the other words in brackets.)

        compiled:
            toy:1 in f: loop (traced), 500.0 ms in it, 3 entries, made in 20.0 ms, 1 bridge, 400 kB, 9 guards with 300 failures
                bridge 1 from g1 of trace 0 at toy:2 in f: 200 kB, made in 10.0 ms
        not compiled:
            toy:2 in f: trace too long"#]].assert_eq(&render.text(&report()));
}

#[test]
fn a_run_without_anything() {
    let text = Render::with_files().text(&Report::default());
    expect![[r#"
        0 us in all
        nothing stands out: no finding costs anything that was measured"#]]
    .assert_eq(&text);
}

#[test]
fn a_run_in_which_nothing_is_hot() {
    let report = Report {
        is_on: true,
        seconds: BTreeMap::from([(Activity::Interpreter, 2.0)]),
        ..Report::default()
    };
    expect![[r#"
        2.00 s in all: interpreter 100 %
        1. 2.00 s  no place was hot enough to be compiled
            a loop is never hot if a green of `merge_point!` has another value in each turn
            -> let it run longer; else lower `threshold` [the-interpreter]
        (`verdigris explain --about the-interpreter` says more, as it does of the other words in brackets.)"#]]
    .assert_eq(&Render::with_files().text(&report));
}

/// The program meets many values at one place, so its code is left and rests: that is the cause,
/// and not that the interpreter works.
fn resting() -> Report {
    let guard = GuardReport {
        failures: 1274,
        leads_to: LeadsTo::Interpreter,
        interpreted: 0.1,
        advice: Some("give all objects the same fields".to_owned()),
        ..promotion(1)
    };
    let root = CodeReport {
        inside: 0.01,
        entries: Some(1274),
        findings: Findings {
            guards: vec![guard],
            guard_count: 9,
            ..Findings::default()
        },
        ..code(0, CodeKind::Loop)
    };
    Report {
        is_on: true,
        seconds: BTreeMap::from([(Activity::Interpreter, 1.0), (Activity::Traces, 0.01)]),
        code: vec![root],
        changes: vec![CodeChange {
            kind: ChangeKind::Tier,
            place: place(1),
            what: "left too soon".to_owned(),
            times: 4,
        }],
        interpreted: vec![
            passed(1, WhyInterpreted::Resting, 3000),
            passed(2, WhyInterpreted::Waiting, 1000),
            passed(3, WhyInterpreted::Cold, 2000),
        ],
        waits: 2,
        waited: 0.15,
        promotions: vec![PromotionReport {
            advice: Some("give all objects the same fields".to_owned()),
            interpreted: 0.1,
            ..promotions(200, 1274)
        }],
        ..Report::default()
    }
}

#[test]
fn causes_come_before_symptoms() {
    expect![[r#"
        1.01 s in all: interpreter 99 %, traces 1 %
        1. 450.0 ms  toy:1 in f: its code rests, so 3000 passes were interpreted
            | while x:
            left too soon (4 times)
            left most by guard_value g1, at src/interp.rs:7 in step of the interpreter, which has failed 1274 times; it promotes, and has seen 200 values (megamorphic)
            -> give all objects the same fields
            -> in the interpreter: see which guard leaves the code so soon, or what has so many ways [changes-of-tier]
        2. 150.0 ms  compiling had to wait (2 times, 150.0 ms)
            hot meanwhile: toy:2 in f (1000 passes)
            -> let it run longer; else raise `compile_allowance`, or make less code [compiling-that-waits]
        3. 101.3 ms  toy:1 in f: a promotion has seen 200 values (megamorphic), and its guards have failed 1274 times
            | while x:
            at src/interp.rs:7 in step of the interpreter
            values: 1, 2, 3 and more
            -> give all objects the same fields
            -> in the interpreter: promote something that has fewer values, or nothing [promotions]
        4. 300.0 ms  interpreting what was not hot yet, or is in no loop
            hot in the end: toy:3 in f (2000 passes)
            -> let it run longer; else lower `threshold` [the-interpreter]
        (`verdigris explain --about changes-of-tier` says more, as it does of the other words in brackets.)

        compiled:
            toy:1 in f: loop (traced), 10.0 ms in it, 1274 entries, made in 10.0 ms, 0 bridges, 200 kB, 9 guards with 1274 failures"#]].assert_eq(&toy(5).text(&resting()));
}

#[test]
fn one_finding_for_a_place_and_a_topic() {
    let site = |class: &str| AllocationSite {
        class: class.to_owned(),
        place: Some(place(3)),
        in_loop: true,
        count: 2,
        escapes: vec![EscapeCause {
            reason: "stored".to_owned(),
            message: format!("{class} is stored"),
            source: None,
        }],
    };
    let guard = |n: u32, leads_to| GuardReport {
        guard: format!("g{n}"),
        operation: "guard_true".to_owned(),
        place: Some(place(2)),
        failures: 100 * u64::from(n),
        leads_to,
        promoted: None,
        ..promotion(0)
    };
    let classes = ["A", "B", "C", "D", "E"];
    let root = CodeReport {
        in_loop: 10,
        inside: 0.5,
        findings: Findings {
            allocations: classes.map(site).to_vec(),
            guards: vec![
                guard(1, LeadsTo::Interpreter),
                guard(2, LeadsTo::Blocked),
                guard(6, LeadsTo::Interpreter),
            ],
            ..Findings::default()
        },
        ..code(0, CodeKind::Loop)
    };
    let report = Report {
        is_on: true,
        seconds: BTreeMap::from([(Activity::Traces, 0.5)]),
        waits: 1,
        code: vec![root],
        ..Report::default()
    };
    expect![[r#"
        500.0 ms in all: traces 100 %
        1. 500.0 ms  toy:3 in f: makes 2 A; makes 2 B; makes 2 C; and 2 more
            | z()
            A is stored
            B is stored
            C is stored
            and 2 more
            -> keep it out of what it is stored into or passed to; pass what is in it instead [allocations]
        2. 900 us  toy:2 in f: 3 guards have failed 900 times, and lead to the interpreter: bridges were given up at 1
            | y()
            guard_true g6 of trace 0, at src/interp.rs:7 in step of the interpreter: 600 times
            guard_true g2 of trace 0, at src/interp.rs:7 in step of the interpreter: 200 times
            guard_true g1 of trace 0, at src/interp.rs:7 in step of the interpreter: 100 times
            -> see what differs there from turn to turn, at the interpreter's line [guards-that-fail]
        (`verdigris explain --about allocations` says more, as it does of the other words in brackets.)

        compiled:
            toy:1 in f: loop (traced), 500.0 ms in it, 0 entries, made in 10.0 ms, 0 bridges, 200 kB, 0 guards with 900 failures"#]].assert_eq(&toy(5).text(&report));
}

#[test]
fn lines_for_editors() {
    let render = toy(5);
    expect![[r#"
        toy:1: note: its code rests, so 3000 passes were interpreted (450.0 ms, 45 %): give all objects the same fields [changes-of-tier]
        the program: note: compiling had to wait (2 times, 150.0 ms) (150.0 ms, 15 %): let it run longer; else raise `compile_allowance`, or make less code [compiling-that-waits]
        toy:1: note: a promotion has seen 200 values (megamorphic), and its guards have failed 1274 times (101.3 ms, 10 %): give all objects the same fields [promotions]
        the program: note: interpreting what was not hot yet, or is in no loop (300.0 ms, 30 %): let it run longer; else lower `threshold` [the-interpreter]"#]].assert_eq(&render.form(&[resting()], ReportForm::Notes));
}

#[test]
fn findings_as_data() {
    let json = toy(5).form(&[resting()], ReportForm::Json);
    let data: serde_json::Value = serde_json::from_str(&json).expect("an object");
    assert!(json.starts_with("{\"findings\":["), "{json}");
    expect![[r#"
        {
          "advice": "give all objects the same fields",
          "file": "toy",
          "line": 1,
          "place": "toy:1 in f",
          "remedy": "see which guard leaves the code so soon, or what has so many ways",
          "seconds": 0.45000000000000007,
          "share": 0.4455445544554456,
          "source": "while x:",
          "topic": "changes-of-tier",
          "what": "its code rests, so 3000 passes were interpreted",
          "why": [
            "left too soon (4 times)",
            "left most by guard_value g1, at src/interp.rs:7 in step of the interpreter, which has failed 1274 times; it promotes, and has seen 200 values (megamorphic)"
          ]
        }"#]].assert_eq(&format!("{:#}", data["findings"][0]));
}

/// A run for each VM; every result has a rule, and locations only where there is a file.
#[test]
fn a_log_for_services() {
    let log = toy(5).form(&[resting(), Report::default()], ReportForm::Sarif);
    let log: serde_json::Value = serde_json::from_str(&log).expect("an object");
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(2));
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("an array");
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        let rule = &run["tool"]["driver"]["rules"][index];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    assert!(results.iter().any(|result| result["locations"].is_null()));
    expect![[r#"
        {
          "level": "note",
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "toy"
                },
                "region": {
                  "snippet": {
                    "text": "while x:"
                  },
                  "startLine": 1
                }
              }
            }
          ],
          "message": {
            "text": "its code rests, so 3000 passes were interpreted (450.0 ms, 45 %)\nleft too soon (4 times)\nleft most by guard_value g1, at src/interp.rs:7 in step of the interpreter, which has failed 1274 times; it promotes, and has seen 200 values (megamorphic)\n-> give all objects the same fields\n-> in the interpreter: see which guard leaves the code so soon, or what has so many ways"
          },
          "properties": {
            "seconds": 0.45000000000000007,
            "share": 0.4455445544554456
          },
          "rank": 44.55445544554456,
          "ruleId": "changes-of-tier",
          "ruleIndex": 19
        }"#]].assert_eq(&format!("{:#}", results[0]));
}

#[test]
fn a_terminal_has_a_width_and_colours() {
    let render = Render {
        terminal: Terminal {
            width: Some(50),
            has_colours: true,
        },
        ..toy(1)
    };
    let text = render.text(&resting()).replace('\x1b', "^");
    expect![[r#"
        ^[1m1.01 s in all: interpreter 99 %, traces 1 %^[0m
        ^[1m1. 450.0 ms  ^[0m^[36mtoy:1 in f: ^[0mits code rests, so 3000 …
            ^[2m| ^[0mwhile x:
            left too soon (4 times)
            left most by guard_value g1, at src/interp.rs…
            -> ^[32mgive all objects the same fields^[0m
            -> in the interpreter: ^[32msee which guard leaves^[0m…
        ^[2m... and 3 more (`--explain=all`)^[0m
        ^[2m(`verdigris explain --about changes-of-tier` says^[0m…

        ^[1mcompiled:^[0m
            ^[36mtoy:1 in f^[0m: loop (traced), 10.0 ms in it, 127…"#]]
    .assert_eq(&text);
}
