//! Sparse symmetric positive definite matrices, decomposed in an order that keeps them sparse.
//!
//! Engines have few opponents in a large field, so nearly all entries of an information matrix are
//! zero. With a good order of elimination, most entries of its triangular factor are zero too, and
//! a system of a thousand engines takes milliseconds instead of most of a second.

use nalgebra::DVector;

/// The places of the nonzero entries, and the order of elimination: always a variable with the
/// fewest neighbours (minimum degree; Tinney and Walker 1967, "Direct solutions of sparse network
/// equations by optimally ordered triangular factorization").
///
/// The order depends on the pattern alone, so that one pattern serves all matrices of a fit.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// The variable at each place of the order.
    order: Vec<usize>,
    /// The edges from every place to earlier places, as the place and the number of the edge.
    edges: Vec<Vec<(usize, usize)>>,
    /// The places left of the diagonal in every row of the factor, in order.
    left: Vec<Vec<usize>>,
    /// The places below the diagonal in every column of the factor, in order.
    below: Vec<Vec<usize>>,
}

/// A decomposition `L D Lᵀ` with ones on the diagonal of `L`.
#[derive(Clone, Debug)]
pub(super) struct Decomposition<'p> {
    pattern: &'p Pattern,
    /// The entries below the diagonal, by column.
    lower: Vec<Vec<f64>>,
    diagonal: Vec<f64>,
}

impl Pattern {
    /// The pattern of a matrix in which these couples of variables have an entry. The edges are
    /// distinct and numbered as given. `None` if a decomposition takes more operations than these.
    pub(super) fn within(
        size: usize,
        edges: &[(usize, usize)],
        operations: usize,
    ) -> Option<Pattern> {
        let (order, later) = eliminate(size, edges, operations)?;
        let mut place = vec![0; size];
        for (at, &variable) in order.iter().enumerate() {
            place[variable] = at;
        }
        let mut pattern = Pattern {
            edges: vec![Vec::new(); size],
            left: vec![Vec::new(); size],
            below: Vec::with_capacity(size),
            order,
        };
        for (number, &(one, other)) in edges.iter().enumerate() {
            let (one, other) = (place[one], place[other]);
            pattern.edges[one.max(other)].push((one.min(other), number));
        }
        for (column, neighbours) in later.into_iter().enumerate() {
            let mut below: Vec<usize> = neighbours.into_iter().map(|it| place[it]).collect();
            below.sort_unstable();
            below.iter().for_each(|&row| pattern.left[row].push(column));
            pattern.below.push(below);
        }
        Some(pattern)
    }

    /// The number of entries of a factor below the diagonal.
    pub(super) fn entries(&self) -> usize {
        self.below.iter().map(Vec::len).sum()
    }

    /// Decomposes the matrix with these entries on the diagonal and for the edges; `None` unless
    /// it is positive definite. Row by row (Davis 2005, "Algorithm 849: a concise sparse Cholesky
    /// factorization package").
    pub(super) fn decompose(
        &self,
        diagonal: &[f64],
        off_diagonal: &[f64],
    ) -> Option<Decomposition<'_>> {
        let size = self.order.len();
        let mut lower: Vec<Vec<f64>> =
            self.below.iter().map(|below| Vec::with_capacity(below.len())).collect();
        let mut pivots = Vec::with_capacity(size);
        let mut row = vec![0.0; size];
        for place in 0..size {
            for &(column, number) in &self.edges[place] {
                row[column] = off_diagonal[number];
            }
            let mut pivot = diagonal[self.order[place]];
            for &column in &self.left[place] {
                let entry = std::mem::take(&mut row[column]);
                for (&at, factor) in self.below[column].iter().zip(&lower[column]) {
                    row[at] -= factor * entry;
                }
                let factor = entry / pivots[column];
                pivot -= factor * entry;
                lower[column].push(factor);
            }
            if !(pivot > 0.0 && pivot.is_finite()) {
                return None;
            }
            pivots.push(pivot);
        }
        Some(Decomposition { pattern: self, lower, diagonal: pivots })
    }
}

impl Decomposition<'_> {
    /// The solution of the system.
    pub(super) fn solve(&self, target: &DVector<f64>) -> DVector<f64> {
        let Pattern { order, below, .. } = self.pattern;
        let mut at: Vec<f64> = order.iter().map(|&variable| target[variable]).collect();
        for (column, (below, lower)) in below.iter().zip(&self.lower).enumerate() {
            let own = at[column];
            below.iter().zip(lower).for_each(|(&row, factor)| at[row] -= factor * own);
        }
        for (column, (below, lower)) in below.iter().zip(&self.lower).enumerate().rev() {
            let sum: f64 = below.iter().zip(lower).map(|(&row, factor)| factor * at[row]).sum();
            at[column] = at[column] / self.diagonal[column] - sum;
        }
        let mut solution = DVector::zeros(order.len());
        for (&variable, value) in order.iter().zip(at) {
            solution[variable] = value;
        }
        solution
    }
}

/// The order of elimination, and the later neighbours of every variable in that order: eliminating
/// a variable makes its neighbours neighbours of each other. `None` if that takes more operations
/// than these.
fn eliminate(
    size: usize,
    edges: &[(usize, usize)],
    operations: usize,
) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
    let mut left = operations;
    let words = size.div_ceil(64);
    let mut rows = vec![0_u64; size * words];
    let mut set = |row: usize, column: usize| rows[row * words + column / 64] |= 1 << (column % 64);
    for &(one, other) in edges {
        set(one, other);
        set(other, one);
    }
    let count = |row: &[u64]| -> usize { row.iter().map(|word| word.count_ones() as usize).sum() };
    let mut degree: Vec<usize> = rows.chunks(words.max(1)).map(count).collect();
    let mut open: Vec<usize> = (0..size).collect();
    let (mut order, mut later) = (Vec::with_capacity(size), Vec::with_capacity(size));
    while let Some(at) = (0..open.len()).min_by_key(|&at| degree[open[at]]) {
        let next = open.swap_remove(at);
        left = left.checked_sub(degree[next].pow(2))?;
        let own = rows[next * words..(next + 1) * words].to_vec();
        let neighbours: Vec<usize> = own
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| {
                (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * word + bit)
            })
            .collect();
        for &neighbour in &neighbours {
            let row = &mut rows[neighbour * words..(neighbour + 1) * words];
            row.iter_mut().zip(&own).for_each(|(word, bits)| *word |= bits);
            for gone in [neighbour, next] {
                row[gone / 64] &= !(1 << (gone % 64));
            }
            degree[neighbour] = count(row);
        }
        order.push(next);
        later.push(neighbours);
    }
    Some((order, later))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    /// A matrix like the information of games in a circle, with a few more games across.
    fn edges(size: usize) -> Vec<(usize, usize)> {
        let circle = (0..size).map(|one| (one, (one + 1) % size));
        circle.chain((0..size / 3).map(|one| (one, size - 2 - one))).collect()
    }

    #[test]
    fn solutions_solve_the_system() {
        for size in [3, 8, 70, 131] {
            let mut edges = edges(size);
            edges.sort_unstable();
            edges.dedup();
            edges.retain(|(one, other)| one != other);
            let entries: Vec<f64> = (0..edges.len()).map(|it| -0.1 - (it % 7) as f64).collect();
            let mut matrix = DMatrix::zeros(size, size);
            for (&(one, other), entry) in edges.iter().zip(&entries) {
                matrix[(one, other)] += entry;
                matrix[(other, one)] += entry;
                matrix[(one, one)] -= entry;
                matrix[(other, other)] -= entry;
            }
            let diagonal: Vec<f64> = (0..size).map(|it| matrix[(it, it)] + 0.03).collect();
            for (it, &entry) in diagonal.iter().enumerate() {
                matrix[(it, it)] = entry;
            }
            let pattern = Pattern::within(size, &edges, usize::MAX).unwrap();
            let target = DVector::from_fn(size, |it, _| (it % 5) as f64 - 2.0);
            let solution = pattern.decompose(&diagonal, &entries).unwrap().solve(&target);
            assert!((matrix * solution - target).amax() < 1e-9, "{size}");
        }
    }

    #[test]
    fn only_positive_definite_matrices_are_decomposed() {
        let pattern = Pattern::within(2, &[(0, 1)], usize::MAX).unwrap();
        assert!(pattern.decompose(&[1.0, 1.0], &[0.9]).is_some());
        assert!(pattern.decompose(&[1.0, 1.0], &[1.1]).is_none());
        assert!(pattern.decompose(&[1.0, f64::NAN], &[0.1]).is_none());
    }

    #[test]
    fn a_large_field_of_few_games_stays_sparse() {
        let engines = 400;
        let mut edges: Vec<(usize, usize)> = (0..3)
            .flat_map(|stage| {
                let met = move |one: usize| (one, (one * (2 * stage + 7) + 13) % engines);
                (0..engines).step_by(2).map(met).filter(|(one, other)| one != other)
            })
            .map(|(one, other)| (one.min(other), one.max(other)))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let pattern = Pattern::within(engines, &edges, usize::MAX).unwrap();
        let entries = pattern.entries();
        assert!(entries < engines * engines / 20, "{entries}");
        assert!(Pattern::within(engines, &edges, 10 * engines).is_none());
    }

    #[test]
    fn a_tridiagonal_matrix_has_no_fill_in() {
        let edges: Vec<_> = (1..100).map(|one| (one - 1, one)).collect();
        let pattern = Pattern::within(100, &edges, usize::MAX).unwrap();
        assert_eq!(pattern.entries(), 99);
    }
}
