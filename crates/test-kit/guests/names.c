// Names of hosts: numbers, the loopback, and the one that is given.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
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

static void say(const char *what, const struct hostent *host) {
    printf("%s %s\n", what, host ? "found" : h_errno == HOST_NOT_FOUND ? "not found" : "failed");
}

// The older functions, with and without a place for the answer.
static void look_up_host(const char *name) {
    struct hostent host, *found = NULL;
    char buffer[4096];
    int problem = 0;
    say("gethostbyname", gethostbyname(name));
    say("gethostbyname2", gethostbyname2(name, AF_INET));
    int error = gethostbyname_r(name, &host, buffer, sizeof buffer, &found, &problem);
    printf("gethostbyname_r %d %d %d\n", error, found != NULL, problem);
    error = gethostbyname2_r(name, AF_INET, &host, buffer, sizeof buffer, &found, &problem);
    printf("gethostbyname2_r %d %d %d\n", error, found != NULL, problem);
}

static void look_up_address(const char *text) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(7001)};
    struct hostent host, *found = NULL;
    char buffer[4096], name[256], service[64];
    int problem = 0;
    inet_pton(AF_INET, text, &place.sin_addr);
    say("gethostbyaddr", gethostbyaddr(&place.sin_addr, 4, AF_INET));
    int error = gethostbyaddr_r(&place.sin_addr, 4, AF_INET, &host, buffer, sizeof buffer, &found, &problem);
    printf("gethostbyaddr_r %d %d %d\n", error, found != NULL, problem);
    int flags[] = {NI_NUMERICHOST | NI_NUMERICSERV, NI_NUMERICSERV, NI_NAMEREQD};
    for (int i = 0; i < 3; i++) {
        error = getnameinfo((struct sockaddr *)&place, sizeof place, name, sizeof name, service, sizeof service, flags[i]);
        printf("getnameinfo %s\n", error ? gai_strerror(error) : name);
    }
}

int main(int argc, char **argv) {
    look_up("127.0.0.1", "80", 0);
    look_up("localhost", "7001", 0);
    look_up(NULL, "7001", AI_PASSIVE);
    look_up_host("127.0.0.1");
    look_up_host("localhost");
    look_up_address("127.0.0.1");
    if (argc > 2) {
        look_up_host(argv[1]);
        look_up_address(argv[2]);
    }
    if (argc > 1) look_up(argv[1], "80", 0);
    return 0;
}
