// Threads that wait for each other and for times.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int turn, word;

static struct timespec in_ms(clockid_t clock, long ms) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

#define SHOW(name, result) do { printf("%s %s\n", name, text(result)); fflush(stdout); } while (0)

static const char *text(int error) {
    switch (error) {
    case 0: return "ok";
    case ETIMEDOUT: return "timed out";
    case EINVAL: return "invalid";
    case EAGAIN: return "again";
    default: return "other";
    }
}

// Two threads take turns, a hundred times.
static void *other_hand(void *arg) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        while (turn != 1) pthread_cond_wait(&cond, &mutex);
        turn = 0;
        pthread_cond_broadcast(&cond);
        pthread_mutex_unlock(&mutex);
    }
    pthread_exit(arg);
}

static void *post_later(void *arg) {
    usleep(20000);
    sem_post(&sem);
    return arg;
}

static void *hold_for_a_second(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&rwlock);
    sem_post(&sem);
    sleep(1);
    pthread_rwlock_unlock(&rwlock);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *wake_word(void *arg) {
    usleep(10000);
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return arg;
}

static void take_turns(void) {
    sched_yield();
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, other_hand, &turn);
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        while (turn != 0) pthread_cond_wait(&cond, &mutex);
        turn = 1;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, &value);
    printf("turns %d\n", value == &turn);
}

static void conditions(void) {
    pthread_cond_t own;
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&own, &attr);
    pthread_mutex_lock(&mutex);
    struct timespec until = in_ms(CLOCK_MONOTONIC, 30);
    SHOW("cond on the monotonic clock", pthread_cond_timedwait(&own, &mutex, &until));
    until = in_ms(CLOCK_REALTIME, 40);
    SHOW("cond on the clock of day", pthread_cond_timedwait(&cond, &mutex, &until));
    until = in_ms(CLOCK_MONOTONIC, 50);
    SHOW("cond on a clock of choice", pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &until));
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&own);
}

static void semaphores(void) {
    pthread_t thread;
    int value;
    sem_init(&sem, 0, 1);
    sem_getvalue(&sem, &value);
    printf("semaphore %d\n", value);
    SHOW("sem_trywait", sem_trywait(&sem) ? errno : 0);
    SHOW("sem_trywait", sem_trywait(&sem) ? errno : 0);
    struct timespec until = in_ms(CLOCK_REALTIME, 20);
    SHOW("sem_timedwait", sem_timedwait(&sem, &until) ? errno : 0);
    until = in_ms(CLOCK_MONOTONIC, 20);
    SHOW("sem_clockwait", sem_clockwait(&sem, CLOCK_MONOTONIC, &until) ? errno : 0);
    pthread_create(&thread, NULL, post_later, NULL);
    SHOW("sem_wait", sem_wait(&sem) ? errno : 0);
    pthread_join(thread, NULL);
}

static void locks(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hold_for_a_second, NULL);
    sem_wait(&sem);
    struct timespec until = in_ms(CLOCK_REALTIME, 10);
    SHOW("mutex", pthread_mutex_timedlock(&mutex, &until));
    until = in_ms(CLOCK_MONOTONIC, 10);
    SHOW("mutex on a clock of choice", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until));
    until = in_ms(CLOCK_REALTIME, 10);
    SHOW("read lock", pthread_rwlock_timedrdlock(&rwlock, &until));
    SHOW("write lock", pthread_rwlock_timedwrlock(&rwlock, &until));
    until = in_ms(CLOCK_MONOTONIC, 10);
    SHOW("read lock on a clock of choice", pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &until));
    SHOW("write lock on a clock of choice", pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &until));
    until = in_ms(CLOCK_REALTIME, 10);
    SHOW("join", pthread_timedjoin_np(thread, NULL, &until));
    until = in_ms(CLOCK_MONOTONIC, 10);
    SHOW("join on a clock of choice", pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until));
    SHOW("read lock at last", pthread_rwlock_rdlock(&rwlock));
    pthread_rwlock_unlock(&rwlock);
    SHOW("join at last", pthread_join(thread, NULL));
}

static void futexes(void) {
    pthread_t thread;
    struct timespec length = {0, 10000000};
    long waited = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &length, NULL, 0);
    SHOW("futex", waited ? errno : 0);
    waited = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 7, &length, NULL, 0);
    SHOW("futex that differs", waited ? errno : 0);
    pthread_create(&thread, NULL, wake_word, NULL);
    while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
    pthread_join(thread, NULL);
    SHOW("futex that was woken", 0);
}

int main(void) {
    take_turns();
    conditions();
    semaphores();
    locks();
    futexes();
    sem_destroy(&sem);
    return 0;
}
