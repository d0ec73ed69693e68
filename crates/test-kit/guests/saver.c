// Replaces a file by a new one every second, as programs do that must not lose it: write, sync, rename.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    for (;;) {
        sleep(1);
        int fd = open("data.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || write(fd, "one line\n", 9) != 9 || fsync(fd)) return 1;
        close(fd);
        if (rename("data.tmp", "data")) return 1;
        printf("saved\n");
        fflush(stdout);
    }
}
