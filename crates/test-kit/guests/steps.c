// Writes, syncs and renames in all ways, in a folder of its own, and prints what is there then.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "print.h"

int main(void) {
    char folder[] = "steps-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder)) return 1;
    int fd = open("data", O_RDWR | O_CREAT, 0600);
    struct iovec parts[] = {{"ab", 2}, {"cd", 2}};
    printf("%zd %zd\n", pwrite(fd, "0123456789", 10, 0), pwrite64(fd, "x", 1, 4));
    printf("%zd %zd\n", pwritev(fd, parts, 2, 10), pwritev64(fd, parts, 2, 14));
    printf("%zd %zd\n", pwritev2(fd, parts, 2, 18, 0), pwritev64v2(fd, parts, 2, 22, RWF_DSYNC));
    print("data");
    printf("%d %d\n", ftruncate(fd, 20), ftruncate64(fd, 10));
    printf("%d %d\n", truncate("data", 8), truncate64("data", 6));
    printf("%d %d\n", fallocate(fd, 0, 0, 12), fallocate64(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 6, 2));
    off_t from = 2, to = 8, end = 10;
    printf("%zd\n", copy_file_range(fd, &from, fd, &to, 2, 0));
    int ends[2];
    if (pipe(ends) || write(ends[1], "pq", 2) != 2) return 1;
    printf("%zd\n", splice(ends[0], NULL, fd, &end, 2, 0));
    from = 0;
    int copy = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
    printf("%zd\n", sendfile(copy, fd, &from, 12));
    int named = syscall(SYS_openat, AT_FDCWD, "named", O_RDWR | O_CREAT, 0600);
    printf("%ld\n", syscall(SYS_pwrite64, named, "by number", 9, 0));
    printf("%ld\n", syscall(SYS_writev, named, parts, 2));
    printf("%ld %ld\n", syscall(SYS_ftruncate, named, 7), syscall(SYS_fsync, named));
    print("named");
    unlink("named");
    print("data");
    print("copy");
    unlink("copy");
    sync();
    printf("%d\n", syncfs(fd));
    printf("%d\n", rename("data", "data.1"));
    printf("%d\n", renameat(AT_FDCWD, "data.1", AT_FDCWD, "data.2"));
    printf("%d\n", renameat2(AT_FDCWD, "data.2", AT_FDCWD, "data.3", RENAME_NOREPLACE));
    printf("%d\n", rename("nothing", "data.3"));
    print("data.3");
    close(fd);
    unlink("data.3");
    if (chdir("..") || rmdir(folder)) return 1;
    return 0;
}
