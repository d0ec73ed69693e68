// Uses input and output that libc's own threads do later: a system may not have it.
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char bytes[8] = "later";

static void say(const char *what, long done) {
    printf("%s %s\n", what, done == 0 ? "done" : strerror(errno));
}

int main(void) {
    FILE *file = tmpfile();
    struct aiocb block = {.aio_fildes = fileno(file), .aio_buf = bytes, .aio_nbytes = 5, .aio_lio_opcode = LIO_WRITE};
    struct aiocb64 block64 = {.aio_fildes = fileno(file), .aio_buf = bytes, .aio_nbytes = 5, .aio_lio_opcode = LIO_WRITE};
    struct aiocb *list[] = {&block};
    struct aiocb64 *list64[] = {&block64};
    say("aio_write", aio_write(&block));
    say("aio_write64", aio_write64(&block64));
    say("aio_read", aio_read(&block));
    say("aio_read64", aio_read64(&block64));
    say("aio_fsync", aio_fsync(O_SYNC, &block));
    say("aio_fsync64", aio_fsync64(O_SYNC, &block64));
    say("lio_listio", lio_listio(LIO_WAIT, list, 1, NULL));
    say("lio_listio64", lio_listio64(LIO_WAIT, list64, 1, NULL));
    fseek(file, 0, SEEK_END);
    printf("%ld bytes\n", ftell(file));
    return 0;
}
