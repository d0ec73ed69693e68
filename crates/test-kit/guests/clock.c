// Every wait that ends by itself: none may return early. On the stage each takes exactly as long as it asks for.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);

static long now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

#define SHOW(asked_ms, name, call) do { \
        long before = now_us(); \
        call; \
        printf("%s %s\n", name, now_us() - before >= asked_ms * 1000L ? "waited" : "EARLY"); \
        fflush(stdout); \
    } while (0)

int main(void) {
    struct timespec length = {0, 10000000}, resolution, until, wall;
    struct timeval tv = {0, 20000};
    struct epoll_event event;
    struct pollfd none;
    int epoll = epoll_create1(0);
    printf("clock_getres %d\n", clock_getres(CLOCK_MONOTONIC, &resolution));
    fflush(stdout);
    SHOW(10, "nanosleep", nanosleep(&length, NULL));
    SHOW(1000, "sleep", sleep(1));
    SHOW(30, "usleep", usleep(30000));
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    SHOW(1000, "clock_nanosleep", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL));
    SHOW(40, "poll", poll(NULL, 0, 40));
    SHOW(10, "ppoll", ppoll(NULL, 0, &length, NULL));
    SHOW(50, "__poll_chk", __poll_chk(&none, 0, 50, sizeof none));
    SHOW(10, "__ppoll_chk", __ppoll_chk(&none, 0, &length, NULL, sizeof none));
    SHOW(20, "select", select(0, NULL, NULL, NULL, &tv));
    SHOW(10, "pselect", pselect(0, NULL, NULL, NULL, &length, NULL));
    SHOW(60, "epoll_wait", epoll_wait(epoll, &event, 1, 60));
    SHOW(70, "epoll_pwait", epoll_pwait(epoll, &event, 1, 70, NULL));
    SHOW(10, "epoll_pwait2", epoll_pwait2(epoll, &event, 1, &length, NULL));
    struct timeval day;
    gettimeofday(&day, NULL);
    timespec_get(&wall, TIME_UTC);
    printf("clocks of day agree %d %d\n", day.tv_sec - time(NULL) <= 1, wall.tv_sec - day.tv_sec <= 1);
    struct timespec past = {1, 0};
    printf("a deadline in the past %d\n", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL));
    struct timespec wrong = {0, 2000000000};
    printf("no time %d\n", nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
    return 0;
}
