// Writes, syncs and renames in every way that there is, in a folder of its own, and prints what is there then.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
