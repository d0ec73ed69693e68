//! The messages that a step may put into the network.

use std::rc::Rc;

use super::reader::{DEPTH_MAX, Reader};
use super::sym::{Sending, Sym, and, not};

impl Reader<'_> {
    pub fn add_sendings(&mut self, network: &Rc<Sym>, when: &str) {
        if !self.is_queues {
            return self.sendings_of(network, when, 0);
        }
        // What the node sends to somebody.
        let (node, to) = (self.node.clone(), self.unknown());
        let row = self.apply(network, &node);
        let queue = self.apply(&row, &to);
        self.sendings_of(&queue, when, 0);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is refused")]
    fn sendings_of(&mut self, network: &Sym, when: &str, depth: usize) {
        if depth > DEPTH_MAX {
            return self.lose_sendings("what it puts into the network is too deep");
        }
        let send = |reader: &mut Self, message: &Rc<Sym>| {
            reader.sendings.push(Sending { when: when.to_owned(), message: message.clone() });
        };
        match network {
            Sym::Network(_) => {}
            Sym::Part(of) | Sym::Minus(of, _) | Sym::Tail(of) | Sym::SubSeq(of, ..) => {
                self.sendings_of(of, when, depth + 1);
            }
            Sym::Cup(left, right) | Sym::Concat(left, right) => {
                self.sendings_of(left, when, depth + 1);
                self.sendings_of(right, when, depth + 1);
            }
            Sym::Append(of, item) => {
                send(self, item);
                self.sendings_of(of, when, depth + 1);
            }
            Sym::Set(items) | Sym::Tuple(items) => items.iter().for_each(|item| send(self, item)),
            Sym::With(function, key) => {
                send(self, key);
                self.sendings_of(function, when, depth + 1);
            }
            // A bag: how many there are of a message.
            Sym::Except { base, path, .. } if !self.is_queues => {
                send(self, &path[0]);
                self.sendings_of(base, when, depth + 1);
            }
            Sym::If(condition, then, otherwise) => {
                let (yes, no) = (and(&[when.to_owned(), condition.clone()]), not(condition));
                let no = and(&[when.to_owned(), no]);
                let (yes, no) = (self.terms.name("Bool", yes), self.terms.name("Bool", no));
                self.sendings_of(then, &yes, depth + 1);
                self.sendings_of(otherwise, &no, depth + 1);
            }
            _ => self.lose_sendings("what it puts into the network is not translated"),
        }
    }
}
