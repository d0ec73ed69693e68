// Six threads that race: each takes a lock, writes its letter and gives way, forty times, in a way of its own. With the
// argument `spin` a seventh looks at a word until the others are done, and waits for nothing. With `look` it looks at the
// clock meanwhile.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int pipe_ends[2];
static char letters[2048];
static int n_letters;
static volatile int is_done;

static void *race(void *arg) {
    char letter = *(char *)arg;
    for (int i = 0; i < 40; i++) {
        pthread_mutex_lock(&mutex);
        letters[n_letters++] = letter;
        // Whoever has the lock waits for another one: the others contend for both.
        if (i % 4 == 0) {
            pthread_mutex_lock(&second);
            sched_yield();
            pthread_mutex_unlock(&second);
        }
        pthread_cond_broadcast(&cond);
        pthread_mutex_unlock(&mutex);
        char byte;
        switch (i % 3) {
        case 0: sched_yield(); break;
        case 1: sem_post(&sem); sem_wait(&sem); break;
        case 2:
            if (write(pipe_ends[1], &letter, 1) != 1) return NULL;
            if (read(pipe_ends[0], &byte, 1) != 1) return NULL;
            letters[n_letters++] = byte;
        }
    }
    return NULL;
}

static void *spin(void *arg) {
    struct timespec now;
    while (!is_done)
        if (arg) clock_gettime(CLOCK_MONOTONIC, &now);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[6], spinner;
    sem_init(&sem, 0, 0);
    if (pipe(pipe_ends) != 0) return 1;
    int spins = argc > 1, looks = spins && strcmp(argv[1], "look") == 0;
    if (spins) pthread_create(&spinner, NULL, spin, looks ? argv[1] : NULL);
    for (int i = 0; i < 6; i++) pthread_create(&threads[i], NULL, race, &"abcdef"[i]);
    for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
    is_done = 1;
    if (spins) pthread_join(spinner, NULL);
    puts(letters);
    return 0;
}
