// Tries to set the clock, which a program must not do here.
#include <errno.h>
#include <stdio.h>
#include <time.h>

int main(void) {
    struct timespec now = {1, 0};
    int set = clock_settime(CLOCK_REALTIME, &now);
    printf("%d %d\n", set, errno == EPERM);
    return 0;
}
