//! The things that the stage waits for, as the 64 bits that the kernel keeps with each descriptor.

use base::Id;

use crate::net::{ConnId, Side};
use crate::node::NodeId;

/// The meaning of a descriptor in the epoll set: the upper half of the bits has the kind, the lower half which one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Control,
    Bell,
    Door {
        is_v6: bool,
    },
    Line(usize),
    End(ConnId, Side),
    StandIn(usize),
    Client(usize),
    /// System calls of a node's programs.
    Calls(NodeId),
}

impl Token {
    pub fn pack(self) -> u64 {
        let (kind, index) = match self {
            Token::Control => (0, 0),
            Token::Bell => (1, 0),
            Token::Door { is_v6 } => (2, usize::from(is_v6)),
            Token::Line(index) => (3, index),
            Token::End(conn, Side::Dialer) => (4, conn.index()),
            Token::End(conn, Side::Acceptor) => (5, conn.index()),
            Token::StandIn(index) => (6, index),
            Token::Client(number) => (7, number),
            Token::Calls(node) => (8, node.index()),
        };
        kind << 32 | index as u64
    }

    pub fn unpack(bits: u64) -> Option<Token> {
        let index = (bits & 0xffff_ffff) as usize;
        Some(match bits >> 32 {
            0 => Token::Control,
            1 => Token::Bell,
            2 => Token::Door { is_v6: index == 1 },
            3 => Token::Line(index),
            4 => Token::End(ConnId::from_index(index), Side::Dialer),
            5 => Token::End(ConnId::from_index(index), Side::Acceptor),
            6 => Token::StandIn(index),
            7 => Token::Client(index),
            8 => Token::Calls(NodeId::from_index(index)),
            _ => return None,
        })
    }
}
