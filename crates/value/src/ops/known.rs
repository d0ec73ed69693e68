//! Answers to `\\in` that are remembered: the same parts of states are asked for again and again in sets that a
//! specification defines once, such as that of all messages.

use super::mix;
use crate::{Kind, Value};

/// Answers of one worker. Each question has one place, where the last one to come stays.
#[derive(Debug, Default)]
pub struct KnownMembers {
    /// Empty until the first answer.
    answers: Vec<Answer>,
}

/// The words of an element and of a set, and whether the one is in the other. Nothing has the word 0.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    element: u64,
    set: u64,
    is_member: bool,
}

const LEN_LOG2: u32 = 12;

/// A question whose answer is the same forever, with its place.
#[derive(Clone, Copy)]
pub(super) struct Question {
    element: u64,
    set: u64,
}

impl Question {
    /// Returns the question whether the element is in the set, if it takes long to answer and the answer never changes:
    /// the element is one of those of states, the set is a constant that is not listed, and neither goes away.
    #[inline]
    pub fn new(element: Value<'_>, set: Value<'_>) -> Option<Question> {
        let lasts = element.is_interned() && set.object().is_some_and(|object| object.is_frozen());
        (lasts && is_costly(set.kind())).then(|| Question { element: element.word(), set: set.word() })
    }

    #[inline]
    fn place(self) -> usize {
        (mix(self.set, self.element) >> (u64::BITS - LEN_LOG2)) as usize
    }
}

/// Whether membership is found by looking into the parts of the element.
fn is_costly(kind: Kind) -> bool {
    match kind {
        Kind::Powerset | Kind::KSubsets | Kind::FunctionSet | Kind::RecordSet | Kind::Product => true,
        Kind::Filter | Kind::Cup | Kind::Cap | Kind::Difference | Kind::Union | Kind::Sequences => true,
        Kind::Boolean | Kind::Integer | Kind::String | Kind::ModelValue | Kind::Sequence => false,
        Kind::Record | Kind::Function | Kind::LazyFunction | Kind::Set | Kind::Interval => false,
        Kind::Naturals | Kind::Integers | Kind::Reals | Kind::Strings | Kind::Anything => false,
    }
}

impl KnownMembers {
    #[inline]
    pub(super) fn find(&self, question: Question) -> Option<bool> {
        let answer = self.answers.get(question.place())?;
        (answer.element == question.element && answer.set == question.set).then_some(answer.is_member)
    }

    pub(super) fn keep(&mut self, question: Question, is_member: bool) {
        if self.answers.is_empty() {
            self.answers.resize(1 << LEN_LOG2, Answer::default());
        }
        let Question { element, set } = question;
        self.answers[question.place()] = Answer { element, set, is_member };
    }
}

#[cfg(test)]
mod tests {
    use super::{KnownMembers, Question};
    use crate::{Closure, Constant, Host, OpResult, Plain, Region, Value, ops};

    struct Remembering<'r> {
        region: &'r Region,
        known: KnownMembers,
    }

    impl<'r> Host<'r> for Remembering<'r> {
        fn region(&self) -> &'r Region {
            self.region
        }

        fn call(&mut self, closure: Closure<'r>, args: &[Value<'r>]) -> OpResult<Value<'r>> {
            Plain(self.region).call(closure, args)
        }

        fn known_members(&mut self) -> Option<&mut KnownMembers> {
            Some(&mut self.known)
        }
    }

    #[test]
    fn answers_that_are_remembered_are_those_to_the_same_questions() {
        let region = &Region::new();
        let set = |ints: &[i32]| {
            let ints: Vec<Value<'_>> = ints.iter().map(|&int| Value::small(int)).collect();
            Constant::new(&mut Plain(region), region.set(&ints)).expect("a set of integers can be kept").get()
        };
        let subsets = |ints: &[i32]| {
            let subsets = ops::powerset(&mut Plain(region), set(ints));
            Constant::new(&mut Plain(region), subsets).expect("the subsets of a set can be kept").get()
        };
        let elements = [set(&[1, 2]), set(&[1, 3]), set(&[3]), set(&[])];
        let sets = [subsets(&[1, 2]), subsets(&[1, 3]), subsets(&[2])];
        let mut host = Remembering { region, known: KnownMembers::default() };
        for _ in 0..3 {
            for (element, set) in elements.iter().flat_map(|&element| sets.map(|set| (element, set))) {
                let expected = ops::member(&mut Plain(region), element, set).expect("subsets are compared");
                assert_eq!(ops::member(&mut host, element, set).expect("as without a memory"), expected);
            }
        }
        let question = Question::new(elements[1], sets[1]).expect("both last");
        assert_eq!(host.known.find(question), Some(true));
        assert!(Question::new(region.set(&[]), ops::powerset(&mut Plain(region), set(&[1]))).is_none());
    }
}
