/* Two programs of TLA in C. In: a program's name and n. Out: seconds of processor time and result. Integers wrap. The calls stay calls,
 * and the empty asm keeps the compiler from knowing what a loop that only counts leaves behind. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static __attribute__((noinline)) int64_t fib(int64_t n) {
    if (n < 2)
        return n;
    return (int64_t)((uint64_t)fib(n - 1) + (uint64_t)fib(n - 2));
}

static __attribute__((noinline)) int64_t sub_loop(int64_t n) {
    int64_t m = n;
    do {
        m = (int64_t)((uint64_t)m - 1);
        __asm__ volatile("" : "+r"(m));
    } while (!(m < 1));
    return m;
}

static int64_t callabit(int64_t n) {
    do {
        sub_loop(n);
        n = (int64_t)((uint64_t)n - 1);
    } while (!(n < 1));
    return n;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    volatile int64_t n = strtoll(argv[2], NULL, 10);
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    int64_t result = !strcmp(argv[1], "fib") ? fib(n) : callabit(n);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    printf("%.9f %lld\n", (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9,
           (long long)result);
    return 0;
}
