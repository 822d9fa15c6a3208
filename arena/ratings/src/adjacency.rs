//! Sparse symmetric positive definite matrices by rows, and systems of equations solved by conjugate
//! gradients.
//!
//! Where every engine of thousands has met a hundred others at random, a triangular factor is nearly
//! dense in any order of elimination. But in such a field everything depends on everything only a
//! little, so that a few steps of the iteration are enough.

/// The couples of variables with an entry, as the edges of a graph, by variable.
#[derive(Clone, Debug)]
pub(super) struct Adjacency {
    /// Where the neighbours of every variable begin, and the number of all.
    starts: Vec<usize>,
    /// The neighbours of every variable, in order, and the number of the edge to each.
    neighbours: Vec<(u32, u32)>,
}

/// A matrix with an entry for every edge, beside its diagonal.
#[derive(Clone, Debug)]
pub(super) struct SymmetricMatrix<'a> {
    adjacency: &'a Adjacency,
    pub(super) diagonal: Vec<f64>,
    /// The entry for every neighbour.
    entries: Vec<f64>,
}

impl Adjacency {
    /// The edges are distinct and numbered as given.
    pub(super) fn new(size: usize, edges: &[(usize, usize)]) -> Adjacency {
        let mut starts = vec![0; size + 1];
        let ends = edges.iter().flat_map(|&(one, other)| [one, other]);
        ends.for_each(|variable| starts[variable + 1] += 1);
        (0..size).for_each(|variable| starts[variable + 1] += starts[variable]);
        let mut next = starts.clone();
        let mut neighbours = vec![(0, 0); 2 * edges.len()];
        for (number, &(one, other)) in (0..).zip(edges) {
            for (variable, to) in [(one, other), (other, one)] {
                let to = u32::try_from(to).expect("no field has four thousand million engines");
                neighbours[next[variable]] = (to, number);
                next[variable] += 1;
            }
        }
        Adjacency { starts, neighbours }
    }

    /// The number of edges.
    pub(super) fn edges(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// The numbers of the edges at a variable.
    pub(super) fn numbers(&self, variable: usize) -> impl Iterator<Item = usize> {
        let range = self.starts[variable]..self.starts[variable + 1];
        self.neighbours[range].iter().map(|&(_, number)| number as usize)
    }

    /// The matrix with these entries on the diagonal and for the edges.
    pub(super) fn matrix(&self, diagonal: Vec<f64>, off_diagonal: &[f64]) -> SymmetricMatrix<'_> {
        let entries =
            self.neighbours.iter().map(|&(_, edge)| off_diagonal[edge as usize]).collect();
        SymmetricMatrix { adjacency: self, diagonal, entries }
    }
}

impl SymmetricMatrix<'_> {
    /// The neighbours of a variable, with their entries.
    pub(super) fn of(&self, variable: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.adjacency.starts[variable]..self.adjacency.starts[variable + 1];
        let entries = &self.entries[range.clone()];
        self.adjacency.neighbours[range]
            .iter()
            .zip(entries)
            .map(|(&(to, _), &entry)| (to as usize, entry))
    }

    /// The same for the neighbours from `first` on.
    pub(super) fn of_last(
        &self,
        variable: usize,
        first: usize,
    ) -> impl Iterator<Item = (usize, f64)> {
        let range = self.adjacency.starts[variable]..self.adjacency.starts[variable + 1];
        let skipped = self.adjacency.neighbours[range.clone()]
            .partition_point(|(to, _)| (*to as usize) < first);
        self.of(variable).skip(skipped)
    }

    /// The product with a vector.
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let of = |(variable, diagonal): (usize, &f64)| {
            let others: f64 = self.of(variable).map(|(to, entry)| entry * vector[to]).sum();
            diagonal * vector[variable] + others
        };
        self.diagonal.iter().enumerate().map(of).collect()
    }

    /// The solution for a target with few entries, in the first `size` variables alone, with the
    /// others held at zero. It begins at the target and grows to the next neighbours with every step,
    /// until the rest of the target, in the metric of the diagonal, is this part of the whole.
    ///
    /// Returns the solution, and the variables in which it is not zero.
    pub(super) fn solve_nearby(
        &self,
        size: usize,
        target: &[(usize, f64)],
        tolerance: f64,
    ) -> (Vec<f64>, Vec<usize>) {
        let mut solution = vec![0.0; size];
        let (mut rest, mut direction, mut image) =
            (solution.clone(), solution.clone(), solution.clone());
        let mut is_near = vec![false; size];
        let mut near: Vec<usize> = Vec::new();
        for &(variable, value) in target {
            rest[variable] = value;
            direction[variable] = value / self.diagonal[variable];
            is_near[variable] = true;
            near.push(variable);
        }
        let square = |rest: &[f64], near: &[usize]| -> f64 {
            near.iter().map(|&it| rest[it].powi(2) / self.diagonal[it]).sum()
        };
        let mut of_rest = square(&rest, &near);
        for _ in 0..MAX_STEPS {
            let before = near.len();
            near.iter().for_each(|&it| image[it] = 0.0);
            for place in 0..before {
                let variable = near[place];
                let value = direction[variable];
                image[variable] += self.diagonal[variable] * value;
                for (to, entry) in self.of(variable).take_while(|(to, _)| *to < size) {
                    if !is_near[to] {
                        is_near[to] = true;
                        near.push(to);
                    }
                    image[to] += entry * value;
                }
            }
            let curvature: f64 = near[..before].iter().map(|&it| direction[it] * image[it]).sum();
            let step = of_rest / curvature;
            near[..before].iter().for_each(|&it| solution[it] += step * direction[it]);
            near.iter().for_each(|&it| rest[it] -= step * image[it]);
            let next = square(&rest, &near);
            let reached: f64 = target.iter().map(|&(it, value)| value * solution[it]).sum();
            if next <= tolerance * reached {
                near.truncate(before);
                break;
            }
            let again = next / of_rest;
            of_rest = next;
            for &it in &near {
                direction[it] = rest[it] / self.diagonal[it] + again * direction[it];
            }
        }
        (solution, near)
    }
}

/// The solution of a symmetric positive definite system by conjugate gradients (Hestenes and Stiefel
/// 1952), where `precondition` solves it roughly, until the rest of the target has this part of the
/// target's length.
pub(super) fn conjugate_gradients(
    target: Vec<f64>,
    tolerance: f64,
    times: impl Fn(&[f64]) -> Vec<f64>,
    precondition: impl Fn(&[f64]) -> Vec<f64>,
) -> Vec<f64> {
    let mut solution = vec![0.0; target.len()];
    let mut rest = target;
    let goal = tolerance * dot(&rest, &rest).sqrt();
    let mut direction = precondition(&rest);
    let mut of_rest = dot(&rest, &direction);
    for _ in 0..MAX_STEPS {
        if dot(&rest, &rest).sqrt() <= goal {
            break;
        }
        let image = times(&direction);
        let step = of_rest / dot(&direction, &image);
        if !step.is_finite() {
            break;
        }
        for (place, value) in direction.iter().enumerate() {
            solution[place] += step * value;
            rest[place] -= step * image[place];
        }
        let rough = precondition(&rest);
        let next = dot(&rest, &rough);
        let again = next / of_rest;
        of_rest = next;
        for (value, rough) in direction.iter_mut().zip(rough) {
            *value = rough + again * *value;
        }
    }
    solution
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

const MAX_STEPS: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    /// Engines in a circle, each with games against the next and one across.
    fn edges(size: usize) -> Vec<(usize, usize)> {
        let circle = (1..size).map(|one| (one - 1, one));
        circle.chain((0..size / 2 - 1).map(|one| (one, one + size / 2))).collect()
    }

    #[test]
    fn both_solutions_solve_the_system() {
        let size = 60;
        let edges = edges(size);
        let adjacency = Adjacency::new(size, &edges);
        let entries: Vec<f64> = (0..edges.len()).map(|it| -0.2 - (it % 5) as f64).collect();
        let mut diagonal = vec![0.05; size];
        for (&(one, other), entry) in edges.iter().zip(&entries) {
            diagonal[one] -= entry;
            diagonal[other] -= entry;
        }
        let matrix = adjacency.matrix(diagonal.clone(), &entries);
        let mut target = vec![0.0; size];
        (target[7], target[20]) = (1.0, -1.0);
        let rough =
            |rest: &[f64]| rest.iter().zip(&diagonal).map(|(rest, entry)| rest / entry).collect();
        let whole =
            conjugate_gradients(target.clone(), 1e-12, |vector| matrix.times(vector), rough);
        let (near, _) = matrix.solve_nearby(size, &[(7, 1.0), (20, -1.0)], 1e-20);
        for solution in [whole, near] {
            for (value, wanted) in matrix.times(&solution).iter().zip(&target) {
                assert!((value - wanted).abs() < 1e-8, "{value} {wanted}");
            }
        }
    }

    #[test]
    fn a_rough_solution_stays_nearby() {
        let size = 2000;
        let edges = edges(size);
        let adjacency = Adjacency::new(size, &edges);
        let matrix = adjacency.matrix(vec![20.0; size], &vec![-1.0; edges.len()]);
        let (solution, near) = matrix.solve_nearby(size, &[(1000, 1.0)], 1e-4);
        assert!(near.len() < 20, "{}", near.len());
        assert!((matrix.times(&solution)[1000] - 1.0).abs() < 1e-2);
    }
}
