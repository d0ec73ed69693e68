// Sends queries to name servers, under all the names that glibc has for them; not to be run where they are answered.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>

static const char *names[] = {
    "res_query", "res_search", "res_querydomain", "res_send",
    "res_nquery", "res_nsearch", "res_nquerydomain", "res_nsend",
    "__res_query", "__res_search", "__res_querydomain", "__res_send",
    "__res_nquery", "__res_nsearch", "__res_nquerydomain", "__res_nsend",
};

int main(void) {
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        int (*ask)(long, long, long, long, long, long, long) = dlsym(RTLD_DEFAULT, names[i]);
        h_errno = errno = 0;
        int n = ask(0, 0, 0, 0, 0, 0, 0);
        printf("%s %d %d %d\n", names[i], n, h_errno == HOST_NOT_FOUND, errno == ECONNREFUSED);
    }
    struct gaicb question = {.ar_name = "localhost"}, *list[] = {&question};
    printf("getaddrinfo_a %d\n", getaddrinfo_a(GAI_WAIT, list, 1, NULL) == EAI_SYSTEM && errno == ENOSYS);
    return 0;
}
