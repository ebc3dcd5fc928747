//! Charts. In: values with names. Out: SVG that stands in the page and needs no script. Invariant:
//! each has a title, a description, and the class `chart`; what colours say is said in words as
//! well, by labels or a legend.
//!
//! Drawn here and not by a library: with the SVG backend of plotters 0.3.7 the page of a complete
//! run had 1104 kB in place of 756, none of its thousand marks said its value when pointed at, and
//! grid and whiskers kept the colours of paper when the reader's page is dark. What gives marks
//! classes and words is half of this file, and would have to be done to the library's text
//! afterwards.

use crate::report::page::axis::{Axis, Scale};
use crate::report::page::html::escape;
use std::fmt::Write;

/// How values are written.
pub type Unit = fn(f64) -> String;

/// A value with its spread.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// Which system, which has a colour.
    pub name: String,
    /// The label beside it.
    pub label: String,
    /// The value.
    pub value: f64,
    /// How far runs spread, below and above.
    pub spread: Option<(f64, f64)>,
}

/// Bars that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Its label.
    pub label: String,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// The legend of every chart.
#[derive(Clone, Debug)]
pub struct Heading {
    /// The title.
    pub title: String,
    /// How to read it.
    pub description: String,
    /// The label of the axis.
    pub axis: &'static str,
}

const WIDTH: f64 = 860.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 80.0;
const ROW: f64 = 17.0;

/// Draws charts. It numbers them, because their titles need names of their own in the page.
#[derive(Default)]
pub struct Charts {
    drawn: usize,
}

impl Charts {
    /// Horizontal bars, group by group, each labelled with its name and value.
    pub fn bars(
        &mut self,
        heading: &Heading,
        unit: Unit,
        scale: Scale,
        groups: &[Group],
    ) -> String {
        let axis = axis_of(scale, groups);
        let mut marks = String::new();
        let mut y = 24.0;
        for group in groups {
            label(&mut marks, 4.0, y + 12.0, "group", &group.label);
            y += ROW + 2.0;
            for bar in &group.bars {
                label(&mut marks, LEFT - 8.0, y + 12.0, "name", &bar.label);
                let class = colour(&bar.name);
                let width = axis.at(bar.value).max(1.0);
                let _ = writeln!(
                    marks,
                    "<rect class=\"bar {class}\" x=\"{LEFT}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"12\"><title>{}</title></rect>",
                    y + 2.0,
                    escape(&format!(
                        "{}, {}: {}",
                        group.label,
                        bar.label,
                        unit(bar.value)
                    ))
                );
                let end = whisker(&mut marks, &axis, bar, y + 8.0).max(width);
                label(
                    &mut marks,
                    LEFT + end + 6.0,
                    y + 12.0,
                    "value",
                    &unit(bar.value),
                );
                y += ROW;
            }
            y += 6.0;
        }
        let grid = vertical_grid(&axis, unit, y);
        self.framed(heading, "chart", [WIDTH, y + 34.0], &(grid + &marks))
    }

    /// One row for each group, with a dot for each of its values. Names are in the legend.
    pub fn dots(&mut self, heading: &Heading, unit: Unit, groups: &[Group], line: f64) -> String {
        let values = groups.iter().flat_map(|group| &group.bars);
        let axis = Axis::new(
            Scale::Logarithmic,
            values.map(|bar| bar.value).chain([line]),
            WIDTH - LEFT - RIGHT,
        );
        let names = names(
            groups
                .iter()
                .flat_map(|group| group.bars.iter().map(|bar| &bar.name)),
        );
        let (mut marks, top) = legend([LEFT, WIDTH], &names);
        let mut y = top + 24.0;
        for group in groups {
            label(&mut marks, LEFT - 8.0, y + 12.0, "name", &group.label);
            let places: Vec<f64> = group
                .bars
                .iter()
                .map(|bar| LEFT + axis.at(bar.value))
                .collect();
            let (least, most) = places
                .iter()
                .fold((WIDTH, 0.0f64), |(a, b), x| (a.min(*x), b.max(*x)));
            let middle = y + 8.0;
            let _ = writeln!(
                marks,
                "<line class=\"stem\" x1=\"{least:.1}\" x2=\"{most:.1}\" y1=\"{middle:.1}\" y2=\"{middle:.1}\" />"
            );
            for (bar, x) in group.bars.iter().zip(&places) {
                let text = format!("{}, {}: {}", group.label, bar.label, unit(bar.value));
                let _ = writeln!(
                    marks,
                    "<circle class=\"dot {}\" cx=\"{x:.1}\" cy=\"{middle:.1}\" r=\"5\"><title>{}</title></circle>",
                    colour(&bar.name),
                    escape(&text)
                );
            }
            if let Some(last) = group.bars.last() {
                label(
                    &mut marks,
                    most + 10.0,
                    y + 12.0,
                    "value",
                    &unit(last.value),
                );
            }
            y += ROW;
        }
        let x = LEFT + axis.at(line);
        let _ = writeln!(
            marks,
            "<line class=\"reference\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{y:.1}\" />",
            top + 16.0
        );
        let grid = vertical_grid(&axis, unit, y);
        self.framed(heading, "chart", [WIDTH, y + 34.0], &(grid + &marks))
    }

    /// Lines over an axis of numbers.
    pub fn lines(
        &mut self,
        heading: &Heading,
        [x_unit, unit]: [Unit; 2],
        [x_scale, y_scale]: [Scale; 2],
        lines: &[Line],
    ) -> String {
        const WIDTH: f64 = 500.0;
        const LEFT: f64 = 62.0;
        // Half of the words at the last tick.
        const RIGHT: f64 = 26.0;
        const HEIGHT: f64 = 220.0;
        let points = || lines.iter().flat_map(|line| &line.points);
        let x = Axis::new(x_scale, points().map(|p| p.0), WIDTH - LEFT - RIGHT);
        let y = Axis::new(y_scale, points().map(|p| p.1), HEIGHT);
        let names = names(lines.iter().map(|line| &line.name));
        let (mut marks, legend) = legend([LEFT, WIDTH], &names);
        let top = legend + 20.0;
        let bottom = top + HEIGHT;
        for tick in &y.ticks {
            let at = bottom - y.at(*tick);
            let _ = writeln!(
                marks,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" />",
                WIDTH - RIGHT
            );
            label(
                &mut marks,
                LEFT - 8.0,
                at + 4.0,
                "name",
                &short(unit(*tick)),
            );
        }
        for tick in &x.ticks {
            let at = LEFT + x.at(*tick);
            let _ = writeln!(
                marks,
                "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\" />"
            );
            label(&mut marks, at, bottom + 16.0, "tick", &short(x_unit(*tick)));
        }
        for line in lines {
            let place = |(a, b): &(f64, f64)| (LEFT + x.at(*a), bottom - y.at(*b));
            let places: Vec<(f64, f64)> = line.points.iter().map(place).collect();
            let text = |(x, y): &(f64, f64)| format!("{x:.1},{y:.1}");
            let path: Vec<String> = places.iter().map(text).collect();
            let class = colour(&line.name);
            let _ = writeln!(
                marks,
                "<polyline class=\"line {class}\" points=\"{}\"><title>{}</title></polyline>",
                path.join(" "),
                escape(&line.name)
            );
            if let Some((index, words)) = &line.mark
                && let Some((x, y)) = places.get(*index)
            {
                let _ = writeln!(
                    marks,
                    "<circle class=\"mark {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" />"
                );
                // To the left of it where there is no room on the right.
                match *x > 0.75 * WIDTH {
                    true => label(&mut marks, x - 8.0, y - 8.0, "name", words),
                    false => label(&mut marks, x + 8.0, y - 8.0, "value", words),
                }
            }
        }
        self.framed(heading, "chart narrow", [WIDTH, bottom + 44.0], &marks)
    }

    /// The picture with its title, and what the values are at the bottom.
    fn framed(
        &mut self,
        heading: &Heading,
        class: &str,
        [width, height]: [f64; 2],
        inside: &str,
    ) -> String {
        self.drawn += 1;
        let number = self.drawn;
        let (title, description) = (escape(&heading.title), escape(&heading.description));
        let mut axis = String::new();
        label(&mut axis, width - 20.0, height - 6.0, "axis", heading.axis);
        format!(
            "<figure><figcaption>{title}</figcaption>\n\
             <svg class=\"{class}\" role=\"img\" viewBox=\"0 0 {width} {height:.0}\" aria-labelledby=\"chart{number}t chart{number}d\">\n\
             <title id=\"chart{number}t\">{title}</title>\n<desc id=\"chart{number}d\">{description}</desc>\n{inside}{axis}</svg></figure>\n"
        )
    }
}

/// A line, perhaps with a marked point.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Which system.
    pub name: String,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
    /// The index of the point, and what is said there.
    pub mark: Option<(usize, String)>,
}

fn axis_of(scale: Scale, groups: &[Group]) -> Axis {
    let bars = groups.iter().flat_map(|group| &group.bars);
    let values = bars.flat_map(|bar| {
        let (low, high) = bar.spread.unwrap_or((bar.value, bar.value));
        // A bar that ends where the axis begins would not be seen.
        let low = if scale == Scale::Logarithmic {
            low * 0.7
        } else {
            low
        };
        [low, bar.value, high]
    });
    Axis::new(scale, values, WIDTH - LEFT - RIGHT)
}

/// Draws how far a bar's runs spread; gives where that ends.
fn whisker(marks: &mut String, axis: &Axis, bar: &Bar, y: f64) -> f64 {
    let Some((low, high)) = bar.spread else {
        return 0.0;
    };
    let (from, to) = (axis.at(low), axis.at(high));
    let (x1, x2) = (LEFT + from, LEFT + to);
    let (top, bottom) = (y - 4.0, y + 4.0);
    let _ = writeln!(
        marks,
        "<path class=\"whisker\" d=\"M{x1:.1} {y:.1}H{x2:.1}M{x1:.1} {top:.1}V{bottom:.1}M{x2:.1} {top:.1}V{bottom:.1}\" />"
    );
    to
}

fn vertical_grid(axis: &Axis, unit: Unit, bottom: f64) -> String {
    let mut grid = String::new();
    for tick in &axis.ticks {
        let x = LEFT + axis.at(*tick);
        let _ = writeln!(
            grid,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"20\" y2=\"{bottom:.1}\" />"
        );
        label(&mut grid, x, bottom + 14.0, "tick", &short(unit(*tick)));
    }
    grid
}

/// The legend of colours, in as many rows as it takes; and how far down it reaches.
fn legend([left, right]: [f64; 2], names: &[&String]) -> (String, f64) {
    let mut marks = String::new();
    let (mut x, mut y) = (left, 8.0);
    for name in names {
        let class = colour(name);
        let width = 30.0 + 7.2 * name.chars().count() as f64;
        if x + width > right && x > left {
            (x, y) = (left, y + ROW);
        }
        let _ = writeln!(
            marks,
            "<rect class=\"bar {class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"12\" height=\"12\" />"
        );
        label(&mut marks, x + 17.0, y + 10.0, "value", name);
        x += width;
    }
    (marks, y + 12.0)
}

/// The names in the order in which they come first.
fn names<'a>(all: impl Iterator<Item = &'a String>) -> Vec<&'a String> {
    let mut names: Vec<&String> = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn label(marks: &mut String, x: f64, y: f64, class: &str, text: &str) {
    let text = escape(text);
    let _ = writeln!(
        marks,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
    );
}

/// A number without zeros at its end: ticks are round.
fn short(text: String) -> String {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    match number.contains('.') {
        true => {
            number
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_string()
                + unit
        }
        false => text,
    }
}

/// The systems that have colours of their own in the style sheet, in its order.
const COLOURS: [&[&str]; 12] = [
    &["interp", "check", "before", "baseline-interp"],
    &[
        "jit-cold",
        "tracing",
        "tracing-cold",
        "tracing-only",
        "graphs",
    ],
    &[
        "jit-warm",
        "jit",
        "optimising",
        "after",
        "auto",
        "here",
        "baseline-tracing",
        "half/tracing",
    ],
    &["rust", "backend", "lowering"],
    &["c", "arithmetic"],
    &["csharp", "objects"],
    &["java", "stores"],
    &["luajit", "guards", "beginning/luajit"],
    &["pypy", "live", "paper", "end/tracing"],
    &["node", "counter"],
    &[
        "lua",
        "cpython",
        "both",
        "both-cold",
        "tracing-baseline",
        "threaded",
    ],
    &[
        "nothing-kept",
        "luajit-cold",
        "pypy-cold",
        "specialising",
        "specialising-cold",
        "specialising-warm",
        "baseline",
        "baseline-only",
    ],
];

/// The class that gives a system its colour.
fn colour(name: &str) -> String {
    let known = COLOURS.iter().position(|names| names.contains(&name));
    format!("s{}", known.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::html::time;

    fn heading() -> Heading {
        Heading {
            title: "a <title>".to_string(),
            description: "what & how".to_string(),
            axis: "seconds",
        }
    }

    fn group(label: &str, values: &[(&str, f64)]) -> Group {
        let bar = |(name, value): &(&str, f64)| Bar {
            name: name.to_string(),
            label: name.to_string(),
            value: *value,
            spread: Some((value * 0.9, value * 1.2)),
        };
        Group {
            label: label.to_string(),
            bars: values.iter().map(bar).collect(),
        }
    }

    fn elements(svg: &str, name: &str) -> usize {
        let document = roxmltree::Document::parse(svg).expect("it is well-formed");
        let all = document.descendants();
        all.filter(|node| node.tag_name().name() == name).count()
    }

    #[test]
    fn bars_have_labels_and_whiskers() {
        let groups = [
            group("x", &[("interp", 2.0), ("jit-warm", 0.01)]),
            group("y", &[("c", 0.1)]),
        ];
        let svg = Charts::default().bars(&heading(), time, Scale::Logarithmic, &groups);
        assert_eq!(elements(&svg, "rect"), 3);
        assert_eq!(elements(&svg, "path"), 3);
        for text in ["10.0 ms", "jit-warm", "a &lt;title&gt;", "what &amp; how"] {
            assert!(svg.contains(text), "{text} in {svg}");
        }
    }

    #[test]
    fn dots_and_lines() {
        let mut charts = Charts::default();
        let groups = [group("x", &[("jit-cold", 2.0), ("jit-warm", 20.0)])];
        let dots = charts.dots(&heading(), time, &groups, 1.0);
        assert_eq!(elements(&dots, "circle"), 2);
        assert!(dots.contains("chart1t"), "{dots}");
        let line = Line {
            name: "jit".to_string(),
            points: vec![(1.0, 5.0), (2.0, 1.0)],
            mark: Some((1, "warm".to_string())),
        };
        let scales = [Scale::Linear, Scale::Logarithmic];
        let lines = charts.lines(&heading(), [time, time], scales, &[line]);
        assert_eq!(
            [elements(&lines, "polyline"), elements(&lines, "circle")],
            [1, 1]
        );
        assert!(lines.contains("chart2t"), "{lines}");
    }

    #[test]
    fn ticks_are_short() {
        let short = |text: &str| short(text.to_string());
        assert_eq!(short("1.00 µs"), "1 µs");
        assert_eq!(short("0.100×"), "0.1×");
        assert_eq!([short("100 ms"), short("20.5")], ["100 ms", "20.5"]);
    }

    #[test]
    fn a_chart_of_nothing_is_well_formed() {
        let svg = Charts::default().bars(&heading(), time, Scale::Linear, &[]);
        assert_eq!(elements(&svg, "rect"), 0);
    }
}
