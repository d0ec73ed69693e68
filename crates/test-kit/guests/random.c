// Prints random bytes from all sources; on the stage they are the same in every run with one seed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
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

static void made(const char *what, char *name, int fd) {
    printf("%s %d %s\n", what, fd >= 0, name);
    if (fd >= 0) close(fd);
    unlink(name);
}

// Makes names of files in a folder of this process's own, because files of others would change them.
static void temporary(void) {
    char folder[64], name[64], *taken;
    snprintf(folder, sizeof folder, "specline-guest-%d", getpid());
    if (mkdir(folder, 0700) || chdir(folder)) return;
#define NAME(text) strcpy(name, text)
    made("mkstemp", name, mkstemp(NAME("a-XXXXXX")));
    made("mkstemp64", name, mkstemp64(NAME("XXXXXX")));
    made("mkstemps", name, mkstemps(NAME("b-XXXXXX.txt"), 4));
    made("mkstemps64", name, mkstemps64(NAME("XXXXXX.c"), 2));
    made("mkostemp", name, mkostemp(NAME("c-XXXXXX"), O_CLOEXEC));
    made("mkostemp64", name, mkostemp64(NAME("c-XXXXXX"), O_APPEND));
    made("mkostemps", name, mkostemps(NAME("d-XXXXXX.d"), 2, O_CLOEXEC));
    made("mkostemps64", name, mkostemps64(NAME("d-XXXXXX.d"), 2, 0));
    made("too few", name, mkstemp(NAME("XXXXX")));
    made("no suffix", name, mkstemps(NAME("XXXXXX"), 4));
    printf("mkdtemp %s\n", mkdtemp(NAME("e-XXXXXX")));
    rmdir(name);
    printf("mktemp %s\n", mktemp(NAME("f-XXXXXX")));
    printf("tmpnam %s\n", tmpnam(NULL));
    printf("tmpnam_r %s\n", tmpnam_r(name));
    unsetenv("TMPDIR");
    taken = tempnam(P_tmpdir, "g-");
    printf("tempnam %s\n", taken);
    free(taken);
    if (chdir("..") == 0) rmdir(folder);
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
    temporary();
    return 0;
}
