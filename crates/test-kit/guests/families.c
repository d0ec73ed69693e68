// Uses sockets of IPv6 that also carry IPv4: checks who reaches whom, and the addresses on either side.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SHOW(...) do { printf(__VA_ARGS__); printf("\n"); fflush(stdout); } while (0)

typedef union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} Address;

static Address address(const char *text, unsigned short port) {
    Address a;
    memset(&a, 0, sizeof a);
    if (inet_pton(AF_INET6, text, &a.v6.sin6_addr) == 1) {
        a.v6.sin6_family = AF_INET6;
        a.v6.sin6_port = htons(port);
    } else {
        inet_pton(AF_INET, text, &a.v4.sin_addr);
        a.v4.sin_family = AF_INET;
        a.v4.sin_port = htons(port);
    }
    return a;
}

static socklen_t length(const Address *a) {
    return a->any.sa_family == AF_INET6 ? sizeof a->v6 : sizeof a->v4;
}

static unsigned short port_of(const Address *a) {
    return ntohs(a->any.sa_family == AF_INET6 ? a->v6.sin6_port : a->v4.sin_port);
}

// Returns the address as text, without its port, which differs every time.
static const char *text(const Address *a) {
    static char buffers[4][64];
    static int next;
    char *buffer = buffers[next++ % 4];
    const void *ip = a->any.sa_family == AF_INET6 ? (const void *)&a->v6.sin6_addr : &a->v4.sin_addr;
    return inet_ntop(a->any.sa_family, ip, buffer, 64);
}

static const char *ends(int fd) {
    static char line[160];
    Address own, peer;
    socklen_t own_len = sizeof own, peer_len = sizeof peer;
    getsockname(fd, &own.any, &own_len);
    int has_peer = getpeername(fd, &peer.any, &peer_len) == 0;
    snprintf(line, sizeof line, "%s (%u) with %s", text(&own), own_len, has_peer ? text(&peer) : "nobody");
    return line;
}

static int made(int family, int kind, int alone) {
    int fd = socket(family, kind, 0);
    if (family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &alone, sizeof alone);
    return fd;
}

// Binds to an address; returns the port, zero if it failed.
static unsigned short bound(int fd, const char *where, unsigned short port) {
    Address a = address(where, port), own;
    socklen_t len = sizeof own;
    if (bind(fd, &a.any, length(&a)) != 0) {
        SHOW("bind to %s: %s", where, strerror(errno));
        return 0;
    }
    getsockname(fd, &own.any, &len);
    SHOW("bound to %s", text(&own));
    return port_of(&own);
}

static void dial(int server, int family, const char *where, unsigned short port) {
    int client = made(family, SOCK_STREAM, 0);
    Address a = address(where, port), peer;
    if (connect(client, &a.any, length(&a)) != 0) {
        SHOW("  to %s: %s", where, strerror(errno));
        close(client);
        return;
    }
    SHOW("  to %s: %s", where, ends(client));
    socklen_t len = sizeof peer;
    int accepted = accept(server, &peer.any, &len);
    SHOW("  from %s (%u): %s", text(&peer), len, ends(accepted));
    char word[8] = {0};
    send(client, "word", 4, 0);
    recv(accepted, word, sizeof word - 1, 0);
    SHOW("  says %s", word);
    close(client);
    close(accepted);
}

static void serve(int family, int alone, const char *where) {
    int server = made(family, SOCK_STREAM, alone);
    unsigned short port = bound(server, where, 0);
    if (port != 0) {
        listen(server, 5);
        dial(server, AF_INET, "127.0.0.1", port);
        dial(server, AF_INET6, "::ffff:127.0.0.1", port);
        dial(server, AF_INET6, "::1", port);
    }
    close(server);
}

static void clash(const char *one, int one_alone, const char *other, int other_alone) {
    int first = made(strchr(one, ':') ? AF_INET6 : AF_INET, SOCK_STREAM, one_alone);
    int second = made(strchr(other, ':') ? AF_INET6 : AF_INET, SOCK_STREAM, other_alone);
    unsigned short port = bound(first, one, 0);
    bound(second, other, port);
    close(first);
    close(second);
}

// Binds two sockets to one address, if both allow it.
static void share(int one_shares, int other_shares) {
    int first = made(AF_INET, SOCK_STREAM, 0), second = made(AF_INET, SOCK_STREAM, 0);
    setsockopt(first, SOL_SOCKET, SO_REUSEPORT, &one_shares, sizeof one_shares);
    setsockopt(second, SOL_SOCKET, SO_REUSEPORT, &other_shares, sizeof other_shares);
    unsigned short port = bound(first, "127.0.0.1", 0);
    bound(second, "127.0.0.1", port);
    close(first);
    close(second);
}

static void strangers(void) {
    long result;
    Address v4 = address("127.0.0.1", 1), v6 = address("::1", 1), mapped = address("::ffff:127.0.0.1", 1);
    int one = made(AF_INET, SOCK_STREAM, 0), other = made(AF_INET6, SOCK_STREAM, 0);
    int alone = made(AF_INET6, SOCK_STREAM, 1);
    result = bind(one, &v6.any, sizeof v6.v6);
    SHOW("bind %ld %s", result, strerror(errno));
    result = bind(other, &v4.any, sizeof v4.v4);
    SHOW("bind %ld %s", result, strerror(errno));
    result = connect(one, &v6.any, sizeof v6.v6);
    SHOW("connect %ld %s", result, strerror(errno));
    result = connect(other, &v4.any, sizeof v6.v6);
    SHOW("connect %ld %s", result, strerror(errno));
    result = connect(alone, &mapped.any, sizeof v6.v6);
    SHOW("connect %ld %s", result, strerror(errno));
    close(one);
    close(other);
    close(alone);
}

static void receive(int fd, Address *from) {
    struct pollfd readable = {fd, POLLIN, 0};
    char word[16] = {0};
    socklen_t len = sizeof *from;
    poll(&readable, 1, 1000);
    ssize_t n = recvfrom(fd, word, sizeof word - 1, 0, &from->any, &len);
    SHOW("%zd bytes from %s (%u): %s", n, text(from), len, word);
}

static void datagrams(void) {
    long result;
    int both = made(AF_INET6, SOCK_DGRAM, 0), four = made(AF_INET, SOCK_DGRAM, 0), six = made(AF_INET6, SOCK_DGRAM, 1);
    unsigned short at = bound(both, "::", 0);
    bound(four, "127.0.0.1", 0);
    bound(six, "::1", 0);
    Address to4 = address("127.0.0.1", at), to6 = address("::1", at), mapped = address("::ffff:127.0.0.1", at), from;
    sendto(four, "four", 4, 0, &to4.any, sizeof to4.v4);
    receive(both, &from);
    sendto(both, "back", 4, 0, &from.any, sizeof from.v6);
    receive(four, &from);
    sendto(six, "six", 3, 0, &to6.any, sizeof to6.v6);
    receive(both, &from);
    sendto(both, "back", 4, 0, &from.any, sizeof from.v6);
    receive(six, &from);
    SHOW("to oneself %zd", sendto(both, "self", 4, 0, &mapped.any, sizeof mapped.v6));
    receive(both, &from);
    SHOW("in the other form %zd", sendto(both, "form", 4, 0, &to4.any, sizeof to4.v4));
    receive(both, &from);
    result = sendto(six, "none", 4, 0, &mapped.any, sizeof mapped.v6);
    SHOW("alone %ld %s", result, strerror(errno));
    result = sendto(four, "none", 4, 0, &to6.any, sizeof to6.v6);
    SHOW("alone %ld %s", result, strerror(errno));
    result = connect(both, &mapped.any, sizeof mapped.v6);
    SHOW("connect %ld: %s", result, ends(both));
    SHOW("send %zd", send(both, "again", 5, 0));
    receive(both, &from);
}

int main(void) {
    serve(AF_INET6, 0, "::");
    serve(AF_INET6, 1, "::");
    serve(AF_INET6, 0, "::ffff:127.0.0.1");
    serve(AF_INET6, 0, "::ffff:0.0.0.0");
    serve(AF_INET6, 0, "::1");
    serve(AF_INET6, 1, "::ffff:127.0.0.1");
    serve(AF_INET, 0, "0.0.0.0");
    clash("::", 0, "0.0.0.0", 0);
    clash("0.0.0.0", 0, "::", 0);
    clash("::", 1, "0.0.0.0", 0);
    clash("127.0.0.1", 0, "::", 0);
    clash("::", 0, "::ffff:127.0.0.1", 0);
    clash("::1", 0, "127.0.0.1", 0);
    share(1, 1);
    share(1, 0);
    share(0, 1);
    strangers();
    datagrams();
    return 0;
}
