// Prints the content of a file in a line.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void print(const char *path) {
    char text[256];
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    printf("%s: %.*s\n", path, n < 0 ? 6 : (int)n, n < 0 ? "absent" : text);
    if (fd >= 0) close(fd);
}
