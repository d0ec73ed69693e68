//! The older functions for names of hosts, the functions for names of addresses, and queries to name servers.
//!
//! Names that this machine knows by itself are found by libc, as in `resolve`; queries to others are refused.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{c_char, c_int, c_void, hostent, sigevent, size_t, sockaddr, socklen_t};
use wire::Ip;

use super::Sockaddr;
use super::resolve::is_here;
use crate::guest::{GuestPtr, c_bytes, guest_slice};
use crate::kernel::{Errno, give_int};
use crate::real;
use crate::session::session;

/// The value of `h_errno` that says that there is no such host.
const HOST_NOT_FOUND: c_int = 1;

unsafe extern "C" {
    safe fn __h_errno_location() -> *mut c_int;
}

/// Reports to the stage; returns whether there is one.
fn is_refused(call: &str, detail: &str) -> bool {
    session().is_some_and(|session| {
        session.report(call, detail, true);
        true
    })
}

fn is_elsewhere(call: &str, name: *const c_char) -> bool {
    // SAFETY: the guest claims that it is a text, which ends with a zero.
    let text = unsafe { c_bytes(name) };
    !is_here(text) && is_refused(call, "a name that is not of this machine")
}

/// Whether an address has a name on every machine.
fn has_name(ip: Ip) -> bool {
    matches!(ip, Ip::V4([127, 0, 0, 1]) | Ip::V6([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))
}

fn is_nameless(call: &str, ip: Option<Ip>) -> bool {
    ip.is_some_and(|ip| !has_name(ip))
        && is_refused(call, "the name of an address is another machine's to tell")
}

/// Returns an address as the functions for hosts take it; `None` for arguments that they refuse by themselves.
fn ip_of(address: *const c_void, len: socklen_t, family: c_int) -> Option<Ip> {
    // SAFETY: the guest claims that so many bytes are there, and that nobody else uses them during its call.
    let bytes = unsafe { guest_slice(address.cast::<u8>().cast_mut(), len as usize).ok()? };
    match family {
        libc::AF_INET => bytes.first_chunk().copied().map(Ip::V4),
        libc::AF_INET6 => bytes.first_chunk().copied().map(Ip::V6),
        _ => None,
    }
}

fn no_host() -> *mut hostent {
    GuestPtr::new(__h_errno_location()).write(HOST_NOT_FOUND);
    core::ptr::null_mut()
}

/// Writes that there is no host, for the functions that get a place for the answer.
fn no_answer(found: *mut *mut hostent, problem: *mut c_int) -> c_int {
    GuestPtr::new(found).write(core::ptr::null_mut());
    GuestPtr::new(problem).write(HOST_NOT_FOUND);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn gethostbyname(name: *const c_char) -> *mut hostent {
    if is_elsewhere("gethostbyname", name) { no_host() } else { real::gethostbyname(name) }
}

#[unsafe(no_mangle)]
pub extern "C" fn gethostbyname2(name: *const c_char, family: c_int) -> *mut hostent {
    if is_elsewhere("gethostbyname2", name) { no_host() } else { real::gethostbyname2(name, family) }
}

#[unsafe(no_mangle)]
pub extern "C" fn gethostbyaddr(address: *const c_void, len: socklen_t, family: c_int) -> *mut hostent {
    if is_nameless("gethostbyaddr", ip_of(address, len, family)) {
        return no_host();
    }
    real::gethostbyaddr(address, len, family)
}

#[unsafe(no_mangle)]
pub extern "C" fn gethostbyname_r(
    name: *const c_char,
    host: *mut hostent,
    buffer: *mut c_char,
    len: size_t,
    found: *mut *mut hostent,
    problem: *mut c_int,
) -> c_int {
    if is_elsewhere("gethostbyname_r", name) {
        return no_answer(found, problem);
    }
    real::gethostbyname_r(name, host, buffer, len, found, problem)
}

#[unsafe(no_mangle)]
pub extern "C" fn gethostbyname2_r(
    name: *const c_char,
    family: c_int,
    host: *mut hostent,
    buffer: *mut c_char,
    len: size_t,
    found: *mut *mut hostent,
    problem: *mut c_int,
) -> c_int {
    if is_elsewhere("gethostbyname2_r", name) {
        return no_answer(found, problem);
    }
    real::gethostbyname2_r(name, family, host, buffer, len, found, problem)
}

#[unsafe(no_mangle)]
pub extern "C" fn gethostbyaddr_r(
    address: *const c_void,
    address_len: socklen_t,
    family: c_int,
    host: *mut hostent,
    buffer: *mut c_char,
    len: size_t,
    found: *mut *mut hostent,
    problem: *mut c_int,
) -> c_int {
    if is_nameless("gethostbyaddr_r", ip_of(address, address_len, family)) {
        return no_answer(found, problem);
    }
    real::gethostbyaddr_r(address, address_len, family, host, buffer, len, found, problem)
}

/// Replaces `getnameinfo`. An address without a name is given in numbers, unless the guest insists on a name.
#[unsafe(no_mangle)]
pub extern "C" fn getnameinfo(
    address: *const sockaddr,
    address_len: socklen_t,
    host: *mut c_char,
    host_len: socklen_t,
    service: *mut c_char,
    service_len: socklen_t,
    flags: c_int,
) -> c_int {
    let real = |flags| real::getnameinfo(address, address_len, host, host_len, service, service_len, flags);
    let asks_for_name = !host.is_null() && host_len > 0 && flags & libc::NI_NUMERICHOST == 0;
    let given = Sockaddr::read(address, address_len).ok().flatten().filter(|_| asks_for_name);
    if !is_nameless("getnameinfo", given.map(|given| given.addr.ip)) {
        return real(flags);
    }
    if flags & libc::NI_NAMEREQD != 0 { libc::EAI_NONAME } else { real(flags | libc::NI_NUMERICHOST) }
}

/// Refuses `getaddrinfo_a`, which looks up names by threads of libc's own.
#[unsafe(no_mangle)]
pub extern "C" fn getaddrinfo_a(
    mode: c_int,
    list: *mut *mut c_void,
    n: c_int,
    event: *mut sigevent,
) -> c_int {
    if is_refused("getaddrinfo_a", "names that are looked up later cannot be controlled") {
        give_int(Err(Errno(libc::ENOSYS)));
        return libc::EAI_SYSTEM;
    }
    real::getaddrinfo_a(mode, list, n, event)
}

/// Replaces queries to name servers, under the names that glibc gives them since 2.34 and before. Their arguments are
/// passed on as they came.
macro_rules! questions {
    ($($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int {
            if is_refused(stringify!($name), "a question to a server of names") {
                no_host();
                return give_int(Err(Errno(libc::ECONNREFUSED)));
            }
            real::$name(a, b, c, d, e, f, g)
        }
    )*};
}

questions! {
    res_query res_search res_querydomain res_send res_nquery res_nsearch res_nquerydomain res_nsend
    __res_query __res_search __res_querydomain __res_send
    __res_nquery __res_nsearch __res_nquerydomain __res_nsend
}
