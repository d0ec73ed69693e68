// Writes to files that are synced with each write, to one that is synced by a flag, and to one that never is.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

static int file(const char *path, int flags) {
    return open(path, O_WRONLY | O_CREAT | flags, 0600);
}

int main(void) {
    struct iovec part = {"kept", 4};
    if (write(file("sync", O_SYNC), "kept", 4) != 4) return 1;
    if (writev(file("dsync", O_DSYNC), &part, 1) != 4) return 1;
    if (pwrite(file("offset", O_DSYNC), "kept", 4, 0) != 4) return 1;
    if (pwritev2(file("flag", 0), &part, 1, 0, RWF_DSYNC) != 4) return 1;
    if (write(file("never", 0), "lost", 4) != 4) return 1;
    pause();
    return 0;
}
