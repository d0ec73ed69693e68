//! `EXCEPT` and `@`: demands on `@` are demands on what it stands for.

use super::Level;
use super::checker::{Checker, Ctx};
use super::facts::{Limit, Sym};
use super::rules;
use crate::spec::{ExceptUpdate, ExprId, ExprKind, LocalId};

/// The meaning of `@`: the function, with the updates before the one it is in.
#[derive(Debug)]
pub(super) struct At {
    except: ExprId,
    update_idx: usize,
    level: Level,
    sound: bool,
    /// The demands on the function so far. Reading it again under these can show nothing new.
    demanded: Ctx,
}

impl Checker<'_> {
    pub fn except(&mut self, expr: ExprId, base: ExprId, updates: &[ExceptUpdate], ctx: &Ctx) -> Level {
        let demanded = ctx.part(Limit { max: Level::Action, cause: None }, true);
        let mut level = if self.was_demanded(updates, &demanded) {
            self.levels.facts.sound[expr] = self.is_sound(base);
            self.level(base)
        } else {
            self.part(expr, 0, rules::except_base(base), ctx)
        };
        let mut index = 1;
        for (update_idx, update) in updates.iter().enumerate() {
            let mut demanded = demanded.clone();
            if let Some(earlier) = self.at.get(&update.at) {
                demanded.add(&earlier.demanded);
            }
            let sound = self.is_sound(expr);
            self.at.insert(update.at, At { except: expr, update_idx, level, sound, demanded });
            self.demand_of_let_definitions(expr, update.at);
            let mut update_level = Level::Constant;
            rules::update_parts(update, &mut |part| {
                update_level = update_level.max(self.part(expr, index, part, ctx));
                index += 1;
            });
            self.frame.unbind(update.at);
            level = level.max(update_level);
        }
        level
    }

    /// Whether the function was already read under these demands because of an `@`. Without this check, each of several
    /// nested EXCEPTs would be read as often as there are others around it.
    fn was_demanded(&self, updates: &[ExceptUpdate], ctx: &Ctx) -> bool {
        let at = updates.first().and_then(|update| self.at.get(&update.at));
        at.is_some_and(|at| at.demanded.covers(ctx))
    }

    /// Reads an `@`. In a LET inside the EXCEPT, which is read before it, `@` is a symbol like a parameter.
    pub fn at_sign(&mut self, expr: ExprId, local: LocalId, ctx: &Ctx) -> Level {
        let (level, sound) = self.at_level(local, ctx);
        self.levels.facts.sound[expr] &= sound;
        level
    }

    /// Returns the level and soundness of what `@` stands for, and puts the demands of this place on it.
    pub fn at_level(&mut self, local: LocalId, ctx: &Ctx) -> (Level, bool) {
        let Some(at) = self.at.get_mut(&local) else {
            self.symbol(Sym::Param(local), ctx);
            return (Level::Constant, true);
        };
        let (level, sound, except, update_idx) = (at.level, at.sound, at.except, at.update_idx);
        if ctx.counts {
            // This is for a LAMBDA inside the EXCEPT, whose place has demands of its own.
            self.frame.counting.insert(Sym::Param(local));
        }
        let known = at.demanded.covers(ctx);
        at.demanded.add(ctx);
        if !known {
            self.silently(|checker| checker.demand_of_earlier_parts(except, update_idx, ctx));
        }
        (level, sound)
    }

    /// Adds the demands that LET definitions inside the update, which were read earlier, make on `@`.
    fn demand_of_let_definitions(&mut self, expr: ExprId, local: LocalId) {
        let facts = self.facts().params[local];
        let mut ctx = Ctx::top().part(facts.limit, false);
        ctx.opaque = !facts.leibniz;
        self.facts().positions_of(local).into_iter().for_each(|position| ctx.add_position(position));
        let (level, sound) = self.at_level(local, &ctx);
        if sound && level > facts.limit.max {
            self.report(expr, |checker| checker.at_too_high(local, level));
        }
    }

    fn demand_of_earlier_parts(&mut self, except: ExprId, update_idx: usize, ctx: &Ctx) {
        let ExprKind::Except { base, updates } = &self.spec.exprs[except].kind else { return };
        self.expr(*base, ctx);
        for update in &updates[..update_idx] {
            let mut parts = Vec::new();
            update.for_each_child(&mut |part| parts.push(part));
            parts.into_iter().for_each(|part| self.expr(part, ctx));
        }
    }
}
