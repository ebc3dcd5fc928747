//! Serialises a [`PrimaryMap`] as the list of its values, for `#[serde(with = ..)]`.
//!
//! The feature of `cranelift-entity` that does this would make all of Cranelift depend on the
//! features of the procedural macros that a build happens to select, and be built again for each
//! selection.

use cranelift_entity::{EntityRef, PrimaryMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the values.
///
/// # Errors
/// Those of the format.
pub fn serialize<K: EntityRef, V: Serialize, S: Serializer>(
    map: &PrimaryMap<K, V>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(map.values())
}

/// Reads the values.
///
/// # Errors
/// Those of the format.
pub fn deserialize<'de, K: EntityRef, V: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<PrimaryMap<K, V>, D::Error> {
    Ok(Vec::deserialize(deserializer)?.into_iter().collect())
}
