// A thread with a name looks around every 10 ms; the program itself does something every second.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *keep(void *unused) {
    (void)unused;
    pthread_setname_np(pthread_self(), "keeper-1");
    for (;;) usleep(10000);
}

int main(void) {
    pthread_t keeper;
    pthread_create(&keeper, NULL, keep, NULL);
    for (int second = 1;; second++) {
        sleep(1);
        printf("second %d\n", second);
        fflush(stdout);
    }
}
