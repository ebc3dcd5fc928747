//! Options of a heap.

/// Parameters of a heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeapOptions {
    /// The most bytes that objects may take, in blocks of 32 KB; less than one block holds nothing.
    pub limit: usize,
    /// Whether to collect at every allocation, or at many.
    pub stress: Stress,
}

/// Collecting at every allocation, or at many, with freed memory overwritten with `0xDEADBEEF`, and
/// now and then a check of the whole heap: slow, finds references that the collector does not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stress {
    /// Collections when it is time.
    #[default]
    Off,
    /// Each collects everything.
    All,
    /// Most collect what has been allocated since the last one, so that stores without the write
    /// barrier are found.
    Young,
    /// Each collects everything, but there is one at every seventh allocation alone: for programs
    /// that make many objects before they do anything.
    Sparse,
}

impl Stress {
    /// All of them.
    pub const KINDS: [Stress; 4] = [Stress::Off, Stress::All, Stress::Young, Stress::Sparse];

    /// Whether allocations collect before it is time.
    pub fn is_on(self) -> bool {
        self != Stress::Off
    }

    /// The name in parameters: `0`, `1`, `young` or `sparse`.
    pub fn name(self) -> &'static str {
        match self {
            Stress::Off => "0",
            Stress::All => "1",
            Stress::Young => "young",
            Stress::Sparse => "sparse",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Stress> {
        Stress::KINDS
            .into_iter()
            .find(|stress| stress.name() == name)
    }
}

impl Default for HeapOptions {
    fn default() -> Self {
        HeapOptions {
            limit: usize::MAX,
            stress: Stress::Off,
        }
    }
}
