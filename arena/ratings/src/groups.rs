//! Groups of engines that games connect.

/// The first engine of every engine's group, where every edge connects two engines.
pub(super) fn first_of_group(
    engines: usize,
    edges: impl IntoIterator<Item = [usize; 2]>,
) -> Vec<usize> {
    let mut before: Vec<usize> = (0..engines).collect();
    for edge in edges {
        let [one, other] = edge.map(|engine| first(&mut before, engine));
        before[one.max(other)] = one.min(other);
    }
    (0..engines).map(|engine| first(&mut before, engine)).collect()
}

/// Follows the engines before an engine to the first one, and shortens the way.
fn first(before: &mut [usize], mut engine: usize) -> usize {
    while before[engine] != engine {
        before[engine] = before[before[engine]];
        engine = before[engine];
    }
    engine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_of_edges_are_one_group() {
        assert_eq!(first_of_group(7, [[5, 2], [2, 3], [6, 5], [1, 4]]), [0, 1, 2, 2, 1, 2, 2]);
        assert!(first_of_group(0, []).is_empty());
    }
}
