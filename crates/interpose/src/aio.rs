//! Asynchronous input and output, done later by threads of libc or by the kernel's rings. It is refused as on a system
//! without it, because it could not be known when something was written, nor could the write be held. What programs ask
//! of the kernel by `io_setup` is in `kernel_aio`.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{aiocb, c_int, sigevent};

use crate::kernel::{Errno, Result, give_int};
use crate::real;
use crate::session::{Session, session};

pub fn refuse(session: &Session, call: &str) -> Result<usize> {
    session.report(call, "input and output that is done later cannot be controlled", true);
    Err(Errno(libc::ENOSYS))
}

macro_rules! refused {
    ($(fn $name:ident($($arg:ident: $type:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($arg: $type),*) -> c_int {
            match session() {
                Some(session) => give_int(refuse(session, stringify!($name))),
                None => real::$name($($arg),*),
            }
        }
    )*};
}

refused! {
    fn aio_read(block: *mut aiocb);
    fn aio_read64(block: *mut aiocb);
    fn aio_write(block: *mut aiocb);
    fn aio_write64(block: *mut aiocb);
    fn aio_fsync(operation: c_int, block: *mut aiocb);
    fn aio_fsync64(operation: c_int, block: *mut aiocb);
    fn lio_listio(mode: c_int, list: *const *mut aiocb, n: c_int, event: *mut sigevent);
    fn lio_listio64(mode: c_int, list: *const *mut aiocb, n: c_int, event: *mut sigevent);
}
