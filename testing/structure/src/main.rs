//! `structure circles|names|comments`: shows what the tests of this package hold against the rules.

use clap::{Parser, Subcommand};
use structure::{circles, comments, names, repository};

/// The shape of the repository.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Show,
}

#[derive(Subcommand)]
enum Show {
    /// Circles of imports between files.
    Circles {
        /// Packages whose folders begin so; all, if left out.
        #[arg(default_value = "")]
        folder: String,
        /// Also print an import for every arrow of a circle.
        #[arg(long)]
        arrows: bool,
    },
    /// Public types whose name stands in more than one crate.
    Names,
    /// Wide comments, and comments that say nothing.
    Comments {
        /// Files that begin so; all, if left out.
        #[arg(default_value = "")]
        folder: String,
    },
}

fn main() {
    match Arguments::parse().command {
        Show::Circles { folder, arrows } => show_circles(&folder, arrows),
        Show::Names => {
            for (name, files) in names::ambiguous_types() {
                println!("{name}: {}", files.join(" "));
            }
        }
        Show::Comments { folder } => {
            for comment in comments::comments() {
                let at = format!("{}:{}", comment.file, comment.line);
                if !comment.file.starts_with(&folder) {
                    continue;
                }
                if comment.is_wide() {
                    println!("{at}: wider than {}", comments::COLUMNS);
                }
                for riddle in comment.riddles() {
                    println!("{at}: {riddle}: {}", comment.text.trim());
                }
            }
        }
    }
}

fn show_circles(folder: &str, arrows: bool) {
    let packages = repository::packages();
    for package in packages.iter().filter(|p| p.starts_with(folder)) {
        let imports = circles::imports(package);
        for circle in circles::circles(&imports) {
            println!("{package}: {} files: {}", circle.len(), circle.join(" "));
            let inside = imports
                .iter()
                .filter(|i| circle.contains(&i.from) && circle.contains(&i.to));
            for import in inside.filter(|_| arrows) {
                println!("    {} -> {} ({})", import.from, import.to, import.path);
            }
        }
    }
}
