// Starts children in all ways; each prints what it is, and its parent waits for it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static char *self;

#define SHOW(...) do { printf(__VA_ARGS__); printf("\n"); fflush(stdout); } while (0)

static void wait_for(pid_t child) {
    int status;
    SHOW("waited %d", waitpid(child, &status, 0) == child);
    SHOW("exit code %d", WEXITSTATUS(status));
}

static void child_says(const char *text, int code) {
    usleep(10000);
    SHOW("%s", text);
    _exit(code);
}

static void run(const char *how) {
    char *args[] = {self, "child", (char *)how, NULL}, *bare[] = {"ONE=1", NULL};
    pid_t child = strcmp(how, "execv after vfork") ? fork() : vfork();
    if (child) {
        wait_for(child);
        return;
    }
    if (!strcmp(how, "execve")) execve(self, args, environ);
    if (!strcmp(how, "execve without an environment")) execve(self, args, bare);
    if (!strcmp(how, "execv") || !strcmp(how, "execv after vfork")) execv(self, args);
    if (!strcmp(how, "execvp")) execvp(self, args);
    if (!strcmp(how, "execvpe")) execvpe(self, args, bare);
    if (!strcmp(how, "execl")) execl(self, self, "child", how, NULL);
    if (!strcmp(how, "execle without an environment")) execle(self, self, "child", how, NULL, bare);
    if (!strcmp(how, "fexecve")) fexecve(open(self, O_RDONLY), args, environ);
    _exit(99);
}

static void spawn(int (*how)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                             char *const[], char *const[]), const char *name) {
    char *args[] = {self, "child", (char *)name, NULL};
    pid_t child;
    SHOW("%s %d", name, how(&child, self, NULL, NULL, args, environ));
    wait_for(child);
}

// A descriptor that a child closes before it becomes another program stays open here.
static void closed_in_a_child(void) {
    char *args[] = {self, "child", "posix_spawn, one descriptor less", NULL};
    struct itimerspec soon = {{0, 0}, {0, 30000000}};
    posix_spawn_file_actions_t actions;
    unsigned long long n;
    pid_t child;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &soon, NULL);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, timer);
    SHOW("posix_spawn %d", posix_spawn(&child, self, &actions, NULL, args, environ));
    wait_for(child);
    SHOW("the timer %zd", read(timer, &n, sizeof n));
    close(timer);
}

// The end of a pipe shows that all processes that had it are gone.
static void daemons(void) {
    int ends[2];
    char text[32] = {0};
    if (pipe(ends)) return;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (daemon(1, 1)) _exit(1);
        usleep(20000);
        if (write(ends[1], "from a daemon", 13) != 13) _exit(1);
        _exit(0);
    }
    close(ends[1]);
    wait_for(child);
    ssize_t n = read(ends[0], text, sizeof text);
    SHOW("%zd %s", n, text);
    SHOW("then %zd", read(ends[0], text, sizeof text));
    close(ends[0]);
}

// Starts children by functions in which libc itself forks.
static void by_libc(void) {
    char line[64] = "";
    int status = system("sleep 0.2; exit 6");
    SHOW("system %d", WEXITSTATUS(status));
    FILE *f = popen("sleep 0.2; echo from a pipe", "r");
    SHOW("popen %s", fgets(line, sizeof line, f) ? line : "nothing");
    status = pclose(f);
    SHOW("pclose %d", WEXITSTATUS(status));
}

static void closing(void) {
    int first = dup(0), last = dup(first);
    SHOW("close_range %d", close_range(first, last, 0));
    SHOW("closed %d", fcntl(last, F_GETFD) < 0 && errno == EBADF);
    pid_t child = fork();
    if (child == 0) {
        closefrom(3);
        child_says("all closed, still here", 5);
    }
    wait_for(child);
}

int main(int argc, char **argv) {
    self = argv[0];
    if (argc > 2) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        usleep(20000);
        SHOW("a new program by %s", argv[2]);
        return 3;
    }
    pid_t child = fork();
    if (child == 0) child_says("a child by fork", 4);
    struct rusage usage;
    int status;
    SHOW("wait4 %d", wait4(child, &status, 0, &usage) == child);
    SHOW("exit code %d", WEXITSTATUS(status));
    run("execve");
    run("execve without an environment");
    run("execv");
    run("execv after vfork");
    run("execvp");
    run("execvpe");
    run("execl");
    run("execle without an environment");
    run("fexecve");
    spawn(posix_spawn, "posix_spawn");
    spawn(posix_spawnp, "posix_spawnp");
    closed_in_a_child();
    daemons();
    by_libc();
    closing();
    return 0;
}
