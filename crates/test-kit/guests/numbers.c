// Makes calls by number, as runtimes without a libc of their own do: they are the same calls.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SHOW(...) do { printf(__VA_ARGS__); printf("\n"); fflush(stdout); } while (0)

static long now_ms(void) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Within a second of real time: on the stage it is exact.
#define TIMED(name, length_ms, call) do { \
    long start = now_ms(), result = (call), took = now_ms() - start; \
    SHOW("%s %ld, in time %d", name, result, took >= length_ms && took < length_ms + 1000); \
} while (0)

// Some machines have no numbers for old calls that newer calls replace.
static void old_waits(int epoll) {
    struct timeval length = {2, 0};
    struct epoll_event event;
    (void)epoll, (void)length, (void)event;
#ifdef SYS_poll
    TIMED("poll", 2000, syscall(SYS_poll, NULL, 0, 2000));
#endif
#ifdef SYS_select
    TIMED("select", 2000, syscall(SYS_select, 0, NULL, NULL, NULL, &length));
#endif
#ifdef SYS_epoll_wait
    TIMED("epoll_wait", 2000, syscall(SYS_epoll_wait, epoll, &event, 1, 2000));
#endif
#ifdef SYS_time
    SHOW("time %d", syscall(SYS_time, NULL) == time(NULL));
#endif
}

static void waits(void) {
    struct timespec pause = {2, 0};
    struct itimerspec soon = {{0, 0}, {2, 0}};
    uint64_t n = 0;
    int epoll = syscall(SYS_epoll_create1, 0), timer = syscall(SYS_timerfd_create, CLOCK_MONOTONIC, 0);
    old_waits(epoll);
    TIMED("pselect6", 2000, syscall(SYS_pselect6, 0, NULL, NULL, NULL, &pause, NULL));
    syscall(SYS_timerfd_settime, timer, 0, &soon, NULL);
    TIMED("timerfd", 2000, syscall(SYS_read, timer, &n, sizeof n));
    close(epoll);
    close(timer);
}

static struct sockaddr_in at(int port) {
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons(port)};
    addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return addr;
}

static void datagrams(void) {
    struct sockaddr_in here = at(7771), there = at(7772), from;
    socklen_t len = sizeof from;
    char text[32] = "";
    int one = syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0), other = syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0);
    SHOW("bind %ld", syscall(SYS_bind, one, &here, sizeof here));
    SHOW("bind %ld", syscall(SYS_bind, other, &there, sizeof there));
    SHOW("sendto %ld", syscall(SYS_sendto, one, "hello", 5, 0, &there, sizeof there));
    SHOW("recvfrom %ld", syscall(SYS_recvfrom, other, text, sizeof text, 0, &from, &len));
    SHOW("%s from %d", text, ntohs(from.sin_port));
    SHOW("getsockname %ld", syscall(SYS_getsockname, other, &from, &len));
    SHOW("it is %d", ntohs(from.sin_port));
    close(one);
    close(other);
}

// Syncs only the first part of each file; then gives one of them another name.
static void files(void) {
    struct iovec lost = {"lost;", 5};
    int one = syscall(SYS_openat, AT_FDCWD, "one", O_CREAT | O_WRONLY, 0644);
    int other = syscall(SYS_openat, AT_FDCWD, "other", O_CREAT | O_WRONLY, 0644);
    SHOW("write %ld", syscall(SYS_write, one, "kept;", 5));
    SHOW("write %ld", syscall(SYS_write, other, "kept;", 5));
    SHOW("sync %ld", syscall(SYS_sync));
    SHOW("pwritev %ld", syscall(SYS_pwritev, one, &lost, 1, 5L, 0L));
    SHOW("pwritev2 %ld", syscall(SYS_pwritev2, other, &lost, 1, 5L, 0L, 0));
    SHOW("renameat %ld", syscall(SYS_renameat, AT_FDCWD, "other", AT_FDCWD, "another"));
    pause();
}

// The kernel's timers have names of their own.
static void timer(void) {
    int made = -1;
    SHOW("timer_create %ld", syscall(SYS_timer_create, CLOCK_MONOTONIC, NULL, &made));
    SHOW("timer_delete %ld", syscall(SYS_timer_delete, made));
}

int main(int argc, char **argv) {
    if (argc > 1) {
        strcmp(argv[1], "files") == 0 ? files() : timer();
        return 0;
    }
    waits();
    datagrams();
    return 0;
}
