// Two threads with names, each of which writes a line to a file of its own every second and syncs it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *run(void *name) {
    pthread_setname_np(pthread_self(), name);
    int fd = open(name, O_CREAT | O_WRONLY | O_APPEND, 0600);
    for (;;) {
        sleep(1);
        if (write(fd, "line\n", 5) != 5 || fsync(fd)) return NULL;
        printf("%s\n", (const char *)name);
        fflush(stdout);
    }
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, "writer-1");
    pthread_create(&two, NULL, run, "writer-2");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
