// Replaces a file by a new one through C's streams every second: write, flush, sync, rename. A second file gets another
// line each time, which is never synced.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    for (;;) {
        sleep(1);
        FILE *data = fopen("data.tmp", "w");
        if (!data || fprintf(data, "%s line\n", "one") != 9 || fflush(data) || fsync(fileno(data))) return 1;
        fclose(data);
        if (rename("data.tmp", "data")) return 1;
        FILE *log = fopen("log", "a");
        fputs("saved\n", log);
        fclose(log);
        puts("saved");
        fflush(stdout);
    }
}
