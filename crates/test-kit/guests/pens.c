// Writes and reads files through C's streams in every way that there is, and prints what is there then.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>
#include "print.h"

static void modes(void) {
    FILE *f = fopen("modes", "w");
    printf("%d\n", fputs("one\n", f) >= 0);
    printf("%d\n", fputc('2', f));
    print("modes");
    printf("%d\n", fflush(f));
    print("modes");
    printf("%d\n", fprintf(f, " and %d\n", 3));
    printf("%d\n", fclose(f));
    f = fopen64("modes", "a+");
    fwrite("four", 1, 4, f);
    rewind(f);
    char line[16] = "";
    printf("%s", fgets(line, sizeof line, f));
    fclose(f);
    f = fopen("modes", "r+c");
    fseek(f, 2, SEEK_SET);
    fputc('E', f);
    fseek(f, 0, SEEK_CUR);
    printf("%c\n", fgetc(f));
    fseeko(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
    printf("%d\n", fsync(fileno(f)));
    f = freopen("modes", "a", f);
    fputs("five", f);
    fclose(f);
    print("modes");
}

static void buffers(void) {
    char own[64], large[20000];
    FILE *f = fopen("buffers", "w");
    setvbuf(f, NULL, _IONBF, 0);
    fputs("at once", f);
    print("buffers");
    fclose(f);
    f = fopen("buffers", "w");
    setvbuf(f, own, _IOLBF, sizeof own);
    fputs("a line\nand more", f);
    print("buffers");
    fclose(f);
    f = fopen("buffers", "w");
    memset(large, 'x', sizeof large);
    printf("%zu\n", fwrite(large, 1, sizeof large, f));
    fseek(f, 12345, SEEK_SET);
    fputs("yz", f);
    fclose(f);
    f = fopen("buffers", "r");
    fseek(f, 12344, SEEK_SET);
    printf("%zu\n", fread(large, 1, sizeof large, f));
    printf("%.4s\n", large);
    fclose(f);
}

static void others(void) {
    int fd = open("others", O_RDWR | O_CREAT | O_TRUNC, 0600);
    dprintf(fd, "%d by its number\n", 1);
    FILE *f = fdopen(fd, "w");
    printf("%d\n", fileno(f) == fd);
    fwprintf(f, L"%ls\n", L"wide");
    fclose(f);
    print("others");
    printf("%d\n", close(fd));
    fflush(stdout);
    if (fork() == 0) {
        f = fopen("others", "a");
        fputs("at its end", f);
        exit(0);
    }
    wait(NULL);
    print("others");
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    FILE *to = fdopen(ends[0], "w"), *from = fdopen(ends[1], "r");
    fputs("through a socket\n", to), fclose(to);
    char line[32] = "";
    printf("%s", fgets(line, sizeof line, from));
    fclose(from);
}

int main(void) {
    char folder[] = "pens-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder)) return 1;
    modes();
    buffers();
    others();
    unlink("modes"), unlink("buffers"), unlink("others");
    if (chdir("..") || rmdir(folder)) return 1;
    return 0;
}
