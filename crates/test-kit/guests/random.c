// Randomness in all its forms; on the stage the same bytes in every run with one seed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#if !__GLIBC_PREREQ(2, 36)
#error "needs arc4random"
#endif

static void show(const char *what, const void *bytes, size_t len) {
    printf("%s ", what);
    for (size_t i = 0; i < len; i++) printf("%02x", ((const unsigned char *)bytes)[i]);
    printf("\n");
}

static void from_file(const char *what, int fd) {
    unsigned char bytes[12];
    memset(bytes, 0, sizeof bytes);
    if (read(fd, bytes, sizeof bytes) == sizeof bytes) show(what, bytes, sizeof bytes);
    close(fd);
}

static void from_stream(void) {
    unsigned char bytes[12];
    FILE *f = fopen("/dev/urandom", "r");
    if (fread(bytes, 1, sizeof bytes, f) == sizeof bytes) show("fopen", bytes, sizeof bytes);
    fclose(f);
}

int main(void) {
    unsigned char bytes[20];
    if (getrandom(bytes, sizeof bytes, 0) == sizeof bytes) show("getrandom", bytes, sizeof bytes);
    if (getentropy(bytes, 16) == 0) show("getentropy", bytes, 16);
    from_file("open", open("/dev/urandom", O_RDONLY));
    from_file("open64", open64("/dev/random", O_RDONLY));
    from_file("openat", openat(AT_FDCWD, "/dev/urandom", O_RDONLY | O_CLOEXEC));
    from_file("openat64", openat64(AT_FDCWD, "/dev/urandom", O_RDONLY));
    from_stream();
    unsigned word = arc4random();
    show("arc4random", &word, sizeof word);
    arc4random_buf(bytes, 7);
    show("arc4random_buf", bytes, 7);
    for (int i = 0; i < 5; i++) printf("%u ", arc4random_uniform(10));
    printf("\n");
    return 0;
}
