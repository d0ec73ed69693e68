// Does nothing but look at the clock until a time has passed, as programs do that measure how fast they are.
#include <stdio.h>
#include <time.h>

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static long spin(long ms) {
    long long begin = now();
    while (now() - begin < ms * 1000000ll) {}
    return (now() - begin) / 1000000;
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("begun");
    printf("spun %ld\n", spin(20));
    struct timespec second = {1, 0};
    nanosleep(&second, NULL);
    puts("slept");
    printf("spun %ld\n", spin(1));
    return 0;
}
