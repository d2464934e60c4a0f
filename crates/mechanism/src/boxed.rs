//! Mechanisms of any state type behind one type, so that they can be chosen at run time and
//! nested in one another.

use std::cell::RefCell;
use std::fmt;
use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Interface, Law, Mechanism, Output};
use littlestone_base::error::Result;

/// A mechanism whose state type is hidden: states are numbered in the order in which they are
/// first met, equal states get one number, and every step is evaluated once.
pub struct Boxed(Box<dyn Numbered>);

impl Boxed {
    /// Hides the state type of `mechanism`.
    pub fn new<M: Mechanism + 'static>(mechanism: M) -> Self
    where
        M::State: 'static,
    {
        Self(Box::new(Numbering {
            mechanism,
            states: RefCell::default(),
            memo: RefCell::default(),
        }))
    }

    /// The law of [`Mechanism::respond`], which is not kept for later: for a search that asks once.
    ///
    /// # Errors
    /// As of [`Mechanism::respond`].
    pub fn respond_once(&self, &state: &usize, before: usize) -> Result<Law<(Output, usize)>> {
        self.0.respond_once(state, before)
    }

    /// The law of [`Mechanism::observe`], which is not kept for later.
    ///
    /// # Errors
    /// As of [`Mechanism::observe`].
    pub fn observe_once(&self, &state: &usize, after: usize) -> Result<Law<usize>> {
        self.0.observe_once(state, after)
    }
}

impl fmt::Debug for Boxed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Boxed").field(self.0.interface()).finish()
    }
}

impl Mechanism for Boxed {
    type State = usize;

    fn interface(&self) -> &Interface {
        self.0.interface()
    }

    fn start(&self) -> Result<Law<usize>> {
        self.0.start()
    }

    fn respond(&self, &state: &usize, before: usize) -> Result<Law<(Output, usize)>> {
        self.0.respond(state, before)
    }

    fn observe(&self, &state: &usize, after: usize) -> Result<Law<usize>> {
        self.0.observe(state, after)
    }

    fn finish(&self, &state: &usize) -> Result<Law<Output>> {
        self.0.finish(state)
    }

    fn rounds(&self) -> Option<usize> {
        self.0.rounds()
    }

    fn remarks(&self) -> Vec<String> {
        self.0.remarks()
    }

    fn describe(&self, &state: &usize) -> String {
        self.0.describe(state)
    }
}

/// [`Mechanism`] with numbers for states, which makes it fit for trait objects.
trait Numbered {
    fn interface(&self) -> &Interface;
    fn start(&self) -> Result<Law<usize>>;
    fn respond(&self, state: usize, before: usize) -> Result<Law<(Output, usize)>>;
    fn respond_once(&self, state: usize, before: usize) -> Result<Law<(Output, usize)>>;
    fn observe(&self, state: usize, after: usize) -> Result<Law<usize>>;
    fn observe_once(&self, state: usize, after: usize) -> Result<Law<usize>>;
    fn finish(&self, state: usize) -> Result<Law<Output>>;
    fn rounds(&self) -> Option<usize>;
    fn remarks(&self) -> Vec<String>;
    fn describe(&self, state: usize) -> String;
}

struct Numbering<M: Mechanism> {
    mechanism: M,
    states: RefCell<Interner<M::State>>,
    memo: RefCell<Memo>,
}

#[derive(Default)]
struct Memo {
    respond: FxHashMap<(usize, usize), Law<(Output, usize)>>,
    observe: FxHashMap<(usize, usize), Law<usize>>,
}

impl<M: Mechanism> Numbering<M> {
    fn state(&self, number: usize) -> M::State {
        self.states.borrow().get(number).clone()
    }

    fn number(&self, state: M::State) -> usize {
        self.states.borrow_mut().intern(state).0
    }
}

impl<M: Mechanism> Numbered for Numbering<M> {
    fn interface(&self) -> &Interface {
        self.mechanism.interface()
    }

    fn start(&self) -> Result<Law<usize>> {
        Ok(self.mechanism.start()?.map(|state| self.number(state)))
    }

    fn respond(&self, state: usize, before: usize) -> Result<Law<(Output, usize)>> {
        if let Some(law) = self.memo.borrow().respond.get(&(state, before)) {
            return Ok(law.clone());
        }
        let law = self.respond_once(state, before)?;
        self.memo.borrow_mut().respond.insert((state, before), law.clone());
        Ok(law)
    }

    fn respond_once(&self, state: usize, before: usize) -> Result<Law<(Output, usize)>> {
        let law = self.mechanism.respond(&self.state(state), before)?;
        Ok(law.map(|(output, next)| (output, self.number(next))))
    }

    fn observe(&self, state: usize, after: usize) -> Result<Law<usize>> {
        if let Some(law) = self.memo.borrow().observe.get(&(state, after)) {
            return Ok(law.clone());
        }
        let law = self.observe_once(state, after)?;
        self.memo.borrow_mut().observe.insert((state, after), law.clone());
        Ok(law)
    }

    fn observe_once(&self, state: usize, after: usize) -> Result<Law<usize>> {
        let law = self.mechanism.observe(&self.state(state), after)?;
        Ok(law.map(|next| self.number(next)))
    }

    fn finish(&self, state: usize) -> Result<Law<Output>> {
        self.mechanism.finish(&self.state(state))
    }

    fn rounds(&self) -> Option<usize> {
        self.mechanism.rounds()
    }

    fn remarks(&self) -> Vec<String> {
        self.mechanism.remarks()
    }

    fn describe(&self, state: usize) -> String {
        self.mechanism.describe(&self.state(state))
    }
}

/// Numbers values in the order in which they are first met.
pub(super) struct Interner<T> {
    values: Vec<T>,
    places: HashTable<usize>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: Vec::new(), places: HashTable::new() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// The number of `value`, and whether it is new.
    pub fn intern(&mut self, value: T) -> (usize, bool) {
        let hash = FxBuildHasher.hash_one(&value);
        let values = &self.values;
        if let Some(&place) = self.places.find(hash, |&place| values[place] == value) {
            return (place, false);
        }
        let place = self.values.len();
        self.values.push(value);
        let values = &self.values;
        self.places.insert_unique(hash, place, |&p| FxBuildHasher.hash_one(&values[p]));
        (place, true)
    }

    /// The value of that number.
    pub fn get(&self, number: usize) -> &T {
        &self.values[number]
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The values by number.
    pub fn into_values(self) -> Vec<T> {
        self.values
    }
}
