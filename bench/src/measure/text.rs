//! Tables for people. In: rows of cells. Out: aligned text. Invariant: the first column is aligned
//! left, all others right.

/// The rows as text, columns aligned, one line each.
pub fn align(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            match column {
                0 => line.push_str(&format!("{cell:<width$}", width = widths[0])),
                _ => line.push_str(&format!("  {cell:>width$}", width = widths[column])),
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Seconds with as many digits as make sense.
pub fn seconds(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 0.001 => format!("{v:.3}"),
        v => format!("{v:.7}"),
    }
}

/// A ratio, or a dash if there is none.
pub fn ratio(above: Option<f64>, below: Option<f64>) -> String {
    match (above, below) {
        (Some(above), Some(below)) if below > 0.0 => format!("{:.2}", above / below),
        _ => "-".to_string(),
    }
}

/// A row of cells.
pub fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_string).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [row(["n", "10", "x"]), row(["factorial", "1", "2.50"])];
        assert_eq!(align(&rows), "n          10     x\nfactorial   1  2.50\n");
    }

    #[test]
    fn ratios_need_both_sides() {
        assert_eq!(ratio(Some(3.0), Some(2.0)), "1.50");
        assert_eq!(ratio(None, Some(2.0)), "-");
        assert_eq!(ratio(Some(1.0), Some(0.0)), "-");
    }
}
