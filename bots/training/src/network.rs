//! Training the network: gradient descent on samples.
//!
//! The network of [`fanorona_bots::evaluation::network`] in floating point. Training minimises the
//! squared difference between the win probability of the network and the target, which lies between
//! the score of the search and the result of the game. Each epoch uses every sample once, under a
//! random symmetry of the board. All random numbers come from one seed, and all operations run in a
//! fixed order and give the same results on every machine. So the same samples and settings produce
//! the same weights, byte by byte.

use std::num::NonZero;

use fanorona_endgames::Symmetries;
use fanorona_protocol::rules::{BoardSize, MAX_POINTS};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::sample::Sample;
use super::target::{sigmoid, target};
use fanorona_bots::evaluation::network::{
    self, GROUPS, HIDDEN, MAX_INPUT, MAX_OUTPUT, Network, ONE, OUTPUT_ONE, ROLES, Role, SCALE,
};

/// The settings of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingSchedule {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of passes over the samples.
    pub epochs: u32,
    /// The number of samples per step.
    pub batch: usize,
    /// The initial step length; it falls to almost zero along half a cosine.
    pub rate: f32,
    /// The weight of the search's score in a target; the rest is the result of the game.
    pub search: f32,
}

impl Default for TrainingSchedule {
    fn default() -> TrainingSchedule {
        TrainingSchedule { seed: 1, epochs: 20, batch: 4096, rate: 0.002, search: 0.3 }
    }
}

/// The report of an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EpochReport {
    /// The number of the epoch, from 1.
    pub epoch: u32,
    /// The mean squared error of the training samples.
    pub training_error: f32,
    /// The mean squared error of the validation samples.
    pub validation_error: f32,
}

/// The layout of the weights, for boards with a number of points.
#[derive(Clone, Copy)]
struct Layout {
    points: usize,
}

impl Layout {
    /// The number of a role's weights before its outputs: hidden biases and inputs.
    fn inputs(self) -> usize {
        HIDDEN * (1 + 2 * self.points)
    }

    /// The number of a role's weights.
    fn role(self) -> usize {
        self.inputs() + HIDDEN * 2 * GROUPS
    }

    /// The number of all roles' weights, without output biases.
    fn rows(self) -> usize {
        ROLES * self.role()
    }

    /// The number of all weights.
    fn parameters(self) -> usize {
        self.rows() + ROLES * GROUPS
    }

    fn bias(self, role: Role) -> usize {
        role as usize * self.role()
    }

    fn input(self, role: Role, kind: usize, point: usize) -> usize {
        self.bias(role) + HIDDEN * (1 + kind * self.points + point)
    }

    fn output(self, role: Role, group: usize) -> usize {
        self.bias(role) + self.inputs() + HIDDEN * 2 * group
    }

    fn output_bias(self, role: Role, group: usize) -> usize {
        self.rows() + role as usize * GROUPS + group
    }

    /// The integer for a weight of 1 among the rows.
    fn unit(self, index: usize) -> f32 {
        let output = index % self.role() >= self.inputs();
        (if output { OUTPUT_ONE } else { ONE }) as f32
    }
}

/// The integer for an output bias of 1.
const BIAS_UNIT: f32 = (ONE * ONE * OUTPUT_ONE) as f32;

/// The numbers of one row.
type Row = [f32; HIDDEN];

/// The state of the network for one sample.
struct Pass {
    layout: Layout,
    roles: [Role; 2],
    group: usize,
    /// The active rows of each view.
    active: [Vec<usize>; 2],
    /// The sums of each view before clamping.
    sums: [Row; 2],
    odds: f32,
}

impl Pass {
    fn new(layout: Layout) -> Pass {
        let active = [Vec::with_capacity(MAX_POINTS), Vec::with_capacity(MAX_POINTS)];
        let (roles, sums) = ([Role::Riatra; 2], [[0.0; HIDDEN]; 2]);
        Pass { layout, roles, group: 0, active, sums, odds: 0.0 }
    }

    /// Evaluates an image of a sample.
    fn forward(&mut self, weights: &[f32], sample: &Sample, image: &Image) {
        let layout = self.layout;
        let own_role = sample.role;
        self.roles = [own_role, own_role.other()];
        self.group = own_role.group(sample.own.count_ones(), sample.enemy.count_ones());
        for view in 0..2 {
            let active = &mut self.active[view];
            active.clear();
            for (kind, mut stones) in [sample.own, sample.enemy].into_iter().enumerate() {
                while stones != 0 {
                    let point = image[stones.trailing_zeros() as usize] as usize;
                    active.push(layout.input(self.roles[view], kind ^ view, point));
                    stones &= stones - 1;
                }
            }
            let sums = &mut self.sums[view];
            *sums = *row(weights, layout.bias(self.roles[view]));
            for &at in active.iter() {
                let weights = row(weights, at);
                for index in 0..HIDDEN {
                    sums[index] += weights[index];
                }
            }
        }
        let mut parts = [0.0; LANES];
        for view in 0..2 {
            let weights = row(weights, layout.output(own_role, self.group) + view * HIDDEN);
            for (index, (&sum, &weight)) in self.sums[view].iter().zip(weights).enumerate() {
                let hidden = sum.clamp(0.0, 1.0);
                parts[index % LANES] += hidden * hidden * weight;
            }
        }
        self.odds = parts.iter().sum::<f32>() + weights[layout.output_bias(own_role, self.group)];
    }

    /// Adds the gradient of the loss, given its `derivative` by the odds.
    fn backward(&self, weights: &[f32], gradient: &mut [f32], derivative: f32) {
        let layout = self.layout;
        gradient[layout.output_bias(self.roles[0], self.group)] += derivative;
        for view in 0..2 {
            let at = layout.output(self.roles[0], self.group) + view * HIDDEN;
            let outputs = row(weights, at);
            let mut back = [0.0; HIDDEN];
            let to_outputs = row_mut(gradient, at);
            for index in 0..HIDDEN {
                let sum = self.sums[view][index];
                let hidden = sum.clamp(0.0, 1.0);
                to_outputs[index] += derivative * hidden * hidden;
                let inside = if sum > 0.0 && sum < 1.0 { 1.0 } else { 0.0 };
                back[index] = 2.0 * derivative * outputs[index] * hidden * inside;
            }
            for &at in self.active[view].iter().chain([&layout.bias(self.roles[view])]) {
                let to_inputs = row_mut(gradient, at);
                for index in 0..HIDDEN {
                    to_inputs[index] += back[index];
                }
            }
        }
    }
}

/// The number of parallel sums, so that the compiler can add several at once in a fixed order.
const LANES: usize = 16;

/// A batch is divided into this many parts, each with a gradient of its own, so that the sums do
/// not depend on the number of threads.
const PARTS: usize = 8;

fn row(numbers: &[f32], at: usize) -> &Row {
    numbers[at..].first_chunk().expect("rows lie within the numbers")
}

fn row_mut(numbers: &mut [f32], at: usize) -> &mut Row {
    numbers[at..].first_chunk_mut().expect("rows lie within the numbers")
}

/// The image of each point under a symmetry.
type Image = [u8; MAX_POINTS];

/// The images of the points of a board under its symmetries.
fn images(board: BoardSize) -> Vec<Image> {
    let symmetries = Symmetries::new(board);
    let image = |symmetry| {
        let mut image = [0; MAX_POINTS];
        for (point, to) in image.iter_mut().enumerate().take(board.points()) {
            *to = symmetries.image(symmetry, 1 << point).trailing_zeros() as u8;
        }
        image
    };
    (0..symmetries.count()).map(image).collect()
}

/// The optimizer Adam (Kingma and Ba, 2015) with its weights.
struct Adam {
    layout: Layout,
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(layout: Layout, random: &mut impl Rng) -> Adam {
        let mut weights = vec![0.0; layout.parameters()];
        for role in Role::ALL {
            let role = &mut weights[layout.bias(role)..][..layout.role()];
            let (inputs, outputs) = role.split_at_mut(layout.inputs());
            let (biases, inputs) = inputs.split_at_mut(HIDDEN);
            biases.fill(0.25);
            inputs.fill_with(|| random.random_range(-0.12..0.12));
            outputs.fill_with(|| random.random_range(-0.2..0.2));
        }
        Adam::with(layout, weights)
    }

    /// Begins with the weights of a file, given as its numbers.
    fn from_numbers(layout: Layout, rows: &[i16], biases: &[i32]) -> Adam {
        let rows =
            rows.iter().enumerate().map(|(index, &number)| f32::from(number) / layout.unit(index));
        let biases = biases.iter().map(|&bias| bias as f32 / BIAS_UNIT);
        Adam::with(layout, rows.chain(biases).collect())
    }

    fn with(layout: Layout, weights: Vec<f32>) -> Adam {
        let zeros = || vec![0.0; layout.parameters()];
        Adam { layout, weights, mean: zeros(), square: zeros(), steps: 0 }
    }

    /// Takes a step along the gradient, a sum over this many samples in several parts, and clears
    /// it.
    fn step(&mut self, rate: f32, samples: usize, gradients: &mut [Vec<f32>]) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        self.steps += 1;
        let mean_part = 1.0 - power(MEAN, self.steps);
        let square_part = 1.0 - power(SQUARE, self.steps);
        let scale = 1.0 / samples as f32;
        let (first, rest) = gradients.split_first_mut().expect("there are parts");
        for part in rest {
            for (sum, number) in first.iter_mut().zip(part) {
                *sum += std::mem::take(number);
            }
        }
        let most_input = MAX_INPUT as f32 / ONE as f32;
        let most_output = MAX_OUTPUT as f32 / OUTPUT_ONE as f32;
        for (index, sum) in first.iter_mut().enumerate() {
            let gradient = std::mem::take(sum) * scale;
            let mean = MEAN * self.mean[index] + (1.0 - MEAN) * gradient;
            let square = SQUARE * self.square[index] + (1.0 - SQUARE) * gradient * gradient;
            (self.mean[index], self.square[index]) = (mean, square);
            let step = rate * (mean / mean_part) / ((square / square_part).sqrt() + 1e-8);
            let most = if index >= self.layout.rows() {
                f32::INFINITY
            } else if index % self.layout.role() < self.layout.inputs() {
                most_input
            } else {
                most_output
            };
            self.weights[index] = (self.weights[index] - step).clamp(-most, most);
        }
    }
}

/// A power by multiplications only, which gives the same result on every machine.
fn power(base: f32, exponent: i32) -> f32 {
    let mut power = 1.0f64;
    let mut square = f64::from(base);
    let mut exponent = exponent;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    power as f32
}

/// Trains weights on some samples of a board size and validates them on others; returns the bytes of
/// a file of weights. It begins with random weights, or with those of a file for the same board, given as
/// its [numbers](network::numbers): what has no samples stays as it is there. It uses all processors, and
/// their number does not change the result.
pub fn train(
    board: BoardSize,
    from: Option<(&[i16], &[i32])>,
    samples: &[Sample],
    validation: &[Sample],
    schedule: &TrainingSchedule,
    mut watch: impl FnMut(EpochReport),
) -> Vec<u8> {
    let (images, layout) = (images(board), Layout { points: board.points() });
    let mut random = ChaCha8Rng::seed_from_u64(schedule.seed);
    let mut adam = match from {
        Some((rows, biases)) => Adam::from_numbers(layout, rows, biases),
        None => Adam::new(layout, &mut random),
    };
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut gradients = vec![vec![0.0f32; layout.parameters()]; PARTS];
    let size = schedule.batch.max(1);
    let batches = samples.len().div_ceil(size) as f32 * schedule.epochs as f32;
    let mut done = 0.0;
    for epoch in 1..=schedule.epochs {
        for last in (1..order.len()).rev() {
            order.swap(last, random.random_range(0..=last));
        }
        let mut squares = 0.0f64;
        for batch in order.chunks(size) {
            let count = images.len() as u8;
            let chosen: Vec<(u32, u8)> =
                batch.iter().map(|&index| (index, random.random_range(0..count))).collect();
            squares += in_parts(&chosen, &mut gradients, |part, gradient| {
                let mut pass = Pass::new(layout);
                let mut squares = 0.0f64;
                for &(index, image) in part {
                    let sample = &samples[index as usize];
                    pass.forward(&adam.weights, sample, &images[usize::from(image)]);
                    let probability = sigmoid(pass.odds);
                    let residual = probability - target(sample, schedule.search);
                    squares += f64::from(residual * residual);
                    let derivative = 2.0 * residual * probability * (1.0 - probability);
                    pass.backward(&adam.weights, gradient, derivative);
                }
                squares
            });
            let cosine = libm::cosf(std::f32::consts::PI * done / batches);
            let rate = schedule.rate * (0.01 + 0.495 * (1.0 + cosine));
            adam.step(rate, batch.len(), &mut gradients);
            done += 1.0;
        }
        let validation_squares = in_parts(validation, &mut gradients, |part, _| {
            let mut pass = Pass::new(layout);
            let residual = |sample| {
                pass.forward(&adam.weights, sample, &images[0]);
                let residual = sigmoid(pass.odds) - target(sample, schedule.search);
                f64::from(residual * residual)
            };
            part.iter().map(residual).sum()
        });
        watch(EpochReport {
            epoch,
            training_error: (squares / samples.len().max(1) as f64) as f32,
            validation_error: (validation_squares / validation.len().max(1) as f64) as f32,
        });
    }
    let rows: Vec<i16> = adam.weights[..layout.rows()]
        .iter()
        .enumerate()
        .map(|(index, &weight)| (weight * layout.unit(index)).round() as i16)
        .collect();
    let biases: Vec<i32> = adam.weights[layout.rows()..]
        .iter()
        .map(|&bias| (bias * BIAS_UNIT).round() as i32)
        .collect();
    network::file(board, &rows, &biases)
}

/// Applies a function to each of [`PARTS`] parts of a list, with the part's gradient, on all
/// processors; returns the sum of the results, in the order of the parts.
fn in_parts<T: Sync>(
    list: &[T],
    gradients: &mut [Vec<f32>],
    work: impl Fn(&[T], &mut [f32]) -> f64 + Sync,
) -> f64 {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(PARTS);
    let part = list.len().div_ceil(PARTS).max(1);
    let mut parts: Vec<(&[T], &mut Vec<f32>)> = list.chunks(part).zip(gradients).collect();
    let share = parts.len().div_ceil(threads).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let of_share = |parts: &mut [(&[T], &mut Vec<f32>)]| -> Vec<f64> {
            parts.iter_mut().map(|(part, gradient)| work(part, gradient)).collect()
        };
        let threads: Vec<_> =
            parts.chunks_mut(share).map(|parts| scope.spawn(move || of_share(parts))).collect();
        let sums = threads.into_iter().flat_map(|thread| thread.join().expect("no part panics"));
        sums.sum()
    })
}

/// The mean squared error of the integer network on samples.
pub fn error(network: &Network, samples: &[Sample], schedule: &TrainingSchedule) -> f32 {
    let squares: f64 = samples
        .iter()
        .map(|sample| {
            let value = network.value(&sample.position(network.board()));
            let residual = sigmoid(value as f32 / SCALE as f32) - target(sample, schedule.search);
            f64::from(residual * residual)
        })
        .sum();
    (squares / samples.len().max(1) as f64) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_endgames::Outcome;

    /// Boards of random stones, won by the side with more of them.
    fn samples(count: usize, seed: u64) -> Vec<Sample> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut sample = || {
            let (own, enemy): (u64, u64) = (random.random(), random.random());
            let mask: u64 = random.random::<u64>() & ((1 << MAX_POINTS) - 1);
            let (own, enemy) = (own & mask, enemy & mask & !own);
            let result = match own.count_ones().cmp(&enemy.count_ones()) {
                std::cmp::Ordering::Less => Outcome::Loss,
                std::cmp::Ordering::Equal => Outcome::Draw,
                std::cmp::Ordering::Greater => Outcome::Win,
            };
            let role = Role::Riatra;
            Sample { own, enemy, role, result, exact: true, capture: false, score: 0, plies: 0 }
        };
        (0..count).map(|_| sample()).collect()
    }

    #[test]
    fn the_error_falls_and_the_same_seed_makes_the_same_bytes() {
        let (training, validation) = (samples(3000, 1), samples(500, 2));
        let schedule =
            TrainingSchedule { epochs: 4, batch: 64, rate: 0.001, ..TrainingSchedule::default() };
        let run = |schedule: &TrainingSchedule| {
            let mut errors = Vec::new();
            let file =
                train(BoardSize::TSIVY, None, &training, &validation, schedule, |progress| {
                    errors.push(progress)
                });
            (file, errors)
        };
        let (file, errors) = run(&schedule);
        assert_eq!(errors.iter().map(|progress| progress.epoch).collect::<Vec<_>>(), [1, 2, 3, 4]);
        let (first, last) = (errors[0], errors[3]);
        assert!(
            last.training_error < first.training_error
                && last.validation_error < first.validation_error,
            "{errors:?}"
        );
        // Always guessing a draw has an error of a quarter.
        assert!(last.validation_error < 0.05, "{errors:?}");
        assert!(run(&schedule) == (file.clone(), errors), "the same seed");
        assert!(run(&TrainingSchedule { seed: 2, ..schedule.clone() }).0 != file, "another seed");

        let network = Network::read(&file).expect("what was written is read");
        let rounded = error(&network, &validation, &schedule);
        assert!((rounded - last.validation_error).abs() < 0.002, "{rounded} {last:?}");
    }

    #[test]
    fn weights_without_samples_stay() {
        let board = BoardSize::TSIVY;
        let shipped = include_bytes!("../../src/evaluation/tsivy.network");
        let (_, rows, biases) = network::numbers(shipped).expect("weights");
        let from = Some((&rows[..], &biases[..]));
        let schedule = TrainingSchedule { epochs: 1, batch: 64, ..TrainingSchedule::default() };
        assert!(train(board, from, &[], &[], &schedule, |_| {}) == shipped, "no samples at all");

        let settled = |sample| Sample { role: Role::Settled, ..sample };
        let training: Vec<Sample> = samples(300, 7).into_iter().map(settled).collect();
        let file = train(board, from, &training, &training, &schedule, |_| {});
        let (_, rows_after, biases_after) = network::numbers(&file).expect("weights");
        let layout = Layout { points: board.points() };
        let (changed, kept) = (layout.bias(Role::Settled), layout.output_bias(Role::Settled, 0));
        let kept = kept - layout.rows();
        assert!(rows[..changed] == rows_after[..changed] && biases[..kept] == biases_after[..kept]);
        assert!(rows[changed..] != rows_after[changed..] && biases[kept..] != biases_after[kept..]);
    }

    #[test]
    fn the_gradient_matches_finite_differences() {
        let samples = samples(8, 3);
        let schedule = TrainingSchedule::default();
        let (images, layout) = (images(BoardSize::TSIVY), Layout { points: MAX_POINTS });
        let adam = Adam::new(layout, &mut ChaCha8Rng::seed_from_u64(4));
        let mut pass = Pass::new(layout);
        let square = |weights: &[f32], pass: &mut Pass| -> f32 {
            let mut sum = 0.0;
            for sample in &samples {
                pass.forward(weights, sample, &images[1]);
                let residual = sigmoid(pass.odds) - target(sample, schedule.search);
                sum += residual * residual;
            }
            sum
        };
        let mut gradient = vec![0.0; layout.parameters()];
        for sample in &samples {
            pass.forward(&adam.weights, sample, &images[1]);
            let probability = sigmoid(pass.odds);
            let residual = probability - target(sample, schedule.search);
            let derivative = 2.0 * residual * probability * (1.0 - probability);
            pass.backward(&adam.weights, &mut gradient, derivative);
        }
        let group = Role::Riatra.group(samples[0].own.count_ones(), samples[0].enemy.count_ones());
        for at in [
            layout.bias(Role::Riatra) + 3,
            layout.input(Role::Riatra, 0, samples[0].own.trailing_zeros() as usize) + 1,
            layout.input(Role::Riatra, 1, 22) + 7,
            layout.output(Role::Riatra, group) + 5,
            layout.output(Role::Riatra, group) + HIDDEN + 5,
            layout.output_bias(Role::Riatra, group),
        ] {
            let around = [-0.01, 0.01].map(|change| {
                let mut weights = adam.weights.clone();
                weights[at] += change;
                square(&weights, &mut pass)
            });
            let derivative = (around[1] - around[0]) / 0.02;
            assert!(
                (derivative - gradient[at]).abs() < 0.01,
                "{at}: {derivative} {}",
                gradient[at]
            );
        }
    }

    #[test]
    fn images_are_symmetries() {
        let corners = |board: BoardSize| {
            let first = |image: &Image| image[0];
            images(board).iter().map(first).collect::<Vec<_>>()
        };
        assert_eq!(corners(BoardSize::TSIVY), [0, 8, 36, 44]);
        assert_eq!(corners(BoardSize::DIMY), [0, 4, 20, 24, 0, 20, 4, 24]);
        for board in BoardSize::all() {
            for image in images(board) {
                let mut points = image[..board.points()].to_vec();
                points.sort_unstable();
                assert!(points.iter().enumerate().all(|(index, &point)| index == point as usize));
            }
            let all = images(board);
            let through = |first: &Image, then: &Image| -> Vec<u8> {
                first[..board.points()].iter().map(|&point| then[point as usize]).collect()
            };
            let [same, mirrored, flipped, turned] = all[..4] else { panic!("{board}") };
            for image in [same, mirrored, flipped, turned] {
                assert_eq!(through(&image, &image), same[..board.points()], "{board}");
            }
            assert_eq!(through(&mirrored, &flipped), turned[..board.points()], "{board}");
            // Lines of the board stay lines: neighbours in a row or column have neighbours as images.
            let place = |point: u8| {
                let point = usize::from(point);
                (point % board.columns(), point / board.columns())
            };
            for image in &all {
                for (one, other) in (0..board.points()).zip(1..board.points()) {
                    if other % board.columns() > 0 {
                        let (one, other) = (place(image[one]), place(image[other]));
                        assert_eq!(one.0.abs_diff(other.0) + one.1.abs_diff(other.1), 1, "{board}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_network_is_for_the_board_of_its_samples() {
        let board = BoardSize::TELO;
        let mask = (1 << board.points()) - 1;
        let small = |seed| {
            let of = |sample: Sample| {
                let (own, enemy) = (sample.own & mask, sample.enemy & mask);
                let more = own.count_ones() > enemy.count_ones();
                Sample {
                    own,
                    enemy,
                    result: if more { Outcome::Win } else { Outcome::Loss },
                    ..sample
                }
            };
            samples(2000, seed).into_iter().map(of).collect::<Vec<_>>()
        };
        let schedule =
            TrainingSchedule { epochs: 4, batch: 64, rate: 0.001, ..TrainingSchedule::default() };
        let file = train(board, None, &small(5), &small(6), &schedule, |_| {});
        let network = Network::read(&file).unwrap();
        assert_eq!(network.board(), board);
        assert!(network.value(&"3/1b1/WWW w".parse().unwrap()) > 100);
        assert!(network.value(&"3/1b1/WWW b".parse().unwrap()) < -100);
    }
}
