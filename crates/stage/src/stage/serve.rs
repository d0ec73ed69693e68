//! Serves guests: their requests, their bytes for other nodes, and the connections that they open.

use std::io::{self, Read, Write};
use std::time::Duration;

use wire::Request;

use super::{Stage, Token};
use crate::Trouble;
use crate::control::{self, Desk, Line, LineRead};
use crate::net::{ConnId, Side};

impl Stage {
    /// Serves everything that is ready, waiting for at most `limit`. Returns how many there were, not counting bells.
    pub(super) fn serve(&mut self, limit: Duration) -> Result<usize, Trouble> {
        let n_heard = self.serve_doors().map_err(Trouble::system("the stage cannot serve its nodes"))?;
        let limit = if n_heard > 0 { Duration::ZERO } else { limit };
        let ready = self.epoll.wait(limit).map_err(Trouble::system("the stage cannot wait"))?;
        let tokens: Vec<Token> = ready.iter().filter_map(|ready| Token::unpack(ready.token)).collect();
        for token in &tokens {
            self.serve_one(*token).map_err(Trouble::system("the stage cannot serve its nodes"))?;
        }
        Ok(n_heard + tokens.iter().filter(|token| **token != Token::Bell).count())
    }

    fn serve_one(&mut self, token: Token) -> io::Result<()> {
        match token {
            Token::Control => self.accept_lines(),
            Token::Bell => {
                let mut bytes = [0; 4096];
                while (&self.bell).read(&mut bytes).is_ok_and(|n| n == bytes.len()) {}
                Ok(())
            }
            Token::Door { is_v6 } => self.accept_guests(is_v6),
            Token::Line(index) => self.serve_line(index),
            Token::End(conn, side) => {
                self.serve_end(conn, side);
                Ok(())
            }
            Token::StandIn(index) => {
                self.network.datagrams.read(index, &self.network.addresses);
                Ok(())
            }
            Token::Client(number) => {
                self.read_client(number);
                Ok(())
            }
            // Doors are served before each wait, whether one has called or not.
            Token::Calls(_) => Ok(()),
        }
    }

    fn accept_lines(&mut self) -> io::Result<()> {
        while let Ok((socket, _)) = self.listener.accept() {
            socket.set_nonblocking(true)?;
            let index = self.lines.len();
            self.epoll.add(&socket, Token::Line(index).pack())?;
            self.lines.push(Some(Line::new(socket)));
        }
        Ok(())
    }

    fn accept_guests(&mut self, is_v6: bool) -> io::Result<()> {
        loop {
            let door = if is_v6 { self.network.doors.v6.as_ref() } else { Some(&self.network.doors.v4) };
            let Some(Ok((socket, _))) = door.map(|door| door.accept()) else { return Ok(()) };
            let Some(conn) = control::arrive(&mut self.network, socket) else { continue };
            if let Some(socket) = &self.network.conns[conn].ends[Side::Dialer as usize].socket {
                self.epoll.add(socket, Token::End(conn, Side::Dialer).pack())?;
            }
            let dialer = self.network.conns[conn].dialer;
            self.nodes[dialer].is_settled = false;
        }
    }

    fn serve_end(&mut self, conn: ConnId, side: Side) {
        let goes_on = self.network.conns[conn].read(side);
        if let (false, Some(socket)) = (goes_on, &self.network.conns[conn].ends[side as usize].socket) {
            self.epoll.remove(socket);
        }
        self.network.conns[conn].flush(side);
    }

    fn read_client(&mut self, number: usize) {
        let Some(client) = self.network.clients.get_mut(&number) else { return };
        if !client.end.read()
            && let Some(socket) = &client.end.socket
        {
            self.epoll.remove(socket);
        }
    }

    fn serve_line(&mut self, index: usize) -> io::Result<()> {
        loop {
            match self.lines.get_mut(index).and_then(Option::as_mut).map(Line::read) {
                None | Some(LineRead::Nothing) => return Ok(()),
                Some(LineRead::Some) => self.answer_line(index),
                Some(LineRead::Gone) => self.lines[index] = None,
            }
        }
    }

    /// Answers the requests that have arrived completely.
    fn answer_line(&mut self, index: usize) {
        while let Some((frame, descriptor)) = self.lines[index].as_mut().and_then(Line::next) {
            let Some(reply) = self.reply(index, &frame, descriptor) else {
                self.lines[index] = None;
                return;
            };
            if let Some(line) = &mut self.lines[index] {
                // A process that has gone needs no answer.
                let _ = line.socket.write_all(&reply);
            }
        }
    }

    /// Returns the bytes of the answer; `None` if the sender does not use our protocol.
    fn reply(
        &mut self,
        index: usize,
        frame: &[u8],
        descriptor: Option<std::os::fd::OwnedFd>,
    ) -> Option<Vec<u8>> {
        let request = Request::decode(frame).ok()?;
        let mut desk =
            Desk { nodes: &mut self.nodes, network: &mut self.network, uncontrolled: &mut self.uncontrolled };
        let reply = match self.lines[index].as_ref()?.speaker {
            Some(speaker) => desk.answer(speaker, &request, descriptor),
            None => {
                let (speaker, reply) = desk.answer_hello(&request)?;
                self.lines[index].as_mut()?.speaker = Some(speaker);
                reply
            }
        };
        self.watch_stand_ins().ok()?;
        let mut buffer = [0; wire::FRAME_BYTES_MAX];
        reply.encode(&mut buffer).map(<[u8]>::to_vec)
    }

    pub(super) fn watch_stand_ins(&mut self) -> io::Result<()> {
        for index in self.network.datagrams.take_new() {
            if let Some(socket) = self.network.datagrams.socket(index) {
                self.epoll.add(socket, Token::StandIn(index).pack())?;
            }
        }
        Ok(())
    }
}
