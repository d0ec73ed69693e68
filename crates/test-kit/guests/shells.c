// Lets libc start a shell in a root folder where the shell is the given program.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHOW(...) do { printf(__VA_ARGS__); printf("\n"); fflush(stdout); } while (0)

int main(int argc, char **argv) {
    // Root may do the second without the first.
    if (chroot(argv[argc - 1]) && (unshare(CLONE_NEWUSER) || chroot(argv[argc - 1]))) {
        SHOW("not allowed");
        return 0;
    }
    int status = system("exit 3");
    SHOW("system %d", WEXITSTATUS(status));
    FILE *f = popen("exit 4", "r");
    if (!f) SHOW("popen fails");
    else {
        status = pclose(f);
        SHOW("pclose %d", WEXITSTATUS(status));
    }
    return 0;
}
