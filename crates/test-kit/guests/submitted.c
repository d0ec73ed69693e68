// Asks the kernel to write, sync and read later (`io_submit`), and fetches what became of it.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static aio_context_t context;

static void say(const char *what, long done) {
    printf("%s %ld %s\n", what, done, done < 0 ? strerror(errno) : "");
}

static struct iocb request(int fd, int operation, void *address, size_t len, long offset) {
    struct iocb block = {.aio_fildes = fd, .aio_lio_opcode = operation};
    block.aio_buf = (uintptr_t)address;
    block.aio_nbytes = len;
    block.aio_offset = offset;
    return block;
}

static void fetch(long least, long most) {
    struct io_event events[4];
    long n = syscall(SYS_io_getevents, context, least, most, events, NULL);
    say("io_getevents", n);
    for (long i = 0; i < n; i++)
        printf("event %lu: %ld\n", (unsigned long)events[i].data, (long)events[i].res);
}

static void *wait_for_one(void *nothing) {
    fetch(1, 1);
    return nothing;
}

int main(void) {
    FILE *file = tmpfile();
    int fd = fileno(file), counter = eventfd(0, EFD_NONBLOCK);
    char read_back[16] = "";
    uint64_t count = 0;
    struct iovec parts[2] = {{"two", 3}, {"three", 5}};
    struct iocb first = request(fd, IOCB_CMD_PWRITE, "one", 3, 0);
    struct iocb second = request(fd, IOCB_CMD_PWRITEV, parts, 2, 3);
    struct iocb third = request(fd, IOCB_CMD_PREAD, read_back, 11, 0);
    struct iocb wrong = request(-1, IOCB_CMD_PWRITE, "one", 3, 0);
    struct iocb *both[] = {&first, &second}, *one[] = {&third}, *none[] = {&wrong};
    first.aio_data = 1;
    second.aio_data = 2;
    third.aio_data = 3;
    second.aio_flags = IOCB_FLAG_RESFD;
    second.aio_resfd = counter;
    say("io_submit", syscall(SYS_io_submit, context, 2, both));
    say("io_setup", syscall(SYS_io_setup, 4, &context));
    say("io_setup", syscall(SYS_io_setup, 4, &context));
    say("io_submit", syscall(SYS_io_submit, context, 2, both));
    say("read", read(counter, &count, sizeof count));
    fetch(2, 4);
    fetch(0, 4);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_one, NULL);
    long n = syscall(SYS_io_submit, context, 1, one);
    pthread_join(thread, NULL);
    say("io_submit", n);
    say("io_submit", syscall(SYS_io_submit, context, 1, none));
    say("io_destroy", syscall(SYS_io_destroy, context));
    say("io_destroy", syscall(SYS_io_destroy, context));
    printf("the file has %s\n", read_back);
    return 0;
}
