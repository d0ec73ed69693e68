// Connects to itself over the loopback: connections, polling in all ways, and addresses.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int fcntl64(int, int, ...);
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);

#define SHOW(...) do { printf(__VA_ARGS__); printf("\n"); fflush(stdout); } while (0)

static int family;
static unsigned short port;

static socklen_t address(struct sockaddr_storage *addr, unsigned short to) {
    memset(addr, 0, sizeof *addr);
    if (family == AF_INET) {
        struct sockaddr_in *in = (struct sockaddr_in *)addr;
        in->sin_family = AF_INET;
        in->sin_port = htons(to);
        in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return sizeof *in;
    }
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)addr;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons(to);
    in6->sin6_addr = in6addr_loopback;
    return sizeof *in6;
}

static const char *name(int fd, int (*get)(int, struct sockaddr *, socklen_t *)) {
    static char text[64];
    struct sockaddr_storage addr;
    socklen_t len = sizeof addr;
    if (get(fd, (struct sockaddr *)&addr, &len)) return strerror(errno);
    unsigned short p = ntohs(family == AF_INET ? ((struct sockaddr_in *)&addr)->sin_port
                                               : ((struct sockaddr_in6 *)&addr)->sin6_port);
    snprintf(text, sizeof text, "%s", p == port ? "the port" : p ? "a port" : "no port");
    return text;
}

static int dial(int flags, unsigned short to) {
    struct sockaddr_storage addr;
    socklen_t len = address(&addr, to);
    int fd = socket(family, SOCK_STREAM | flags, 0);
    int result = connect(fd, (struct sockaddr *)&addr, len);
    SHOW("connect %s", result ? strerror(errno) : "ok");
    return fd;
}

static int error_of(int fd) {
    int error = -1;
    socklen_t len = sizeof error;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
    return error;
}

static int listener(void) {
    struct sockaddr_storage addr;
    socklen_t len = address(&addr, port);
    int one = 1, fd = socket(family, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    SHOW("bind %d", bind(fd, (struct sockaddr *)&addr, len));
    SHOW("listen %d", listen(fd, 8));
    SHOW("at %s", name(fd, getsockname));
    int twin = socket(family, SOCK_STREAM, 0);
    SHOW("taken: %s", bind(twin, (struct sockaddr *)&addr, len) ? strerror(errno) : "no");
    close(twin);
    return fd;
}

// A thread that waits on a descriptor until it is readable, in one of several ways.
static void *echo(void *arg) {
    int fd = *(int *)arg;
    char buffer[256];
    ssize_t n;
    while ((n = recv(fd, buffer, sizeof buffer, 0)) > 0) send(fd, buffer, n, MSG_NOSIGNAL);
    close(fd);
    return NULL;
}

static void converse(int fd) {
    char buffer[64] = {0};
    struct iovec parts[2] = {{"one ", 4}, {"two", 3}};
    SHOW("writev %zd", writev(fd, parts, 2));
    struct pollfd readable = {fd, POLLIN, 0};
    SHOW("poll %d", poll(&readable, 1, 10000));
    SHOW("ready %#x", readable.revents);
    SHOW("read_chk %zd", __read_chk(fd, buffer, 4, sizeof buffer));
    struct iovec into[1] = {{buffer + 4, 32}};
    SHOW("readv %zd", readv(fd, into, 1));
    SHOW("is %s", buffer);
    SHOW("write %zd", write(fd, "!", 1));
    SHOW("read %zd", read(fd, buffer, 1));
    SHOW("write %zd", write(fd, "three", 5));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    struct timeval limit = {10, 0};
    SHOW("select %d", select(fd + 1, &set, NULL, NULL, &limit));
    SHOW("is set %d", FD_ISSET(fd, &set));
    int waiting = 0;
    ioctl(fd, FIONREAD, &waiting);
    SHOW("waiting %d", waiting);
    memset(buffer, 0, sizeof buffer);
    SHOW("peek %zd", recv(fd, buffer, 2, MSG_PEEK));
    SHOW("recv_chk %zd", __recv_chk(fd, buffer, 64, 64, 0));
    SHOW("is %s", buffer);
}

// Edge triggered: one event for each arrival, none while nothing new comes.
static void edges(int fd) {
    int epoll = epoll_create(1);
    struct epoll_event event = {EPOLLIN | EPOLLET, {.u64 = 77}}, got;
    char buffer[64];
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    send(fd, "abc", 3, 0);
    SHOW("edge %d", epoll_wait(epoll, &got, 1, 10000));
    SHOW("of %d", (int)got.data.u64);
    SHOW("no second edge %d", epoll_wait(epoll, &got, 1, 50));
    SHOW("taken %zd", recv(fd, buffer, sizeof buffer, MSG_DONTWAIT));
    send(fd, "d", 1, 0);
    SHOW("next edge %d", epoll_wait(epoll, &got, 1, 10000));
    event.events = EPOLLIN;
    epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
    SHOW("level %d", epoll_wait(epoll, &got, 1, 10000));
    SHOW("level again %d", epoll_wait(epoll, &got, 1, 10000));
    SHOW("taken %zd", recv(fd, buffer, sizeof buffer, 0));
    SHOW("nothing %d", epoll_wait(epoll, &got, 1, 50));
    close(epoll);
}

// A connection that is asked for without waiting shows its outcome by becoming writable.
static int dial_without_waiting(unsigned short to) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    int fd = dial(SOCK_NONBLOCK, to);
    struct epoll_event event = {EPOLLOUT | EPOLLET, {.fd = fd}}, got;
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    int n = epoll_wait(epoll, &got, 1, 10000);
    SHOW("outcome %d %s, %s", n, got.events & EPOLLERR ? "error" : "writable", strerror(error_of(fd)));
    SHOW("error is told once: %s", strerror(error_of(fd)));
    close(epoll);
    return fd;
}

static void copies(int fd) {
    char buffer[64];
    int copy = dup(fd), second = fcntl(fd, F_DUPFD_CLOEXEC, 100), third = dup2(fd, 120), fourth = dup3(fd, 121, 0);
    SHOW("copies %d %d %d", second >= 100, third, fourth);
    SHOW("flags %d", (fcntl64(copy, F_GETFL) & O_NONBLOCK) == 0);
    SHOW("peer of a copy %s", name(copy, getpeername));
    send(copy, "xyz", 3, 0);
    SHOW("through a copy %zd", recv(second, buffer, 3, MSG_WAITALL));
    close(copy), close(second), close(third), close(fourth);
}

static void files(int fd) {
    char buffer[64];
    int file = fileno(tmpfile()), ends[2];
    off_t offset = 0;
    SHOW("filled %zd", write(file, "0123456789", 10));
    SHOW("sendfile %zd", sendfile(fd, file, &offset, 6));
    SHOW("sendfile64 %zd", sendfile64(fd, file, &offset, 4));
    int n = 0;
    while (n < 10) n += recv(fd, buffer + n, sizeof buffer - n, 0);
    if (pipe(ends)) return;
    SHOW("piped %zd", write(ends[1], "pipe", 4));
    SHOW("splice %zd", splice(ends[0], NULL, fd, NULL, 4, 0));
    n = 0;
    while (n < 4) n += recv(fd, buffer + n, sizeof buffer - n, 0);
    SHOW("came back %d", n);
    close(file), close(ends[0]), close(ends[1]);
}

// A connection behind two of C's streams.
static void streams_of_c(int fd) {
    char line[32] = "";
    FILE *out = fdopen(dup(fd), "w"), *in = fdopen(dup(fd), "r");
    SHOW("fprintf %d", fprintf(out, "line %d\n", 1));
    SHOW("fflush %d", fflush(out));
    SHOW("fgets %s", fgets(line, sizeof line, in) ? line : "nothing");
    fputs("line 2\n", out);
    SHOW("fclose %d", fclose(out));
    SHOW("fgets %s", fgets(line, sizeof line, in) ? line : "nothing");
    SHOW("fclose %d", fclose(in));
}

static void time_outs(int fd) {
    struct timeval limit = {0, 30000}, kept;
    socklen_t len = sizeof kept;
    char byte;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &kept, &len);
    SHOW("time-out kept %d", kept.tv_usec >= 30000);
    SHOW("time-out %s", recv(fd, &byte, 1, 0) < 0 && errno == EAGAIN ? "came" : "did not come");
}

int main(int argc, char **argv) {
    family = argc > 1 && strcmp(argv[1], "6") == 0 ? AF_INET6 : AF_INET;
    port = family == AF_INET ? 17301 : 17302;
    pthread_t threads[2];
    SHOW("refused:");
    close(dial(0, port));
    close(dial_without_waiting(port));
    int listening = listener();
    SHOW("accepted:");
    int one = dial(0, port);
    struct sockaddr_storage peer;
    socklen_t len = sizeof peer;
    int served = accept(listening, (struct sockaddr *)&peer, &len);
    SHOW("dialler at %s", name(one, getsockname));
    SHOW("to %s", name(one, getpeername));
    SHOW("server at %s", name(served, getsockname));
    SHOW("from %s", name(served, getpeername));
    pthread_create(&threads[0], NULL, echo, &served);
    converse(one);
    edges(one);
    copies(one);
    files(one);
    streams_of_c(one);
    time_outs(one);
    SHOW("shutdown %d", shutdown(one, SHUT_WR));
    char byte;
    struct timeval none = {0, 0};
    setsockopt(one, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none);
    SHOW("end %zd", recv(one, &byte, 1, 0));
    pthread_join(threads[0], NULL);
    int two = dial_without_waiting(port);
    int nonblocking = 1;
    ioctl(listening, FIONBIO, &nonblocking);
    struct pollfd waiting = {listening, POLLIN, 0};
    SHOW("poll listener %d", poll(&waiting, 1, 10000));
    int served_two = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    pthread_create(&threads[1], NULL, echo, &served_two);
    SHOW("accept again %s", accept(listening, NULL, NULL) < 0 && errno == EAGAIN ? "nobody" : "somebody");
    edges(two);
    close(two);
    pthread_join(threads[1], NULL);
    SHOW("not connected: %s", name(socket(family, SOCK_STREAM, 0), getpeername));
    return 0;
}
