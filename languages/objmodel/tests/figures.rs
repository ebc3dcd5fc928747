//! The paper's figures. In: the paper's expression in a hot loop. Out: what is left of its lookups
//! in the traces. Invariant under test: five, two and no dictionary lookups; with versions three
//! guards, for the map, the class and the version, and after peeling none.

use expect_test::{Expect, expect};
use objmodel::figures::{Figure, listing, lookups, measure, promotions, render};
use objmodel::machine::Stage;
use verdigris::TraceText;

fn figures() -> [Figure; 3] {
    let figures = measure().unwrap_or_else(|error| panic!("{error}"));
    figures.try_into().ok().expect("there are three stages")
}

#[test]
fn five_two_and_no_lookups_are_recorded() {
    let figures = figures();
    assert_eq!(figures.each_ref().map(|f| f.stage), Stage::ALL);
    assert_eq!(figures.each_ref().map(|f| lookups(&f.recorded)), [5, 2, 0]);
}

#[test]
fn the_optimiser_cannot_remove_lookups_in_dictionaries() {
    let figures = figures();
    assert_eq!(figures.each_ref().map(|f| lookups(&f.entry)), [5, 2, 0]);
    assert_eq!(figures.each_ref().map(|f| lookups(&f.body)), [5, 2, 0]);
}

#[test]
fn elidable_functions_are_never_called_in_traces() {
    for figure in figures() {
        for trace in [&figure.recorded, &figure.entry, &figure.body] {
            for name in ["getindex", "add_attribute", "find_method_at"] {
                assert_eq!(trace.count_calls(name), 0, "{name}: {}", trace.text);
            }
        }
    }
}

/// The lines of a trace that have one of these in them.
fn lines(trace: &TraceText, wanted: &[&str], expected: Expect) {
    let has = |line: &&str| !line.starts_with(' ') && wanted.iter().any(|w| line.contains(w));
    let found: Vec<&str> = trace.text.lines().filter(has).collect();
    expected.assert_eq(&(found.join("\n") + "\n"));
}

/// The map is guarded each time it is promoted, and the index is known by then: `getindex` is
/// elidable. Two methods are looked for in the class. Of the guards on the map the optimiser leaves
/// the first.
#[test]
fn figure_5() {
    let [_, maps, _] = figures();
    let wanted = [
        "guard_value",
        "object::MapInstance",
        "object::Class",
        "dict_get",
        "int_add",
    ];
    lines(
        &maps.recorded,
        &wanted,
        expect![[r#"
        guard_class(p66) object::MapInstance
        p67 = getfield_r(p66) object::MapInstance.map
        guard_value(p67, ref(4))
        p68 = getfield_r(p66) object::MapInstance.value0
        p69 = getfield_r(p66) object::MapInstance.class
        guard_class(p85) object::MapInstance
        p86 = getfield_r(p85) object::MapInstance.map
        guard_value(p86, ref(4))
        p87 = getfield_r(p85) object::MapInstance.class
        p88 = getfield_r(p87) object::Class.methods
        p89 = call(p88, 0) dict::dict_get
        i118 = int_add(i107, i113)
        guard_class(p135) object::MapInstance
        p136 = getfield_r(p135) object::MapInstance.map
        guard_value(p136, ref(4))
        p137 = getfield_r(p135) object::MapInstance.class
        p138 = getfield_r(p137) object::Class.methods
        p139 = call(p138, 1) dict::dict_get
        i168 = int_add(i157, i163)
        i196 = int_add(i185, i191)
        i244 = int_add(i233, i239)
    "#]],
    );
    lines(
        &maps.entry,
        &wanted,
        expect![[r#"
        guard_class(p9) object::MapInstance
        p10 = getfield_r(p9) object::MapInstance.map
        guard_value(p10, ref(4))
        p11 = getfield_r(p9) object::MapInstance.value0
        p12 = getfield_r(p9) object::MapInstance.class
        p14 = getfield_r(p12) object::Class.methods
        p15 = call(p14, 0) dict::dict_get
        i19 = int_add(i17, i18)
        p20 = call(p14, 1) dict::dict_get
        i23 = int_add(i19, i22)
        i25 = int_add(i24, i23)
        i26 = int_add(i6, 1)
    "#]],
    );
    lines(
        &maps.body,
        &wanted,
        expect![[r#"
        p9 = call(p5, 0) dict::dict_get
        i12 = int_add(i7, i11)
        p13 = call(p5, 1) dict::dict_get
        i16 = int_add(i12, i15)
        i17 = int_add(i3, i16)
        i18 = int_add(i4, 1)
    "#]],
    );
}

#[test]
fn figure_8() {
    let [_, _, versions] = figures();
    assert_eq!(promotions(&versions.recorded), 7);
    assert_eq!(promotions(&versions.entry), 3);
    lines(
        &versions.entry,
        &[
            "guard_value",
            "object::MapInstance",
            "object::Class",
            "int_add",
        ],
        expect![[r#"
            guard_class(p9) object::MapInstance
            p10 = getfield_r(p9) object::MapInstance.map
            guard_value(p10, ref(4))
            p11 = getfield_r(p9) object::MapInstance.value0
            p12 = getfield_r(p9) object::MapInstance.class
            guard_value(p12, ref(5))
            p14 = getfield_r(ref(5)) object::Class.version
            guard_value(p14, ref(6))
            i16 = int_add(i15, 58)
            i18 = int_add(i17, i16)
            i19 = int_add(i6, 1)
        "#]],
    );
    assert_eq!(promotions(&versions.body), 0);
    assert_eq!(versions.body.count_all("guard_"), 1);
    assert_eq!(versions.body.reads() + versions.body.writes(), 0);
}

#[test]
fn every_stage_is_shorter_than_the_one_before() {
    let [dict, maps, versions] = figures().map(|figure| figure.body.total());
    assert!(dict > maps && maps > versions, "{dict} {maps} {versions}");
}

#[test]
fn the_output_has_all_traces_and_the_table() {
    let figures = figures();
    let text = render(&figures);
    for figure in &figures {
        for title in ["recorded", "optimised, entry", "optimised, body"] {
            let title = format!("--- {}: {title} ---", figure.stage.name());
            assert!(text.contains(&title), "{title}");
        }
    }
    // The columns `dict_get` and `guard_value`; the others change when the optimiser gets better.
    let rows: String = text
        .lines()
        .skip_while(|line| !line.starts_with("stage "))
        .take(10)
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            format!("{} {}: {} {}\n", words[0], words[1], words[3], words[4])
        })
        .collect();
    expect![[r#"
        stage trace: dict_get guard_value
        dict recorded: 5 0
        dict entry: 5 0
        dict body: 5 0
        maps recorded: 2 3
        maps entry: 2 1
        maps body: 2 0
        versions recorded: 0 7
        versions entry: 0 3
        versions body: 0 0
    "#]]
    .assert_eq(&rows);
}

#[test]
fn the_body_of_the_loop_with_versions() {
    let [_, _, versions] = figures();
    expect![[r#"
        [p0, p1, i2, i3, i4]
        label L1(p0, p1, i2, i3, i4)
            # LT
        i5 = int_lt(i3, 3000)
            # JUMP_IF_FALSE -> 84
        guard_true(i5)
            # ADD
        i6 = int_add(i2, i4)
            # ADD
        i7 = int_add(i3, 1)
            # LOOP -> 42
        jump L1(p0, p1, i6, i7, i4)
    "#]]
    .assert_eq(&listing(&versions.body, &versions.image));
}
