// Sends datagrams to itself: checks who sent what, and how long a wait takes.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);

#define SHOW(...) do { printf(__VA_ARGS__); printf("\n"); fflush(stdout); } while (0)
#define ONE 17311
#define TWO 17312

static struct sockaddr_in address(unsigned short port) {
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons(port)};
    addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return addr;
}

static int bound(unsigned short port) {
    struct sockaddr_in addr = address(port);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    SHOW("bind %d", bind(fd, (struct sockaddr *)&addr, sizeof addr));
    return fd;
}

static void wait_for(int fd) {
    struct pollfd readable = {fd, POLLIN, 0};
    SHOW("poll %d", poll(&readable, 1, 10000));
}

static void messages(int from, int to) {
    struct sockaddr_in target = address(TWO), source;
    struct iovec part = {"three", 5}, four = {"four", 4}, into[2];
    struct msghdr message = {&target, sizeof target, &part, 1, NULL, 0, 0};
    SHOW("sendmsg %zd", sendmsg(from, &message, 0));
    char buffers[2][32];
    memset(buffers, 0, sizeof buffers);
    into[0] = (struct iovec){buffers[0], 32};
    struct msghdr received = {&source, sizeof source, into, 1, NULL, 0, 0};
    wait_for(to);
    SHOW("recvmsg %zd", recvmsg(to, &received, 0));
    SHOW("is %s, from %s", buffers[0], source.sin_port ? "a port" : "no port");
    struct mmsghdr many[2] = {{.msg_hdr = message}, {.msg_hdr = message}};
    many[1].msg_hdr.msg_iov = &four;
    SHOW("sendmmsg %d", sendmmsg(from, many, 2, 0));
    SHOW("of %u", many[1].msg_len);
    wait_for(to);
    struct mmsghdr got[2];
    memset(got, 0, sizeof got);
    memset(buffers, 0, sizeof buffers);
    for (int i = 0; i < 2; i++) {
        into[i] = (struct iovec){buffers[i], 32};
        got[i].msg_hdr.msg_iov = &into[i];
        got[i].msg_hdr.msg_iovlen = 1;
    }
    int n = recvmmsg(to, got, 2, 0, NULL);
    SHOW("recvmmsg %d %s %s", n, buffers[0], buffers[1]);
}

// Sends to a port without a receiver: a connected socket is told so, by its next call and in polls.
static void nobody(void) {
    struct sockaddr_in target = address(17313);
    struct pollfd waiting = {socket(AF_INET, SOCK_DGRAM, 0), POLLIN, 0};
    int error = 0, fd = waiting.fd;
    socklen_t len = sizeof error;
    char buffer[8];
    SHOW("sendto %zd", sendto(fd, "x", 1, 0, (struct sockaddr *)&target, sizeof target));
    SHOW("not connected %d", poll(&waiting, 1, 20));
    SHOW("connect %d", connect(fd, (struct sockaddr *)&target, sizeof target));
    SHOW("send %zd", send(fd, "x", 1, 0));
    SHOW("recv %zd %s", recv(fd, buffer, sizeof buffer, 0), strerror(errno));
    SHOW("send %zd", send(fd, "x", 1, 0));
    SHOW("poll %d", poll(&waiting, 1, 10000));
    SHOW("error %d", (waiting.revents & POLLERR) != 0);
    SHOW("send %zd %s", send(fd, "x", 1, 0), strerror(errno));
    SHOW("send %zd", send(fd, "x", 1, 0));
    SHOW("poll %d", poll(&waiting, 1, 10000));
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
    SHOW("told once: %s", strerror(error));
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
    SHOW("then %d", error);
    SHOW("still connected %zd", write(fd, "x", 1));
    close(fd);
}

int main(void) {
    int one = bound(ONE), two = bound(TWO);
    struct sockaddr_in target = address(TWO), source;
    socklen_t len = sizeof source;
    char buffer[32] = {0};
    SHOW("sendto %zd", sendto(one, "first", 5, 0, (struct sockaddr *)&target, sizeof target));
    SHOW("recvfrom %zd", recvfrom(two, buffer, 32, 0, (struct sockaddr *)&source, &len));
    SHOW("is %s", buffer);
    SHOW("from %d %s", ntohs(source.sin_port), inet_ntoa(source.sin_addr));
    SHOW("connect %d", connect(one, (struct sockaddr *)&target, sizeof target));
    SHOW("send %zd", send(one, "second", 6, 0));
    wait_for(two);
    SHOW("recvfrom_chk %zd", __recvfrom_chk(two, buffer, 32, 32, 0, NULL, NULL));
    target = address(ONE);
    SHOW("answer %zd", sendto(two, "answer", 6, 0, (struct sockaddr *)&target, sizeof target));
    SHOW("recv %zd", recv(one, buffer, 32, 0));
    int fresh = socket(AF_INET, SOCK_DGRAM, 0);
    target = address(TWO);
    SHOW("without a port %zd", sendto(fresh, "x", 1, 0, (struct sockaddr *)&target, sizeof target));
    SHOW("recv %zd", recvfrom(two, buffer, 32, 0, (struct sockaddr *)&source, &len));
    SHOW("it has one now %d", source.sin_port != 0);
    messages(fresh, two);
    struct timeval limit = {0, 20000};
    setsockopt(two, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    SHOW("nothing more %d", recv(two, buffer, 32, 0) < 0 && errno == EAGAIN);
    nobody();
    SHOW("not now %d", recv(two, buffer, 32, MSG_DONTWAIT) < 0 && errno == EAGAIN);
    return 0;
}
