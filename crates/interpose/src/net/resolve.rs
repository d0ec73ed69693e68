//! Names of hosts: libc finds those of this machine; asking others would leave the stage.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::net::IpAddr;

use libc::{addrinfo, c_char, c_int};

use crate::guest::c_bytes;
use crate::session::session;
use crate::{pass, real};

#[unsafe(no_mangle)]
pub extern "C" fn getaddrinfo(
    name: *const c_char,
    service: *const c_char,
    hints: *const addrinfo,
    found: *mut *mut addrinfo,
) -> c_int {
    // SAFETY: the guest claims that it is a text, which ends with a zero.
    let text = unsafe { c_bytes(name) };
    if let (Some(session), false) = (session(), is_here(text)) {
        session.report("getaddrinfo", "a name that is not of this machine", true);
        return libc::EAI_NONAME;
    }
    real::getaddrinfo(name, service, hints, found)
}

/// Whether there is no name at all, or an address, or a name of this machine.
pub fn is_here(name: &[u8]) -> bool {
    let text = core::str::from_utf8(name).unwrap_or_default();
    // A scope may follow an address of IPv6.
    let address = text.split('%').next().unwrap_or_default();
    matches!(name, b"" | b"localhost") || address.parse::<IpAddr>().is_ok() || is_own_name(name)
}

fn is_own_name(name: &[u8]) -> bool {
    // The kernel's answer has six texts of 65 bytes, the second of which is the name.
    const TEXT_BYTES: usize = 65;
    let mut answer = [0_u8; 6 * TEXT_BYTES];
    if pass!(libc::SYS_uname, answer.as_mut_ptr()).is_err() {
        return false;
    }
    let own = &answer[TEXT_BYTES..2 * TEXT_BYTES];
    own.split(|byte| *byte == 0).next() == Some(name)
}
