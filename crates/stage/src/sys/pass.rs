//! Receives descriptors that come with a message.
#![expect(unsafe_code, reason = "the standard library cannot receive descriptors")]

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// Receives bytes, and a descriptor if one came with them.
pub fn receive_with(socket: &UnixStream, buffer: &mut [u8]) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut io_part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    // A header of 16 bytes and one descriptor, padded.
    let mut control = [0_u64; 3];
    // SAFETY: zeroes are a valid header of a message.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = &raw mut io_part;
    message.msg_iovlen = 1;
    message.msg_control = control.as_mut_ptr().cast();
    message.msg_controllen = size_of_val(&control);
    // SAFETY: all that the header points to is alive and as long as it says.
    let n = unsafe { libc::recvmsg(socket.as_raw_fd(), &raw mut message, libc::MSG_CMSG_CLOEXEC) };
    let Ok(n) = usize::try_from(n) else { return Err(io::Error::last_os_error()) };
    let rights = (libc::SOL_SOCKET as u64) | ((libc::SCM_RIGHTS as u64) << 32);
    let has_descriptor = message.msg_controllen >= 20 && control[0] == 20 && control[1] == rights;
    // SAFETY: the kernel has just made this descriptor for us.
    let descriptor = has_descriptor.then(|| unsafe { OwnedFd::from_raw_fd(control[2] as u32 as i32) });
    Ok((n, descriptor))
}
