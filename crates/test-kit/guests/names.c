// Names of hosts: numbers, the loopback, and the one that is given.
#define _GNU_SOURCE
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static void look_up(const char *name, const char *service, int flags) {
    struct addrinfo hints, *found;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags;
    int error = getaddrinfo(name, service, &hints, &found);
    printf("%s %s\n", name ? name : "nothing", error ? gai_strerror(error) : "found");
    if (!error) freeaddrinfo(found);
}

int main(int argc, char **argv) {
    look_up("127.0.0.1", "80", 0);
    look_up("localhost", "7001", 0);
    look_up(NULL, "7001", AI_PASSIVE);
    if (argc > 1) look_up(argv[1], "80", 0);
    return 0;
}
