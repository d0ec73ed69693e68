// Forbids memory of this process, and of the program that it becomes, that can be both written and executed.
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif

int main(int argc, char **argv) {
    char *args[] = {argv[0], "again", NULL};
    if (argc == 1) {
        printf("%s\n", prctl(PR_SET_MDWE, 1UL, 0UL, 0UL, 0UL) ? "open" : "sealed");
        fflush(stdout);
        execv("/proc/self/exe", args);
    }
    printf("%s\n", argv[1]);
    return 0;
}
