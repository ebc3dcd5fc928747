//! `verdigris view` on a program of TLC, on a long trace, and on what is no log. In: command lines,
//! and what a user clicks and types, done by a script that is added to the page. Out: what a
//! browser shows then.

mod ask;
mod pictures;

use crate::started::{Program, start, tlc};
use ask::{ask, texts};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;
use verdigris_browser::{Browser, Window, skipped};

fn tool(args: &[&str]) -> Command {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    tool.arg("view").args(args).current_dir(tlc());
    tool
}

fn path(folder: &TempDir, name: &str) -> String {
    let path = folder.path().join(name);
    path.to_str().expect("its name is UTF-8").to_string()
}

/// The page for a program.
fn page(folder: &TempDir, name: &str, argument: i64) -> String {
    let page = path(folder, "page.html");
    let mut tool = tool(&[".", "-o", &page, "--jit", "threshold=7,trace_eagerness=2"]);
    let program = Program {
        best: "",
        file: name,
        name,
        argument,
    };
    let output = start(&mut tool, &program).output();
    let output = output.expect("the tool runs");
    assert!(output.status.success(), "{}", said(&output));
    std::fs::read_to_string(page).expect("a page")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const WIDE: Window = Window {
    width: 1600,
    height: 1000,
    dark: false,
};

#[test]
fn clicking() {
    let Some(browser) = Browser::find() else {
        return skipped();
    };
    let folder = TempDir::new().expect("there is a place for temporary files");
    let page = page(&folder, "programs/objects.tlc", 3000);
    let script = r##"
        const result = {};
        // An operation, and what belongs to it.
        row("opt", "guard_value(").click();
        result.tied = {};
        for (const pane of ["guest", "interpreter", "jitcode", "recorded", "opt", "code"]) result.tied[pane] = rows(pane, "lit");
        // The other way round: from the interpreter's line, the guest's, and an instruction.
        document.querySelector("#pane-interpreter .row.lit").click();
        result.fromInterpreter = rows("recorded", "lit");
        row("guest", "SEND grow/1").click();
        result.fromGuest = rows("opt", "lit").filter(text => text.includes("guard"));
        const compare = document.querySelector("#pane-code .row.insn.lit");
        if (compare) compare.click();
        result.fromCode = [rows("opt", "lit"), rows("guest", "lit")];
        // Pointing lights, and chooses nothing.
        press("Escape");
        row("opt", "guard_value(").dispatchEvent(new MouseEvent("mousemove", { bubbles: true }));
        for (const list of lists.values()) list.render();
        result.pointed = [rows("recorded", "warm"), rows("recorded", "lit")];
        // A call is folded and unfolded.
        const shown = () => lists.get("recorded").shown.length;
        const before = shown();
        row("recorded", "interp::take_args").querySelector(".fold").click();
        const folded = shown();
        row("recorded", "interp::take_args").click();
        press("ArrowRight", "recorded");
        result.folding = [before > folded, shown() === before];
        document.querySelector("#pane-recorded [data-fold='0']").click();
        result.kinds = [...new Set(lists.get("recorded").shown.map(n => lists.get("recorded").items[n].kind))].sort();
        document.querySelector("#pane-recorded [data-fold='1']").click();
        // Search.
        query.value = "guard_VALUE";
        query.dispatchEvent(new Event("input"));
        const label = () => document.getElementById("hits").textContent;
        result.search = [label()];
        document.getElementById("next").click();
        result.search.push(label(), document.querySelector(".row.now").textContent);
        press("n");
        result.search.push(label());
        document.getElementById("previous").click();
        press("N");
        result.search.push(label());
        query.value = "nothing like this";
        query.dispatchEvent(new Event("input"));
        result.search.push(label());
        // From a guard to its bridge, and back in the tree.
        row("opt", "guard_value(").querySelector("a.bridge").click();
        result.bridge = [document.documentElement.dataset.piece, model.pieces[piece].kind, rows("tree", "chosen")[0]];
        row("tree", "loop").click();
        result.back = document.documentElement.dataset.piece;
        press("]");
        result.next = document.documentElement.dataset.piece;
        // A pane is put away.
        document.querySelector("[data-pane=jitcode]").click();
        result.away = document.getElementById("pane-jitcode").offsetHeight;
        return result;
    "##;
    let answer = ask(&browser, &page, WIDE, script);
    let tied = |pane: &str| texts(&answer["tied"][pane]);
    assert!(tied("guest")[0].contains("SEND grow/1"), "{answer:#}");
    assert!(tied("interpreter")[0].contains("promote("), "{answer:#}");
    assert!(tied("jitcode")[0].contains("promote"), "{answer:#}");
    assert!(
        tied("recorded")
            .iter()
            .all(|t| t.contains("guard_value(p15, ref(2))")),
        "{answer:#}"
    );
    assert_eq!(tied("recorded").len(), 1);
    assert!(tied("opt")[0].contains("guard_value("), "{answer:#}");
    if cfg!(target_arch = "x86_64") {
        let code = tied("code");
        assert!(code[0].contains("guard_value("), "{code:?}");
        assert!(code.iter().any(|line| line.contains("cmp ")), "{code:?}");
        let [opt, guest] = [0, 1].map(|n| texts(&answer["fromCode"][n]));
        assert!(!opt.is_empty(), "{answer:#}");
        assert!(guest[0].contains("SEND grow/1"), "{answer:#}");
    }
    assert!(texts(&answer["fromGuest"]).len() >= 3, "{answer:#}");
    let recorded = texts(&answer["fromInterpreter"]);
    assert!(recorded.iter().any(|t| t.contains("guard_")), "{answer:#}");
    assert!(
        texts(&answer["pointed"][0])[0].contains("guard_value("),
        "{answer:#}"
    );
    assert_eq!(texts(&answer["pointed"][1]).len(), 0);
    assert_eq!(answer["folding"], json!([true, true]));
    assert_eq!(answer["kinds"], json!(["note", "place"]));
    let search = texts(&answer["search"]);
    let total: usize = search[0].parse().expect("a number of hits");
    assert!(total >= 4, "{search:?}");
    assert_eq!(search[1], format!("1 of {total}"));
    assert!(search[2].contains("guard_value"), "{search:?}");
    assert_eq!(search[3], format!("2 of {total}"));
    assert_eq!(search[4], format!("{total} of {total}"), "it goes round");
    assert_eq!(search[5], "no hits");
    assert_eq!(answer["bridge"][1], "bridge", "{answer:#}");
    assert_ne!(answer["bridge"][0], "0");
    assert!(
        answer["bridge"][2]
            .as_str()
            .is_some_and(|text| text.contains("bridge from g"))
    );
    assert_eq!(
        (&answer["back"], &answer["next"]),
        (&"0".into(), &"1".into())
    );
    assert_eq!(answer["away"], 0);
}

#[test]
fn a_narrow_window_has_tabs() {
    let Some(browser) = Browser::find() else {
        return skipped();
    };
    let folder = TempDir::new().expect("there is a place for temporary files");
    let page = page(&folder, "programs/objects.tlc", 3000);
    let script = r##"
        const panes = () => PANES.map(pane => pane.id).filter(id => document.getElementById("pane-" + id).offsetHeight > 0);
        const result = { first: panes() };
        row("opt", "guard_value(").click();
        result.marked = [...document.querySelectorAll("#tabs .has")].map(tab => tab.dataset.pane);
        document.querySelector("[data-pane=guest]").click();
        result.second = panes();
        result.lit = rows("guest", "lit");
        document.querySelector("[data-pane=tree]").click();
        row("tree", "bridge").click();
        result.third = panes();
        result.piece = model.pieces[piece].kind;
        result.wide = document.documentElement.scrollWidth > innerWidth;
        return result;
    "##;
    let answer = ask(&browser, &page, Window::new(500, 800), script);
    assert_eq!(answer["first"], json!(["opt"]));
    let marked = texts(&answer["marked"]);
    for pane in ["guest", "interpreter", "jitcode", "recorded", "opt"] {
        assert!(marked.contains(&pane), "{marked:?}");
    }
    assert_eq!(answer["second"], json!(["guest"]));
    assert!(
        texts(&answer["lit"])[0].contains("SEND grow/1"),
        "{answer:#}"
    );
    assert_eq!(
        (&answer["third"], &answer["piece"]),
        (&json!(["opt"]), &"bridge".into())
    );
    assert_eq!(
        answer["wide"], false,
        "nothing has to be scrolled sideways but what is in a pane"
    );
}

/// The log of one trace with this number of operations.
fn long_log(operations: usize) -> String {
    let insn = |text: &str, line: u32| json!({ "text": text, "line": line });
    let functions = json!([
        { "name": "run", "file": "src/run.rs", "insns": [insn("merge_point (i0) ()", 1), insn("i0 = call add(i0)", 2)] },
        { "name": "add", "file": "src/run.rs", "insns": [insn("i0 = int_add i0 1", 9)] },
    ]);
    let pos = |line: usize| json!({ "text": format!("long.x:{line} in f"), "file": "long.x", "line": line, "function": "f" });
    let title = "trace 0: loop at long.x:1 in f (0)";
    let trace =
        json!({ "id": 0, "title": title, "kind": "loop", "compiler": "traced", "pos": pos(1) });
    let (mut rows, mut recorded, mut asm) =
        (vec![json!({ "inputs": "[i0]" })], Vec::new(), Vec::new());
    for n in 0..operations {
        if n % 10 == 0 {
            let text = format!("merge_point({n})");
            rows.push(json!({ "op": { "text": text, "pos": pos(n / 10 + 1) } }));
            recorded.push(json!([[0, 0]]));
        } else {
            let text = format!("i{} = int_add(i{n}, 1)", n + 1);
            asm.extend([format!("; {text}"), "  add rax, 1".to_string()]);
            rows.push(json!({ "op": { "text": text } }));
            recorded.push(json!([[1, 0], [0, 1]]));
        }
    }
    let optimised: Vec<usize> = (0..operations).collect();
    let ops = json!({ "count": operations, "rows": rows });
    let entry = |stage: &str, form: &str, body: Value| {
        let mut entry = json!({ "stage": stage, "header": title, form: body });
        if form != "functions" {
            entry["trace"] = trace.clone();
        }
        format!("{entry}\n")
    };
    let origins = json!({ "recorded": recorded, "optimised": optimised });
    [
        entry("jitcode", "functions", functions),
        entry("trace", "ops", ops.clone()),
        entry("opt", "ops", ops),
        entry("origins", "origins", origins),
        entry("asm", "asm", json!({ "bytes": 99, "lines": asm })),
    ]
    .concat()
}

/// However long a trace is, the page has as many rows as can be seen. How long it takes to open is
/// printed.
#[test]
fn ten_thousand_operations() {
    let Some(browser) = Browser::find() else {
        return skipped();
    };
    let folder = TempDir::new().expect("there is a place for temporary files");
    let (log, page) = (path(&folder, "log"), path(&folder, "page.html"));
    std::fs::write(&log, long_log(10_000)).expect("it can be written");
    let output = tool(&["--log", &log, "-o", &page])
        .output()
        .expect("the tool runs");
    assert!(output.status.success(), "{}", said(&output));
    let page = std::fs::read_to_string(page).expect("a page");
    let script = r##"
        const result = { opened: +document.documentElement.dataset.opened, rows: document.querySelectorAll(".row").length };
        result.items = lists.get("recorded").items.length;
        const begin = performance.now();
        lists.get("opt").element.focus();
        press("End", "opt");
        result.chosen = performance.now() - begin;
        result.last = rows("recorded", "lit");
        result.rowsThen = document.querySelectorAll(".row").length;
        return result;
    "##;
    let answer = ask(&browser, &page, WIDE, script);
    assert!(answer["items"].as_u64() >= Some(10_000), "{answer:#}");
    for rows in ["rows", "rowsThen"] {
        assert!(answer[rows].as_u64() < Some(600), "{answer:#}");
    }
    assert!(
        texts(&answer["last"])[0].contains("i10000 = "),
        "{answer:#}"
    );
    println!(
        "10,000 operations: opened in {} ms, the last one chosen in {} ms",
        answer["opened"], answer["chosen"]
    );
}

#[test]
fn what_shows_nothing_is_an_error() {
    let folder = TempDir::new().expect("there is a place for temporary files");
    let log = path(&folder, "log");
    std::fs::write(&log, "nothing\n").expect("it can be written");
    let page = path(&folder, "page.html");
    let failed = |args: &[&str]| {
        let output = tool(args).output().expect("the tool runs");
        assert!(!output.status.success());
        said(&output)
    };
    let nonsense = failed(&["--log", &log, "-o", &page]);
    assert!(
        nonsense.contains("is no log in JSON form: line 1: "),
        "{nonsense}"
    );
    std::fs::write(&log, "").expect("it can be written");
    let empty = failed(&["--log", &log, "-o", &page]);
    let how = "shows no optimised trace; write it with VERDIGRIS_LOG=json:";
    assert!(empty.contains(how), "{empty}");
    assert!(failed(&["--log", "no/such/file", "-o", &page]).contains("cannot read no/such/file"));
    assert!(failed(&["-o", &page, "--", "true"]).contains("has compiled nothing"));
    assert!(failed(&["-o", &page, "--", "no-such-command"]).contains("cannot run no-such-command"));
    assert!(!Path::new(&page).exists());
}
