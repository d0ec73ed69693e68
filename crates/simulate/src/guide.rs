//! Chooses the next step of a walk.

use std::cmp::Ordering;

use eval::interp::{At, Fault, Machine};
use model::{Phase, What};
use value::{Ground, OpResult, Region, Value, ops};

use crate::expand::{Expander, WalkFinding};
use crate::hash::Hasher;
use crate::learned::{Learned, REWARD};
use crate::rare::Rare;
use crate::walk::Traveller;

/// The mode, with the knowledge from earlier rounds.
#[derive(Clone, Copy)]
pub(crate) enum Guide<'g> {
    Uniform,
    Drawn,
    Successors,
    Learned(&'g Learned),
    LearnedActions(&'g Learned),
    Coverage(&'g Rare),
}

/// A step that was made, as a guide remembers it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lesson {
    /// The view of the state before it.
    pub from: u64,
    pub action: u32,
    /// The view of the state after it, if the walk computed it.
    pub to: Option<u64>,
    /// The reward of the step.
    pub reward: f32,
}

type Chosen = Result<Option<usize>, Box<WalkFinding>>;

impl<'a> Traveller<'a> {
    /// Finds successors and chooses one of them; `None` if there are none.
    pub fn choose<'r>(&mut self, machine: &mut Machine<'a, 'r>, expander: &mut Expander<'a, 'r>) -> Chosen {
        match self.guide {
            Guide::Uniform => self.choose_by_action(machine, expander, |traveller, tried| {
                let left = &traveller.order[tried..];
                if traveller.context.is_unweighted {
                    return tried + traveller.dice.below(left.len());
                }
                let weights: Vec<f64> = left.iter().map(|&action| traveller.weight(action)).collect();
                tried + traveller.pick_weighted(&weights)
            }),
            Guide::Drawn => self.choose_by_draw(machine, expander),
            Guide::Successors => self.choose_by_successor(machine, expander, |_, _, _| 1.0),
            Guide::Coverage(rare) => self.choose_by_rarity(machine, expander, rare),
            Guide::Learned(learned) => self.choose_by_lessons(machine, expander, learned),
            Guide::LearnedActions(learned) => self.choose_by_last_action(machine, expander, learned),
        }
    }

    fn weight(&self, action: u32) -> f64 {
        self.context.weights[action as usize]
    }

    /// Returns an index by weight; all are equally likely if no weight is above zero.
    fn pick_weighted(&mut self, weights: &[f64]) -> usize {
        self.dice.pick_weighted(weights).unwrap_or_else(|| self.dice.below(weights.len()))
    }

    /// Tries one action after the other until one has successors; `pick` returns the position of the next one in the
    /// order.
    fn choose_by_action<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        expander: &mut Expander<'a, 'r>,
        mut pick: impl FnMut(&mut Self, usize) -> usize,
    ) -> Chosen {
        for tried in 0..self.order.len() {
            let picked = pick(self, tried);
            self.order.swap(tried, picked);
            expander.add_by(machine, self.order[tried] as usize)?;
            if !expander.choices.is_empty() {
                return Ok(Some(self.dice.below(expander.choices.len())));
            }
        }
        Ok(None)
    }

    /// Tries one action after the other until a successor that is drawn from one of them is in the model.
    fn choose_by_draw<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        expander: &mut Expander<'a, 'r>,
    ) -> Chosen {
        for tried in 0..self.order.len() {
            let picked = tried + self.dice.below(self.order.len() - tried);
            self.order.swap(tried, picked);
            expander.draw_by(machine, self.order[tried] as usize, &mut self.dice)?;
            if !expander.choices.is_empty() {
                return Ok(Some(0));
            }
        }
        Ok(None)
    }

    /// Chooses one of all successors, by the weight of its action and by `score`.
    fn choose_by_successor<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        expander: &mut Expander<'a, 'r>,
        mut score: impl FnMut(&mut Hasher, &mut Machine<'a, 'r>, (&Expander<'a, 'r>, usize)) -> f64,
    ) -> Chosen {
        for action in 0..self.context.actions.len() {
            expander.add_by(machine, action)?;
        }
        let n_found = expander.choices.len();
        if n_found == 0 {
            return Ok(None);
        }
        let weights: Vec<f64> = (0..n_found)
            .map(|index| {
                let weight = self.weight(expander.choices[index].action);
                if weight > 0.0 {
                    weight * score(&mut self.gear.hasher, machine, (expander, index))
                } else {
                    0.0
                }
            })
            .collect();
        Ok(Some(self.pick_weighted(&weights)))
    }

    fn choose_by_rarity<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        expander: &mut Expander<'a, 'r>,
        rare: &Rare,
    ) -> Chosen {
        let context = self.context;
        let mut views = Vec::new();
        let chosen = self.choose_by_successor(machine, expander, |hasher, machine, (expander, index)| {
            let view = view(hasher, machine, expander.state(index));
            views.push((index, view));
            rare.score(context.name_of[expander.choices[index].action as usize], view)
        })?;
        let seen = chosen.and_then(|index| Some((index, views.iter().find(|(known, _)| *known == index)?.1)));
        if let Some((index, to)) = seen {
            let action = expander.choices[index].action;
            self.walked.lessons.push(Lesson { from: 0, action, to: Some(to), reward: 0.0 });
        }
        Ok(chosen)
    }

    fn choose_by_lessons<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        expander: &mut Expander<'a, 'r>,
        learned: &Learned,
    ) -> Chosen {
        let state: Vec<Value<'r>> = machine.state().iter().flatten().copied().collect();
        let from = view(&mut self.gear.hasher, machine, &state);
        // The previous step has led here.
        if let Some(last) = self.walked.lessons.last_mut() {
            last.to = Some(from);
        }
        let chosen = self.choose_by_likelihood(machine, expander, (learned, from))?;
        if let Some(index) = chosen {
            let action = expander.choices[index].action;
            let reward = self.reward(machine, expander.state(index))?;
            self.walked.lessons.push(Lesson { from, action, to: None, reward });
        }
        Ok(chosen)
    }

    fn choose_by_last_action<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        expander: &mut Expander<'a, 'r>,
        learned: &Learned,
    ) -> Chosen {
        let from = self.walked.choices.last().map_or(u64::MAX, |choice| u64::from(choice.action));
        let chosen = self.choose_by_likelihood(machine, expander, (learned, from))?;
        let action = chosen.map(|index| expander.choices[index].action);
        // The actions before it in the order were tried and had no successor.
        let tried = self.order.iter().take_while(|&&tried| Some(tried) != action);
        let reward = self.last_reward;
        let lessons = tried.map(|&action| Lesson { from, action, to: None, reward });
        self.walked.lessons.extend(lessons);
        if let Some(index) = chosen {
            self.last_reward = self.reward(machine, expander.state(index))?;
        }
        Ok(chosen)
    }

    /// Tries actions by weight and by what was learned about them in the current view.
    fn choose_by_likelihood<'r>(
        &mut self,
        machine: &mut Machine<'a, 'r>,
        expander: &mut Expander<'a, 'r>,
        (learned, from): (&Learned, u64),
    ) -> Chosen {
        self.choose_by_action(machine, expander, |traveller, tried| {
            let left = &traveller.order[tried..];
            let likely =
                left.iter().map(|&action| learned.likelihood(from, action) * traveller.weight(action));
            let likely: Vec<f64> = likely.collect();
            tried + traveller.pick_weighted(&likely)
        })
    }

    /// Returns the reward of the step to a successor.
    fn reward<'r>(
        &self,
        machine: &mut Machine<'a, 'r>,
        values: &[Value<'r>],
    ) -> Result<f32, Box<WalkFinding>> {
        let Some(root) = machine.program().reward else { return Ok(REWARD) };
        machine.set_successor(values.iter().copied());
        let value = machine.eval_root(root);
        let worth = value.and_then(|value| as_number(machine.region(), value).at(root.span));
        worth.map_err(|fault| Box::new(WalkFinding { what: What::Fault(Phase::Next, fault), choice: None }))
    }
}

/// Converts an integer to a number for learning.
fn as_number<'r>(region: &'r Region, value: Value<'r>) -> OpResult<f32> {
    if let Some(number) = value.as_i64() {
        return Ok(number as f32);
    }
    Ok(match ops::compare_ints("_RL_REWARD", value, region.int(0))? {
        Ordering::Less => f32::MIN,
        Ordering::Equal | Ordering::Greater => f32::MAX,
    })
}

/// Returns the view of a state that a guide uses: a hash of the VIEW, or of all variables. A view without a value is a
/// view of its own.
fn view<'r>(hasher: &mut Hasher, machine: &mut Machine<'_, 'r>, values: &[Value<'r>]) -> u64 {
    let Some(root) = machine.program().view else { return hasher.state(values.iter().copied()) };
    let seen = machine.with_state(values, |machine| {
        let value = machine.eval_root(root)?;
        let value = Ground::new(machine, value).at(root.span)?;
        Ok::<u64, Box<Fault>>(hasher.state(std::iter::once(value.value())))
    });
    seen.unwrap_or(0)
}
