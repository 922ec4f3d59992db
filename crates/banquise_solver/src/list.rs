//! Lists whose memory is kept for the next one.
//!
//! A solver needs dozens of small lists for each problem, and there are thousands of problems in a second. Memory of a list
//! that is dropped goes back to a shelf of its thread, from which the next one takes it: once the largest problems have been met, solving one
//! asks the system for nothing.

use std::cell::RefCell;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::thread::LocalKey;

use serde::{Serialize, Serializer};

use crate::blocks::Block;
use crate::problem::Body;
use crate::states::State;

/// Boards of a shelf: lists with room for 64, for twice as many, and so on. What is larger is not kept: its problem takes so long that asking
/// for memory does not matter.
const BOARDS: usize = 15;
const LEAST_ROOM: usize = 64;
/// Lists kept on a board.
const MAX_KEPT: usize = 1024;

/// Empty lists of one type, by their room.
pub type Shelf<T> = RefCell<[Vec<Vec<T>>; BOARDS]>;

/// What lists may hold.
pub trait Shelved: Sized + 'static {
    /// The shelf of this thread.
    fn shelf() -> &'static LocalKey<Shelf<Self>>;
}

/// The board of lists with room for so many, a power of two.
fn board(room: usize) -> usize {
    (room / LEAST_ROOM).max(1).ilog2() as usize
}

macro_rules! shelved {
    ($($name:ty),+ $(,)?) => {$(
        impl Shelved for $name {
            fn shelf() -> &'static LocalKey<Shelf<Self>> {
                thread_local! {
                    static SHELF: Shelf<$name> = const { RefCell::new([const { Vec::new() }; BOARDS]) };
                }
                &SHELF
            }
        }
    )+};
}

shelved! {
    f64, usize, u32, bool, [f64; 2], [usize; 2], Block, State, Body,
    (usize, usize), (usize, f64), (usize, usize, f64), (usize, usize, Block),
    crate::homotopy::Update, crate::interior::Side, (crate::lcp::Basic, f64),
}

/// A list: what a `Vec` is, but for where its memory comes from and goes to.
pub struct List<T: Shelved>(Vec<T>);

impl<T: Shelved> List<T> {
    /// An empty list.
    pub fn new() -> Self {
        Self::with_room(LEAST_ROOM)
    }

    /// An empty list with room for so many.
    pub fn with_room(length: usize) -> Self {
        let room = length.next_power_of_two().max(LEAST_ROOM);
        let take = |shelf: &Shelf<T>| shelf.borrow_mut().get_mut(board(room))?.pop();
        let kept = T::shelf().try_with(take).ok().flatten();
        Self(kept.unwrap_or_else(|| Vec::with_capacity(room)))
    }

    /// The same value a number of times.
    pub fn of(value: T, count: usize) -> Self
    where
        T: Clone,
    {
        let mut list = Self::with_room(count);
        list.0.resize(count, value);
        list
    }

    /// The values of a slice.
    pub fn copy_of(values: &[T]) -> Self
    where
        T: Clone,
    {
        let mut list = Self::with_room(values.len());
        list.0.extend_from_slice(values);
        list
    }

    /// Makes the list longer, with the same value a number of times.
    pub fn lengthen(&mut self, length: usize, value: T)
    where
        T: Clone,
    {
        self.make_room(length.saturating_sub(self.0.len()));
        self.0.resize(length, value);
    }

    /// Makes room for so many more. Where there is none, another list has it.
    pub fn make_room(&mut self, more: usize) {
        let length = self.0.len() + more;
        if length > self.0.capacity() {
            let mut longer = Self::with_room(length);
            longer.0.append(&mut self.0);
            *self = longer;
        }
    }

    /// The same as a `Vec`, which goes its own way.
    pub fn into_vec(mut self) -> Vec<T> {
        std::mem::take(&mut self.0)
    }
}

impl<T: Shelved> Drop for List<T> {
    fn drop(&mut self) {
        let mut values = std::mem::take(&mut self.0);
        values.clear();
        if values.capacity() < LEAST_ROOM {
            return;
        }
        let put = |shelf: &Shelf<T>| {
            let mut shelf = shelf.borrow_mut();
            let board = shelf.get_mut(board(values.capacity()));
            if let Some(board) = board.filter(|board| board.len() < MAX_KEPT) {
                board.push(values);
            }
        };
        // A thread that ends has no shelf any more: its lists are dropped for good.
        T::shelf().try_with(put).ok();
    }
}

impl<T: Shelved> Deref for List<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Shelved> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T: Shelved> Default for List<T> {
    /// An empty list without room.
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Shelved + Clone> Clone for List<T> {
    fn clone(&self) -> Self {
        Self::copy_of(&self.0)
    }
}

impl<T: Shelved + fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<T: Shelved + Serialize> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<T: Shelved + PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T: Shelved> From<Vec<T>> for List<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T: Shelved> FromIterator<T> for List<T> {
    fn from_iter<Values: IntoIterator<Item = T>>(values: Values) -> Self {
        let values = values.into_iter();
        let mut list = Self::with_room(values.size_hint().0);
        list.0.extend(values);
        list
    }
}

impl<'a, T: Shelved> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T: Shelved> IntoIterator for &'a mut List<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again() {
        let first = List::of(1.0, 1000);
        let place = first.as_ptr();
        drop(first);
        let second: List<f64> = (0..600).map(f64::from).collect();
        assert_eq!(second.as_ptr(), place);
        assert_eq!(second.len(), 600);
        assert_eq!(second[499], 499.0);
        let third = second.clone();
        assert_eq!(second, third);
        assert_ne!(second.as_ptr(), third.as_ptr());
    }

    #[test]
    fn a_list_has_the_room_asked_for() {
        for length in [0, 1, 63, 64, 65, 1000, 65_536, 200_000] {
            for _ in 0..2 {
                let list = List::<u32>::with_room(length);
                assert!(list.capacity() >= length);
                assert!(list.capacity() <= (2 * length).max(LEAST_ROOM));
            }
        }
        let mut list = List::of(3_u32, 50);
        list.lengthen(1000, 4);
        assert_eq!((list[49], list[50], list.len()), (3, 4, 1000));
    }
}
