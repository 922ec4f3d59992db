//! "Did you mean": the known word nearest to an unknown one.

/// Longer words are not compared: a typing error is unlikely in them, and the cost grows with the product of lengths.
const MAX_CHARS: usize = 40;

/// The candidate nearest to `word`, if one is near enough to be a likely typing error.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = word.chars().take(MAX_CHARS + 1).count();
    if length > MAX_CHARS {
        return None;
    }
    // One error in three letters, and always at least one, is a slip rather than another word.
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        // A one-letter word is at distance 1 from every other one-letter word.
        .filter(|&(errors, candidate)| errors <= limit && errors < candidate.chars().count())
        .min_by_key(|&(errors, _)| errors)
        .map(|(_, candidate)| candidate)
}

/// The hint for a word that is not among those known: the nearest one, where it is likely meant, and all of them.
///
/// ```
/// use banquise_io::scenario::suggest;
/// let hint = suggest("drfit", "the scenarios are", &["drift", "ship"]);
/// assert_eq!(hint, "did you mean `drift`? the scenarios are drift, ship");
/// ```
pub fn suggest(word: &str, all: &str, known: &[&str]) -> String {
    let all = format!("{all} {}", known.join(", "));
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {all}"),
        None => all,
    }
}

/// Optimal string alignment distance without regard to case: insertions, deletions, replacements
/// and swaps of neighbours.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word() {
        let keys = ["duration", "step", "radius"];
        assert_eq!(nearest("durration", keys), Some("duration"));
        assert_eq!(nearest("setp", keys), Some("step"));
        assert_eq!(nearest("Radius", keys), Some("radius"));
    }

    #[test]
    fn another_word_finds_nothing() {
        assert_eq!(nearest("friction", ["duration", "step"]), None);
        assert_eq!(nearest("x", ["m", "s"]), None);
        assert_eq!(nearest(&"x".repeat(1000), ["m"]), None);
    }

    #[test]
    fn distance_counts_single_errors() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("acb", "abc"), 1);
        assert_eq!(distance("axc", "abc"), 1);
    }
}
