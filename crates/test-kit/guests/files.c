// Prints the content of its files, then writes: one line that is synced and one that is not, in three ways to sync.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "print.h"

static void append(const char *path, int (*sync)(int)) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(fd, "kept;", 5) != 5) return;
    if (sync) sync(fd);
    if (write(fd, "lost;", 5) != 5) return;
    close(fd);
}

static void map(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    if (ftruncate(fd, 10)) return;
    char *text = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    memcpy(text, "kept;lost;", 5);
    msync(text, 10, MS_SYNC);
    memcpy(text + 5, "lost;", 5);
}

// Makes the call by its other name; the result is only printed.
static void look(const char *path) {
    int fd = open(path, O_RDONLY);
    char *text = mmap64(NULL, 10, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (text[0] != 'k') _exit(1);
    munmap(text, 10);
}

int main(void) {
    print("fsync.txt");
    print("fdatasync.txt");
    print("never.txt");
    print("msync.txt");
    fflush(stdout);
    append("fsync.txt", fsync);
    append("fdatasync.txt", fdatasync);
    append("never.txt", NULL);
    map("msync.txt");
    look("msync.txt");
    pause();
    return 0;
}
