// Two threads that print by turns, a second apart: for programs that have all of libc in them.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n_ticks, n_seen;

static void *follow(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (n_seen == n_ticks) pthread_cond_wait(&changed, &lock);
        n_seen = n_ticks;
        pthread_cond_signal(&changed);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, follow, NULL);
    for (;;) {
        struct timespec second = {1, 0};
        nanosleep(&second, NULL);
        pthread_mutex_lock(&lock);
        n_ticks++;
        pthread_cond_signal(&changed);
        while (n_seen != n_ticks) pthread_cond_wait(&changed, &lock);
        printf("tick %d of 2\n", n_ticks);
        fflush(stdout);
        pthread_mutex_unlock(&lock);
    }
}
