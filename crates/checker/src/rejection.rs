//! What can be wrong with a certificate: one value per fault, with its place in the JSON.

/// Why a certificate was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// The input is not a certificate (exit code 2).
    #[error("{place}: {fault}")]
    Malformed {
        /// Where: a path into the JSON such as `hypotheses[2]`, else a line and column, else a
        /// file.
        place: String,
        /// What is wrong.
        fault: Malformed,
    },
    /// The input is a certificate, but it does not prove its claim (exit code 1).
    #[error("{place}: {fault}")]
    Unproved {
        /// A path into the JSON such as `upper.states[17][3]`.
        place: String,
        /// The first step of the proof that fails.
        fault: Unproved,
    },
}

impl Rejection {
    /// A fault of form at `place`.
    pub(super) fn malformed(place: impl Into<String>, fault: Malformed) -> Self {
        Self::Malformed { place: place.into(), fault }
    }

    /// A fault of the proof at `place`.
    pub(super) fn unproved(place: impl Into<String>, fault: Unproved) -> Self {
        Self::Unproved { place: place.into(), fault }
    }
}

/// Faults of form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// The file cannot be read.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// The operating system's reason.
        reason: String,
    },
    /// Not JSON, or not the keys and types of this kind of certificate.
    #[error("{reason}")]
    Json {
        /// The parser's reason.
        reason: String,
    },
    /// A version of the format that this verifier does not know.
    #[error("expected format {expected}, found {found}")]
    Format {
        /// The version it knows.
        expected: u64,
        /// The version found.
        found: u64,
    },
    /// A kind of certificate that this verifier does not know.
    #[error("expected a kind among {}, found `{found}`", known.join(", "))]
    Kind {
        /// The kinds it knows.
        known: Vec<&'static str>,
        /// The kind found.
        found: String,
    },
    /// A hypothesis with too few or too many labels, or a list of names of the wrong length.
    #[error("expected {expected} {what}, found {found}")]
    Length {
        /// What is counted.
        what: &'static str,
        /// The number that the rest of the certificate asks for.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A label other than 0 and 1.
    #[error("expected labels 0 and 1, found `{found}`")]
    Label {
        /// The character found.
        found: char,
    },
    /// A point or a hypothesis that is listed twice.
    #[error("is the same as {first}")]
    Repeated {
        /// The place of the first occurrence.
        first: String,
    },
    /// A claim that would say nothing.
    #[error("claims nothing")]
    NothingClaimed,
    /// A bound below −1, which no class has.
    #[error("expected a bound of at least -1, found {found}")]
    BoundBelowRange {
        /// The bound found.
        found: i32,
    },
    /// A proof of something that is not claimed.
    #[error("expected null, as the claim needs no such proof")]
    NotClaimed,
    /// Something other than what the rules ask for.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the rules ask for.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A text that is not a number.
    #[error("`{text}` is not a number of a certificate: {reason}")]
    Number {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A question that does not fit the mechanism.
    #[error("{reason}")]
    Unfit {
        /// Why.
        reason: &'static str,
    },
    /// A side other than 0 and 1.
    #[error("expected side 0 or 1, found {found}")]
    Side {
        /// The number found.
        found: u8,
    },
}

/// Faults of a proof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unproved {
    /// Something is claimed and no proof of it is given.
    #[error("expected a proof of the claim, found null")]
    NoProof,
    /// The shattered tree has another depth than the claim.
    #[error("expected depth {claimed} as claimed, found {found}")]
    Depth {
        /// The bound that is claimed.
        claimed: i32,
        /// The depth of the tree.
        found: u32,
    },
    /// The lists of the tree are not those of a complete binary tree.
    #[error(
        "expected 2^{depth} - 1 points and 2^{depth} leaves, found {points} points and {leaves} leaves"
    )]
    TreeSize {
        /// The depth of the tree.
        depth: u32,
        /// Number of points found.
        points: usize,
        /// Number of leaves found.
        leaves: usize,
    },
    /// An index that is too large.
    #[error("expected an index below {count}, found {found}")]
    NoSuchIndex {
        /// Number of items there are.
        count: usize,
        /// The index found.
        found: usize,
    },
    /// A hypothesis that leaves the path to its leaf.
    #[error(
        "hypothesis {hypothesis} does not realise its path: expected label {expected} at point {point} (node {node}), found {found}"
    )]
    PathNotRealised {
        /// The index of the hypothesis.
        hypothesis: usize,
        /// The inner node where it leaves the path.
        node: usize,
        /// The index of that node's point.
        point: usize,
        /// The label of the path.
        expected: u8,
        /// The label of the hypothesis.
        found: u8,
    },
    /// An upper bound of −1 on a class that has hypotheses.
    #[error("expected no hypothesis under the claim that Ldim is at most -1, found {found}")]
    NotEmpty {
        /// Number of hypotheses.
        found: usize,
    },
    /// A refutation without its first state.
    #[error("expected at least one state, found none")]
    NoState,
    /// A state that no earlier state refers to.
    #[error("no earlier state refers to this state")]
    Unreferenced,
    /// A column that needs an entry has none.
    #[error("expected an entry for column {column}, found no further entry")]
    MissingEntry {
        /// The column.
        column: usize,
    },
    /// An entry for a column that needs none, or more entries than columns that need one.
    #[error("expected no further entry, found one for column {found}")]
    SurplusEntry {
        /// The column of the entry.
        found: usize,
    },
    /// An entry out of order, or for a column that needs none.
    #[error("expected an entry for column {expected}, found one for column {found}")]
    OtherColumn {
        /// The next column that needs an entry.
        expected: usize,
        /// The column of the entry.
        found: usize,
    },
    /// An entry that leaves to the verifier what is too large for it.
    #[error(
        "expected a child, as only bounds up to {greatest} may be left open, found null for bound {bound}"
    )]
    ChildNeeded {
        /// The greatest bound that may be left open.
        greatest: u32,
        /// The bound of the child.
        bound: u32,
    },
    /// A child that is not a later state.
    #[error("expected a child after state {state} and below {count}, found {found}")]
    NoSuchChild {
        /// The state that refers to the child.
        state: usize,
        /// Number of states.
        count: usize,
        /// The index found.
        found: usize,
    },
    /// A child that stands for another bound.
    #[error("expected a child with bound {expected}, but state {child} has bound {found}")]
    OtherBound {
        /// The index of the child.
        child: usize,
        /// The bound that this entry needs.
        expected: u32,
        /// The bound under which the child was first referred to.
        found: u32,
    },
    /// A child that stands for another class.
    #[error("child {child} has another matrix")]
    OtherMatrix {
        /// The index of the child.
        child: usize,
    },
    /// An entry without a child whose side is not small enough.
    #[error(
        "expected a side of dimension below {bound}, but side {side} of column {column} shatters a tree of that depth"
    )]
    SideTooLarge {
        /// The column.
        column: usize,
        /// The side.
        side: u8,
        /// The bound that its dimension reaches.
        bound: u32,
    },
    /// Two streams that are not neighbours.
    #[error("the two streams are not neighbours")]
    NotNeighbours,
    /// A stream that no hypothesis of the class fits.
    #[error("no hypothesis of the class fits the stream")]
    NotRealisable,
    /// A number that is not the one that the automaton gives.
    #[error("expected {recomputed} as recomputed from the automaton, found {found}")]
    OtherNumber {
        /// What the automaton gives.
        recomputed: String,
        /// What is claimed.
        found: String,
    },
    /// A witness that does not refute.
    #[error("expected P - e^ε·Q above {delta}, found {divergence}")]
    NotRefuted {
        /// P − e^ε·Q for the probabilities of the event.
        divergence: String,
        /// The δ that it should exceed.
        delta: String,
    },
    /// Two streams with a divergence above the bound.
    #[error(
        "expected no divergence above {bound}, found {divergence} between {first} and {second}"
    )]
    DivergenceAbove {
        /// The bound that is claimed.
        bound: String,
        /// The divergence.
        divergence: String,
        /// The stream under which the outputs are more likely.
        first: String,
        /// The other stream.
        second: String,
    },
    /// A worst δ above the δ that is said to hold.
    #[error("expected a worst δ of at most {delta}, found {worst}")]
    WorstAboveDelta {
        /// The δ that is said to hold.
        delta: String,
        /// The worst δ.
        worst: String,
    },
    /// Neighbouring streams where it is claimed that there are none.
    #[error("expected a pair of streams, as some are neighbours, found null")]
    PairNeeded,
    /// A fact that needs a state to show it.
    #[error("expected a state that shows {fact}, found null, and it is not evident")]
    NotEvident {
        /// The fact.
        fact: String,
    },
    /// A state that shows too little, or something else.
    #[error("expected a state that shows {expected}, but state {child} shows {found}")]
    OtherFact {
        /// The index of the state.
        child: usize,
        /// The fact that is needed.
        expected: String,
        /// The fact of the state.
        found: String,
    },
    /// A row about another subclass.
    #[error("row {child} is about another subclass")]
    OtherSubclass {
        /// The index of the row.
        child: usize,
    },
    /// A row about another depth.
    #[error("expected a row for depth {expected}, found one for depth {found}")]
    OtherDepth {
        /// The depths that would do.
        expected: String,
        /// The depth found.
        found: String,
    },
    /// A list with an item missing or too many.
    #[error("expected an item for each of {expected} {what}, found {found}")]
    ListLength {
        /// What the items are for.
        what: &'static str,
        /// Number of items needed.
        expected: usize,
        /// Number of items found.
        found: usize,
    },
    /// A leaf of a tree without its dimension.
    #[error("expected the dimension of this leaf, found no further leaf")]
    NoLeafProof,
    /// More examples than k.
    #[error("expected at most {k} examples, found {found}")]
    TooManyExamples {
        /// k.
        k: u64,
        /// The number found.
        found: usize,
    },
    /// A list of nodes that ends before its tree does.
    #[error("expected the list to go on, as {open} subtrees are missing")]
    TreeUnfinished {
        /// Number of subtrees without a root.
        open: usize,
    },
    /// A node after the end of the tree.
    #[error("expected no further node, as the tree is complete")]
    SurplusNode,
    /// A node or leaf below the depth that Definition 8 allows it.
    #[error(
        "expected a {what} of dimension {dimension} at depth at most {bound}, found depth {found}"
    )]
    DepthAbove {
        /// `node` or `leaf`.
        what: &'static str,
        /// The dimension of its class.
        dimension: i32,
        /// The greatest depth.
        bound: String,
        /// The depth found.
        found: String,
    },
    /// A leaf of a dimension above the claim.
    #[error("expected a leaf of dimension at most {bound}, found dimension {found}")]
    LeafAbove {
        /// The bound that is claimed.
        bound: i32,
        /// The dimension found.
        found: i32,
    },
    /// An optimal tree that does not avoid the function it is said to avoid.
    #[error("expected tree {tree} to avoid the function, but a leaf of it has that SOA")]
    NotAvoided {
        /// The index of the tree.
        tree: usize,
    },
    /// Functions that are not those of the tree.
    #[error(
        "expected the essential and the excluded functions to be {expected}, the SOAs of the leaves of dimension ρ, found {found}"
    )]
    OtherFunctions {
        /// The SOAs of the tree.
        expected: String,
        /// Those that are listed.
        found: String,
    },
    /// A tree that no exclusion uses.
    #[error("expected an excluded function that this tree avoids")]
    UnusedTree,
    /// A stream with more mistakes than any is said to have.
    #[error("expected no more than {bound} mistakes, found {mistakes} on {stream}")]
    MistakesAbove {
        /// What is claimed.
        bound: String,
        /// The expected number of mistakes.
        mistakes: String,
        /// The stream.
        stream: String,
    },
    /// A lower bound above what the adversary proves.
    #[error("expected a bound of at most {found}, which the adversary proves, found {bound}")]
    BoundBelow {
        /// What is claimed.
        bound: String,
        /// What is proved.
        found: String,
    },
    /// A table in which an output depends on what comes after it.
    #[error(
        "expected outputs up to round {round} that do not depend on later examples; {history} differs"
    )]
    NotCausal {
        /// The round.
        round: usize,
        /// A history whose law differs from that of an earlier one.
        history: String,
    },
    /// A table that is not private.
    #[error("expected a δ of at most {delta} between {pair}, found {found}")]
    TableNotPrivate {
        /// A history and its neighbour.
        pair: String,
        /// Their divergence.
        found: String,
        /// δ.
        delta: String,
    },
}
