//! Requests of the guest's side, and the replies of the stage.
//!
//! The guest's side sends a request and waits; the stage answers every request at once and in order, and never sends
//! anything unasked. Decisions that take long are made on the board.

use crate::addr::Addr;
use crate::codec::{DecodeError, Field, FrameReader, FrameWriter};

macro_rules! small_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $value:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_doc])* $variant = $value,)* }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant,)*];
        }

        impl Field<'_> for $name {
            fn write(&self, to: &mut FrameWriter<'_>) {
                (*self as u8).write(to);
            }
            fn read(from: &mut FrameReader<'_>) -> Result<$name, DecodeError> {
                match u8::read(from)? {
                    $($value => Ok($name::$variant),)*
                    other => Err(DecodeError::Tag(other)),
                }
            }
        }
    };
}

small_enum! {
    /// The protocol of a socket.
    Proto { Tcp = 1, Udp = 2, }
}

small_enum! {
    /// The family of addresses that a socket uses.
    Family {
        V4 = 4,
        /// IPv6 only.
        V6 = 6,
        /// A socket of IPv6 that also carries IPv4, with addresses inside its own: one that is made without
        /// `IPV6_V6ONLY`.
        Both = 10,
    }
}

impl Family {
    /// Whether the kernel's socket is one of IPv6.
    pub fn is_v6(self) -> bool {
        self != Family::V4
    }
}

small_enum! {
    /// The role of a socket that came through `exec` or from another process.
    SocketRole {
        /// The stage does not know it.
        Unknown = 0,
        /// It only has an address.
        Bound = 1,
        Listening = 2,
        /// It is one end of a connection.
        Connected = 3,
    }
}

small_enum! {
    /// The form of a timer's signal.
    SignalForm {
        /// The signal looks as if a process had sent it.
        Plain = 0,
        /// The signal is a timer's, with the value that the program gave.
        Value = 1,
        /// The signal is a timer's, with the number of the timer.
        Number = 2,
    }
}

small_enum! {
    /// A call on a file.
    FileCall { Write = 1, Sync = 2, Rename = 3, }
}

small_enum! {
    /// The decision about a call on a file.
    Verdict {
        /// The call is made as if nobody had asked.
        Go = 0,
        /// The thread waits until the node's gate opens.
        Hold = 1,
        /// The call is made, and the stage is asked again.
        Ask = 2,
        /// Only the beginning of the data is written, and the stage is asked again.
        Tear = 3,
    }
}

macro_rules! messages {
    ($(#[$doc:meta])* $name:ident $(<$life:lifetime>)? {
        $($(#[$variant_doc:meta])* $variant:ident = $tag:literal { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* },)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name $(<$life>)? { $($(#[$variant_doc])* $variant { $($(#[$field_doc])* $field: $type,)* },)* }

        impl $(<$life>)? $name $(<$life>)? {
            /// Encodes the message into `buffer`; `None` if that is too short.
            pub fn encode<'o>(&self, buffer: &'o mut [u8]) -> Option<&'o [u8]> {
                match self {
                    $($name::$variant { $($field,)* } => {
                        #[allow(unused_mut, reason = "a message without fields writes none")]
                        let mut writer = FrameWriter::new(buffer, $tag);
                        $($field.write(&mut writer);)*
                        writer.finish()
                    })*
                }
            }

            /// Decodes a message from these bytes, which start with its length.
            pub fn decode(frame: &$($life)? [u8]) -> Result<$name $(<$life>)?, DecodeError> {
                #[allow(unused_mut, reason = "a message without fields reads none")]
                let (tag, mut reader) = FrameReader::new(frame)?;
                let message = match tag {
                    $($tag => $name::$variant { $($field: Field::read(&mut reader)?,)* },)*
                    other => return Err(DecodeError::Tag(other)),
                };
                reader.finish()?;
                Ok(message)
            }
        }
    };
}

messages! {
    /// A request of the guest's side.
    Request<'a> {
        /// A process, or a new program in one, is under control. The first message on a connection.
        Hello = 1 {
            version: u32,
            node: u32,
            pid: u32,
            parent: u32,
            /// The program.
            image: &'a [u8],
        },
        /// A process made another one, which may say hello later, or never.
        Forked = 2 { child: u32, },
        /// Comes with a descriptor, which the stage makes readable to wake the thread in this slot.
        Kicker = 3 { slot: u32, },
        /// A socket that the kernel has bound to a port of its loopback wants to have this address.
        Bind = 4 {
            proto: Proto,
            family: Family,
            inode: u64,
            addr: Addr,
            kernel_port: u16,
            /// Whether other sockets may have the address too.
            shares: bool,
        },
        Listen = 5 { inode: u64, },
        /// A stream socket that is bound in the kernel wants a connection. The kernel's socket may be of IPv6 although
        /// the target is not.
        Connect = 6 { inode: u64, is_v6: bool, local: Addr, kernel_port: u16, target: Addr, },
        /// The kernel has accepted a connection from this port of its loopback.
        Accepted = 7 { listener: u64, inode: u64, kernel_peer: u16, },
        /// Asks to which address datagrams for this address are really sent, by a socket of this family of the
        /// kernel's.
        Resolve = 8 { addr: Addr, is_v6: bool, },
        /// Asks from which address a datagram is that came from this port of the kernel's loopback.
        Whence = 9 { kernel_port: u16, is_v6: bool, },
        /// Asks for the role of a socket that the process did not make.
        Adopt = 10 { inode: u64, },
        /// A process has closed a socket that had an address.
        Closed = 11 { inode: u64, },
        /// Comes with an eventfd: a timer that makes it readable.
        TimerFd = 12 { },
        /// A timer that sends a signal to the process, or to one of its threads.
        TimerSignal = 13 {
            signal: i32,
            form: SignalForm,
            /// The value that comes with the signal.
            value: u64,
            /// The thread; zero for any.
            thread: u32,
        },
        /// A process has deleted a timer.
        TimerGone = 18 { timer: u32, },
        /// A process is about to close a descriptor of a timer; there may be others.
        TimerClosed = 19 { timer: u32, },
        /// The data written to this file is on the disk now.
        Synced = 15 { path: &'a [u8], },
        /// This many bytes of the file were written, or none and its length changed. The answer is `Failed` if the file
        /// does not matter.
        Changed = 20 { path: &'a [u8], offset: u64, len: u64, },
        /// A program is about to make a call on a file, or has just made it. Sent only while the board asks for it.
        File = 16 {
            call: FileCall,
            is_done: bool,
            /// The number of the thread that makes it.
            thread: u32,
            path: &'a [u8],
            /// The last part of the new name of a file that is renamed.
            target: &'a [u8],
        },
        /// This file is mapped into memory, where stores change it without a call.
        Mapped = 17 { path: &'a [u8], },
        /// A call that is not under control was made, and was let through or refused.
        Uncontrolled = 14 { call: &'a str, detail: &'a str, refused: bool, },
    }
}

messages! {
    /// A reply of the stage.
    Reply {
        Done = 1 { },
        /// The request failed; the guest gets this error number.
        Failed = 2 { errno: i32, },
        Welcome = 3 {
            /// The number of this process within the node, in the order of their hellos.
            ordinal: u32,
        },
        /// The address that the socket appears to have, and its number among the node's links.
        Bound = 4 { addr: Addr, link: u32, },
        /// The attempt has begun; the outcome will be on the board.
        Connecting = 5 {
            link: u32,
            local: Addr,
            /// The port to which the kernel's socket is connected if the outcome is good.
            open_port: u16,
            /// The port to which the kernel's socket is connected if the outcome is not good.
            closed_port: u16,
        },
        Connected = 6 { link: u32, local: Addr, peer: Addr, },
        /// A port of the kernel's loopback.
        KernelPort = 7 { port: u16, },
        Address = 8 { addr: Addr, },
        Adopted = 9 { role: SocketRole, proto: Proto, link: u32, local: Addr, peer: Addr, },
        Timer = 10 { timer: u32, },
        File = 11 { verdict: Verdict, n_bytes: u64, },
    }
}

#[cfg(test)]
mod tests {
    use super::{Family, FileCall, Proto, Reply, Request, SignalForm, SocketRole, Verdict};
    use crate::addr::{Addr, Ip};
    use crate::codec::{DecodeError, FRAME_BYTES_MAX, PATH_BYTES_MAX, frame_len};

    const V4: Addr = Addr { ip: Ip::LOOPBACK_V4, port: 4321 };
    const V6: Addr = Addr { ip: Ip::LOOPBACK_V6, port: 1 };

    fn requests() -> Vec<Request<'static>> {
        let mut all = vec![
            Request::Hello { version: 1, node: 2, pid: 3, parent: 4, image: b"/bin/true" },
            Request::Forked { child: 7 },
            Request::Kicker { slot: u32::MAX },
            Request::Listen { inode: u64::MAX },
            Request::Connect { inode: 1, is_v6: true, local: V4, kernel_port: 2, target: V6 },
            Request::Accepted { listener: 5, inode: 6, kernel_peer: 65535 },
            Request::Resolve { addr: V6, is_v6: true },
            Request::Whence { kernel_port: 9, is_v6: true },
            Request::Adopt { inode: 0 },
            Request::Closed { inode: 3 },
            Request::TimerFd {},
            Request::TimerGone { timer: 3 },
            Request::TimerClosed { timer: 4 },
            Request::Synced { path: b"a\xff" },
            Request::Mapped { path: b"a/b" },
            Request::Changed { path: b"a/b", offset: u64::MAX, len: 3 },
            Request::File { call: FileCall::Rename, is_done: true, thread: 9, path: b"a", target: b"b" },
            Request::Uncontrolled { call: "io_uring_setup", detail: "\u{1f980}", refused: true },
        ];
        all.extend(SignalForm::ALL.iter().map(|form| Request::TimerSignal {
            signal: -1,
            form: *form,
            value: u64::MAX,
            thread: 7,
        }));
        let families =
            Family::ALL.iter().flat_map(|family| Proto::ALL.iter().map(move |proto| (proto, family)));
        all.extend(families.map(|(proto, family)| Request::Bind {
            proto: *proto,
            family: *family,
            inode: 1,
            addr: V4,
            kernel_port: 2,
            shares: true,
        }));
        all
    }

    fn replies() -> Vec<Reply> {
        let mut all = vec![
            Reply::Done {},
            Reply::Failed { errno: 98 },
            Reply::Welcome { ordinal: 1 },
            Reply::Bound { addr: V6, link: 3 },
            Reply::Connecting { link: 1, local: V4, open_port: 2, closed_port: 3 },
            Reply::Connected { link: 1, local: V4, peer: V6 },
            Reply::KernelPort { port: 80 },
            Reply::Address { addr: V4 },
            Reply::Timer { timer: 4 },
            Reply::File { verdict: Verdict::Tear, n_bytes: 7 },
        ];
        all.extend(SocketRole::ALL.iter().map(|role| Reply::Adopted {
            role: *role,
            proto: Proto::Udp,
            link: 1,
            local: V4,
            peer: V6,
        }));
        all
    }

    #[test]
    fn every_message_is_read_back_as_what_it_was() {
        let mut buffer = [0; FRAME_BYTES_MAX];
        for request in requests() {
            let bytes = request.encode(&mut buffer).unwrap();
            assert_eq!(frame_len(bytes), Some(bytes.len()));
            assert_eq!(Request::decode(bytes), Ok(request));
        }
        for reply in replies() {
            assert_eq!(Reply::decode(reply.encode(&mut buffer).unwrap()), Ok(reply));
        }
    }

    /// A message that is cut off or extended, or has a byte replaced, gives an error and no panic.
    #[test]
    fn bytes_that_are_no_message_are_refused() {
        let mut buffer = [0; FRAME_BYTES_MAX];
        for request in requests() {
            let bytes = request.encode(&mut buffer).unwrap().to_vec();
            for cut in 0..bytes.len() {
                assert!(Request::decode(&bytes[..cut]).is_err(), "{request:?} cut at {cut}");
            }
            for at in 0..bytes.len() {
                for value in [0, 1, 3, 77, 255] {
                    let mut changed = bytes.clone();
                    changed[at] = value;
                    let _ = Request::decode(&changed);
                }
            }
            let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
            assert_eq!(Request::decode(&longer), Err(DecodeError::Length));
        }
        assert_eq!(Reply::decode(&[3, 0, 200]), Err(DecodeError::Tag(200)));
    }

    #[test]
    fn a_path_of_the_longest_kind_fits_and_a_longer_one_does_not() {
        let mut buffer = [0; FRAME_BYTES_MAX];
        let path = vec![b'x'; PATH_BYTES_MAX];
        let hello = |image| Request::Hello { version: 1, node: 2, pid: 3, parent: 4, image };
        assert!(hello(&path).encode(&mut buffer).is_some());
        let path = vec![b'x'; FRAME_BYTES_MAX];
        assert!(hello(&path).encode(&mut buffer).is_none());
    }
}
