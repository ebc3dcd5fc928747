//! The choice of tests. In: changes, the workspace, times, and limits. Out: test targets to run,
//! the nearest first, and those that are left out. Invariant: what is run stays within the limits,
//! except for the targets that the change names itself.

use crate::changes::{Change, OVERVIEW};
use crate::times::Times;
use crate::workspace::{Suite, Workspace};
use std::collections::{BTreeMap, BTreeSet};

/// Targets that meet most of what goes wrong between stages: they count as one step away, however
/// far they are.
const NETS: &[(&str, &str)] = &[("conformance", "agree"), ("tlc", "tests")];

/// Packages with all languages in them, which take minutes to build: their tests are run for their
/// own changes alone.
const LARGE: &[&str] = &["bench", "fuzz", "random-functions"];

/// How much is run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds of testing.
    pub seconds: f64,
    /// Packages whose tests are built.
    pub packages: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            seconds: 110.0,
            packages: 9,
        }
    }
}

/// A test target, with its distance from the change and the seconds that it takes.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    /// The package.
    pub package: String,
    /// The target.
    pub suite: Suite,
    /// Steps along dependencies from what has changed.
    pub distance: usize,
    /// How long it takes.
    pub seconds: f64,
}

/// The targets to run, and those left out.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Plan {
    /// The targets to run, in this order.
    pub run: Vec<Chosen>,
    /// The tests that the change may break and that are not run.
    pub left_out: Vec<Chosen>,
}

impl Plan {
    /// The targets that are nearest to some changes. What costs less comes first among those at one
    /// distance.
    pub fn new(workspace: &Workspace, changes: &[Change], times: &Times, limits: Limits) -> Plan {
        let mut plan = Plan::default();
        let mut left = limits.seconds;
        let mut packages: BTreeSet<String> = BTreeSet::new();
        for chosen in reached(workspace, changes, times) {
            let named = changes.iter().any(|change| match change {
                Change::One(package, suite) => (package, suite) == (&chosen.package, &chosen.suite),
                _ => false,
            });
            let is_built = packages.contains(&chosen.package) || packages.len() < limits.packages;
            let is_large = LARGE.contains(&&*chosen.package) && chosen.distance > 0;
            match named || is_built && !is_large && chosen.seconds <= left {
                true => {
                    left -= chosen.seconds;
                    packages.insert(chosen.package.clone());
                    plan.run.push(chosen);
                }
                false => plan.left_out.push(chosen),
            }
        }
        plan
    }

    /// For a change of files that belong to no package, such as documents: the test that looks at
    /// all files.
    pub fn overview(workspace: &Workspace, times: &Times) -> Plan {
        let (package, suite) = OVERVIEW;
        let suite = Suite::Test(suite.to_string());
        let change = Change::One(package.to_string(), suite);
        Plan::new(workspace, &[change], times, Limits::default())
    }

    /// The seconds that it takes.
    pub fn seconds(&self) -> f64 {
        self.run.iter().map(|chosen| chosen.seconds).sum()
    }

    /// The targets to run, package by package, in the order of the first target of each.
    pub fn by_package(&self) -> Vec<(&str, Vec<&Chosen>)> {
        let mut groups: Vec<(&str, Vec<&Chosen>)> = Vec::new();
        for chosen in &self.run {
            match groups.iter_mut().find(|group| group.0 == chosen.package) {
                Some(group) => group.1.push(chosen),
                None => groups.push((&chosen.package, vec![chosen])),
            }
        }
        groups
    }
}

/// All targets that some changes may break, the nearest first.
fn reached(workspace: &Workspace, changes: &[Change], times: &Times) -> Vec<Chosen> {
    let mut sources: Vec<&str> = Vec::new();
    for change in changes {
        match change {
            Change::Package(name) => sources.push(name),
            Change::Everything => sources.extend(workspace.packages.keys().map(String::as_str)),
            Change::Tests(_) | Change::One(..) => {}
        }
    }
    let mut distances: BTreeMap<(&str, &Suite), usize> = BTreeMap::new();
    for (name, distance) in workspace.distances(&sources) {
        for suite in workspace
            .packages
            .get(name)
            .into_iter()
            .flat_map(|p| &p.suites)
        {
            distances.insert((name, suite), distance);
        }
    }
    for package in workspace.packages.values() {
        for suite in &package.suites {
            let is_named = changes.iter().any(|change| match change {
                Change::Tests(name) => *name == package.name,
                Change::One(name, one) => *name == package.name && one == suite,
                Change::Package(_) | Change::Everything => false,
            });
            let is_overview = package.name == OVERVIEW.0 && suite.to_string() == OVERVIEW.1;
            if is_named || is_overview && !changes.is_empty() {
                distances.insert((&package.name, suite), 0);
            }
        }
    }
    let chosen = distances
        .into_iter()
        .map(|((package, suite), distance)| Chosen {
            package: package.to_string(),
            suite: suite.clone(),
            distance,
            seconds: times.of(package, suite),
        });
    let mut chosen: Vec<Chosen> = chosen.collect();
    let rank = |c: &Chosen| {
        let suite = c.suite.to_string();
        let target = (&*c.package, &*suite);
        let is_first = target == OVERVIEW || NETS.contains(&target);
        (
            c.distance.min(if is_first { 1 } else { usize::MAX }),
            !is_first,
        )
    };
    chosen.sort_by(|a, b| {
        let by_cost = a.seconds.total_cmp(&b.seconds);
        rank(a).cmp(&rank(b)).then(by_cost)
    });
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::tests::example;

    fn names(list: &[Chosen]) -> Vec<String> {
        let name = |c: &Chosen| format!("{} {} {}", c.distance, c.package, c.suite);
        list.iter().map(name).collect()
    }

    fn times() -> Times {
        let mut times = Times::default();
        for (name, package) in &example().packages {
            times.set(name, &package.suites[0], 1.0);
            times.set(name, &package.suites[1], 10.0);
        }
        times
    }

    fn limits(seconds: f64) -> Limits {
        let packages = 10;
        Limits { seconds, packages }
    }

    #[test]
    fn the_nearest_come_first_until_the_budget_is_used_up() {
        let changes = [Change::Package("base".to_string())];
        let plan = Plan::new(&example(), &changes, &times(), limits(36.0));
        let run = [
            "0 base lib",
            "0 base agree",
            "3 conformance agree",
            "1 middle lib",
            "1 side lib",
            "1 middle agree",
            "2 top lib",
            "3 conformance lib",
        ];
        assert_eq!(names(&plan.run), run);
        let left_out = ["1 fuzz lib", "1 fuzz agree", "1 side agree", "2 top agree"];
        assert_eq!(names(&plan.left_out), left_out);
        assert_eq!(plan.seconds(), 35.0);
        let packages: Vec<&str> = plan.by_package().iter().map(|group| group.0).collect();
        assert_eq!(packages, ["base", "conformance", "middle", "side", "top"]);
    }

    #[test]
    fn few_packages_are_built() {
        let changes = [Change::Package("base".to_string())];
        let limits = Limits {
            seconds: 1000.0,
            packages: 3,
        };
        let plan = Plan::new(&example(), &changes, &times(), limits);
        let packages: Vec<&str> = plan.by_package().iter().map(|group| group.0).collect();
        assert_eq!(packages, ["base", "conformance", "middle"]);
        assert_eq!(plan.run.len(), 6);
    }

    #[test]
    fn large_packages_are_tested_for_their_own_changes() {
        let changes = [Change::Package("fuzz".to_string())];
        let plan = Plan::new(&example(), &changes, &times(), limits(1000.0));
        assert_eq!(names(&plan.run), ["0 fuzz lib", "0 fuzz agree"]);
    }

    #[test]
    fn a_test_that_has_changed_is_run_whatever_it_takes() {
        let agree = Suite::Test("agree".to_string());
        let changes = [Change::One("base".to_string(), agree)];
        let plan = Plan::new(&example(), &changes, &times(), limits(5.0));
        assert_eq!(names(&plan.run), ["0 base agree"]);
        assert!(plan.left_out.is_empty());
    }

    #[test]
    fn tests_of_a_package_reach_nothing_else() {
        let changes = [Change::Tests("base".to_string())];
        let plan = Plan::new(&example(), &changes, &times(), limits(100.0));
        assert_eq!(names(&plan.run), ["0 base lib", "0 base agree"]);
        let plan = Plan::new(&example(), &[], &times(), limits(100.0));
        assert_eq!(plan, Plan::default());
    }
}
