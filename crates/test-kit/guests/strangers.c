// Starts the given program in all ways, and prints the result; then starts an ordinary program.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define SHOW(...) do { printf(__VA_ARGS__); printf("\n"); fflush(stdout); } while (0)

static void run(const char *how, const char *program) {
    char *args[] = {(char *)program, NULL};
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (!strcmp(how, "execve")) execve(program, args, environ);
        if (!strcmp(how, "execl")) execl(program, program, NULL);
        if (!strcmp(how, "execvp")) execvp(program, args);
        if (!strcmp(how, "fexecve")) fexecve(open(program, O_RDONLY | O_CLOEXEC), args, environ);
        if (!strcmp(how, "by number")) syscall(SYS_execve, program, args, environ);
        SHOW("%s: %s", how, strerror(errno));
        _exit(99);
    }
    waitpid(child, &status, 0);
    SHOW("%s ended with %d", how, WEXITSTATUS(status));
}

static void spawn(const char *how, const char *program) {
    char *args[] = {(char *)program, NULL};
    int status;
    pid_t child;
    int error = (strcmp(how, "posix_spawnp") ? posix_spawn : posix_spawnp)(&child, program, NULL, NULL, args, environ);
    if (error) {
        SHOW("%s: %s", how, strerror(error));
        return;
    }
    waitpid(child, &status, 0);
    SHOW("%s ended with %d", how, WEXITSTATUS(status));
}

// libc forks by itself here.
static void on_a_terminal(char *program) {
    char *args[] = {program, NULL};
    int status, terminal;
    pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    if (child == 0) {
        execv(program, args);
        _exit(errno == EACCES ? 98 : 99);
    }
    waitpid(child, &status, 0);
    SHOW("forkpty ended with %d", WEXITSTATUS(status));
    close(terminal);
}

int main(int argc, char **argv) {
    const char *ways[] = {"execve", "execl", "execvp", "fexecve", "by number"};
    for (int i = 0; i < 5; i++) run(ways[i], argv[argc - 1]);
    spawn("posix_spawn", argv[argc - 1]);
    spawn("posix_spawnp", argv[argc - 1]);
    on_a_terminal(argv[argc - 1]);
    run("execvp", "true");
    return 0;
}
