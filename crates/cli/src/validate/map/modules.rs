//! The modules that a mapping may use, whether its specification extends them or not.

use base::FxHashSet;
use sema::embedded;

/// Modules that every mapping extends.
const STANDARD: [&str; 4] = ["Integers", "Sequences", "FiniteSets", "TLC"];
/// A mapping knows those of which it names a definition.
const FURTHER: [&str; 12] = [
    "Bags",
    "BagsExt",
    "Bitwise",
    "Combinatorics",
    "FiniteSetsExt",
    "Folds",
    "Functions",
    "Graphs",
    "Relation",
    "SequencesExt",
    "TLCExt",
    "VectorClocks",
];

/// The modules that the text of a mapping may mean.
pub fn find_used(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words: FxHashSet<&str> = text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).collect();
    let is_named = |name: &&str| {
        let module = embedded::MODULES.iter().find(|(module, _)| module == name);
        module.is_some_and(|(_, text)| text.lines().any(|line| is_definition_of(line, &words)))
    };
    STANDARD.into_iter().chain(FURTHER.into_iter().filter(is_named)).map(ToOwned::to_owned).collect()
}

/// Whether a line begins the definition of one of these names: `Range(f) ==`.
fn is_definition_of(line: &str, names: &FxHashSet<&str>) -> bool {
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    names.contains(name) && rest.trim_start().starts_with(['(', '='])
}

#[cfg(test)]
mod tests {
    use super::find_used;

    #[test]
    fn a_mapping_knows_the_modules_whose_names_it_has() {
        assert_eq!(find_used("a = 'Len(x)'"), ["Integers", "Sequences", "FiniteSets", "TLC"]);
        let used = find_used("after = { 'ToSet(log)' = 'event.log' }");
        assert!(used.contains(&"SequencesExt".to_owned()) && !used.contains(&"Bags".to_owned()), "{used:?}");
    }
}
