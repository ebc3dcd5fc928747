//! What a browser says of charts. In: pages. Out: the sizes of what is drawn, and what is cut off.
//! Invariant: a page measures itself, in a script that is added to a copy of it.

/// A page that writes down, in its own elements, how large its charts are, how many marks and words
/// they have, what it has loaded and what went wrong.
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

/// The result of a measuring page.
pub struct Measured {
    pub charts: Vec<Chart>,
    /// The other files that were loaded.
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
