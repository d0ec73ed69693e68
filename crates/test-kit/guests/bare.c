// A program without libc and without a dynamic linker: it ends with 7.
void _start(void) {
#if defined(__x86_64__)
    __asm__ volatile("syscall" : : "a"(231), "D"(7));
#elif defined(__aarch64__)
    register long number __asm__("x8") = 94, code __asm__("x0") = 7;
    __asm__ volatile("svc 0" : : "r"(number), "r"(code));
#endif
    for (;;) {}
}
