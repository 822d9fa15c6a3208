//! The weights of the hand-written evaluation, written by `training handwritten`. The games it
//! learned them from are in `bots/training/TRAINING.md`. Each line has the weights of a term by
//! phase, in hundredths of a stone.

use super::weight::Weight;

/// The weights of the terms of riatra, from few stones to many.
#[rustfmt::skip]
pub(super) const RIATRA: [Weight; 10] = [
    [  153,    89,   119,   118,   119], // more stones, as 20 times the share of all
    [  -28,     9,     3,     9,     8], // more steps to empty points
    [   33,    25,    10,     4,    -6], // more stones that cannot move
    [  113,    11,    30,    -4,   -15], // more stones on strong points
    [ -126,   -41,   -69,   -19,   -21], // more stones at the edge
    [ -104,   -33,   -24,    -4,    -8], // more stones in corners
    [  -84,    -3,   -23,   -11,   -17], // more pairs of neighbours
    [ -215,  -107,    13,    36,    36], // enemy stones that could capture
    [  -33,   -28,   -85,   -99,   -98], // enemy captures that could go on
    [   47,     5,    30,    30,    36], // being to move
];

/// The weights of the terms of the first phase of vela, from its end to its beginning.
#[rustfmt::skip]
pub(super) const DEBT: [Weight; 16] = [
    [  153,   125,   128,   129,   116], // debtor's stones more than the creditor will have left, as 20 times the share of both
    [   12,    10,    10,    10,     9], // one
    [    6,     5,    -7,     3,     0], // debtor's steps to empty points
    [  -30,   -12,    -4,   -15,   -31], // creditor's steps to empty points
    [    8,    20,     4,     4,    15], // debtor's stones that cannot move
    [  -21,     3,    10,    17,     2], // creditor's stones that cannot move
    [  -88,   -32,    27,    51,    57], // debtor's stones on strong points
    [   47,    32,    46,    19,     9], // creditor's stones on strong points
    [  -30,   -40,   -48,   -25,   -19], // debtor's stones at the edge
    [   12,    24,    50,    76,    95], // creditor's stones at the edge
    [   -5,   -22,   -34,   -46,   -39], // debtor's pairs of neighbours
    [   -8,    -7,   -16,   -24,   -33], // creditor's pairs of neighbours
    [   95,    60,    41,    71,    67], // debtor's stones that can capture
    [  -15,    -2,     7,    -4,    18], // creditor's stones that could capture
    [  -30,    -4,    -6,     3,    27], // creditor's captures that could go on
    [   22,     3,    -5,    33,    49], // debtor to move, or minus one
];
