// Sets timers that go off by themselves: with a descriptor, with a signal, once and repeatedly.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHOW(...) do { printf(__VA_ARGS__); printf("\n"); fflush(stdout); } while (0)
#define MS 1000000L

static volatile int n_signals;

static void count(int signal) {
    (void)signal;
    n_signals++;
}

static long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / MS;
}

static void descriptors(void) {
    struct itimerspec once = {{0, 0}, {0, 50 * MS}}, again = {{0, 20 * MS}, {0, 20 * MS}}, left, none = {{0, 0}, {0, 0}};
    uint64_t n = 0;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    struct pollfd readable = {fd, POLLIN, 0};
    long before = now_ms();
    SHOW("set %d", timerfd_settime(fd, 0, &once, NULL));
    timerfd_gettime(fd, &left);
    SHOW("left %d", left.it_value.tv_nsec > 0 && left.it_value.tv_nsec <= 50 * MS);
    SHOW("not yet %d", poll(&readable, 1, 5));
    SHOW("read %zd", read(fd, &n, sizeof n));
    SHOW("times %d, waited %d", (int)n, now_ms() - before >= 50);
    timerfd_settime(fd, 0, &again, NULL);
    for (int i = 0; i < 3; i++) SHOW("again %d", poll(&readable, 1, 10000) == 1 && read(fd, &n, sizeof n) == 8 && n >= 1);
    SHOW("stop %d", timerfd_settime(fd, 0, &none, &left));
    SHOW("had been set %d", left.it_interval.tv_nsec == 20 * MS);
    SHOW("silent %d", poll(&readable, 1, 60));
    int day = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
    struct itimerspec at = {{0, 0}, {0, 0}};
    clock_gettime(CLOCK_REALTIME, &at.it_value);
    at.it_value.tv_sec += 1;
    SHOW("at a time of day %d", timerfd_settime(day, TFD_TIMER_ABSTIME, &at, NULL));
    SHOW("not yet %d", read(day, &n, sizeof n) < 0 && errno == EAGAIN);
    struct itimerspec past = {{0, 0}, {1, 0}};
    int late = timerfd_create(CLOCK_REALTIME, 0);
    timerfd_settime(late, TFD_TIMER_ABSTIME, &past, NULL);
    SHOW("a time that has passed %zd", read(late, &n, sizeof n));
    close(late);
    readable.fd = day;
    SHOW("came %d", poll(&readable, 1, 10000));
    close(fd), close(day);
}

static void signals(void) {
    struct itimerval every = {{0, 20000}, {0, 20000}}, off = {{0, 0}, {0, 0}}, left;
    signal(SIGALRM, count);
    SHOW("alarm %u", alarm(1));
    SHOW("replaced %u", alarm(1));
    SHOW("pause %d, signals %d", pause(), n_signals);
    SHOW("setitimer %d", setitimer(ITIMER_REAL, &every, NULL));
    while (n_signals < 4) pause();
    getitimer(ITIMER_REAL, &left);
    SHOW("interval %d", (int)left.it_interval.tv_usec);
    setitimer(ITIMER_REAL, &off, NULL);
    int seen = n_signals;
    usleep(60000);
    SHOW("no more %d", n_signals == seen);
}

static void named(void) {
    struct sigevent event;
    struct itimerspec value = {{0, 0}, {0, 30 * MS}}, left;
    timer_t timer;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    signal(SIGUSR1, count);
    n_signals = 0;
    SHOW("timer_create %d", timer_create(CLOCK_MONOTONIC, &event, &timer));
    SHOW("timer_settime %d", timer_settime(timer, 0, &value, NULL));
    timer_gettime(timer, &left);
    SHOW("left %d", left.it_value.tv_nsec > 0);
    while (n_signals < 1) pause();
    SHOW("overrun %d", timer_getoverrun(timer));
    SHOW("timer_delete %d", timer_delete(timer));
}

static void carry(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    n_signals += info->si_code == SI_TIMER ? *(int *)info->si_value.sival_ptr : 100;
}

// Checks the value that a signal carries, and the thread that receives it.
static void values(void) {
    struct sigaction action = {.sa_sigaction = carry, .sa_flags = SA_SIGINFO};
    struct itimerspec value = {{0, 0}, {0, 10 * MS}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    int seven = 7;
    timer_t timer;
    sigaction(SIGUSR1, &action, NULL);
    event.sigev_value.sival_ptr = &seven;
    for (int i = 0; i < 2; i++) {
        n_signals = 0;
        SHOW("timer_create %d", timer_create(CLOCK_MONOTONIC, &event, &timer));
        timer_settime(timer, 0, &value, NULL);
        while (!n_signals) pause();
        SHOW("value %d", n_signals);
        timer_delete(timer);
        event.sigev_notify = SIGEV_THREAD_ID;
        event._sigev_un._tid = gettid();
    }
}

static sem_t ran;

static void function(union sigval value) {
    ++*(int *)value.sival_ptr;
    sem_post(&ran);
}

// Runs a function on a thread of its own, once and repeatedly; and makes more timers, one after the other, than can
// exist at once.
static void functions(void) {
    struct itimerspec value = {{0, 20 * MS}, {0, 20 * MS}}, off = {{0, 0}, {0, 0}};
    int n = 0, made = 0;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value = {.sival_ptr = &n}};
    event.sigev_notify_function = function;
    timer_t timer;
    sem_init(&ran, 0, 0);
    SHOW("timer_create %d", timer_create(CLOCK_MONOTONIC, &event, &timer));
    SHOW("timer_settime %d", timer_settime(timer, 0, &value, NULL));
    for (int i = 0; i < 3; i++) sem_wait(&ran);
    timer_settime(timer, 0, &off, NULL);
    usleep(60000);
    SHOW("ran %d", n >= 3);
    SHOW("timer_delete %d", timer_delete(timer));
    usleep(10000);
    for (int i = 0; i < 3000; i++) made += !timer_create(CLOCK_MONOTONIC, NULL, &timer) && !timer_delete(timer);
    SHOW("made %d", made);
    for (int i = 0; i < 1500; i++) {
        int fd = timerfd_create(CLOCK_MONOTONIC, 0);
        made += fd >= 0 && !close(fd);
    }
    SHOW("made %d", made);
    SHOW("not there %d", timer_delete(timer) < 0 && errno == EINVAL);
}

// Checks that a copy of a timer's descriptor is the same timer, also in a child that closes it.
static void copied(void) {
    struct itimerspec soon = {{0, 0}, {0, 20 * MS}};
    uint64_t n = 0;
    int fd = timerfd_create(CLOCK_MONOTONIC, 0), copy = dup(fd);
    timerfd_settime(fd, 0, &soon, NULL);
    close(fd);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(copy);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    SHOW("copy %zd", read(copy, &n, sizeof n));
    close(copy);
}

static void waits(void) {
    sigset_t set;
    siginfo_t info;
    struct timespec length = {0, 40 * MS};
    int signal_number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    SHOW("sigtimedwait %d", sigtimedwait(&set, &info, &length) == -1 && errno == EAGAIN);
    raise(SIGUSR2);
    SHOW("pending %d", sigtimedwait(&set, &info, &length) == SIGUSR2);
    alarm(1);
    SHOW("sigwaitinfo %d", sigwaitinfo(&set, NULL) == SIGALRM);
    alarm(1);
    SHOW("sigwait %d", sigwait(&set, &signal_number));
    SHOW("is %d", signal_number == SIGALRM);
}

int main(void) {
    descriptors();
    signals();
    named();
    values();
    functions();
    copied();
    waits();
    return 0;
}
