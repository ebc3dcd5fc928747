/* The three benchmarks of the 2009 paper in C. In: a benchmark's name and n. Out: seconds of processor time and result. Integers
 * wrap. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t factorial(int64_t n) {
    uint64_t acc = 1;
    while (n > 1) {
        acc *= (uint64_t)n;
        n--;
    }
    return (int64_t)acc;
}

static int64_t fibonacci(int64_t n) {
    uint64_t a = 0, b = 1;
    while (n > 0) {
        uint64_t next = a + b;
        a = b;
        b = next;
        n--;
    }
    return (int64_t)b;
}

struct object {
    void (*accumulate)(struct object *, int64_t);
    int64_t value;
};

static void count(struct object *self, int64_t x) {
    (void)x;
    self->value = (int64_t)((uint64_t)self->value + 1);
}

static void add(struct object *self, int64_t x) {
    self->value = (int64_t)((uint64_t)self->value + (uint64_t)x);
}

static int64_t accumulator(int64_t n) {
    struct object *volatile slot = malloc(sizeof(struct object));
    struct object *object = slot;
    object->accumulate = n < 0 ? count : add;
    object->value = 0;
    if (n < 0)
        n = -n;
    while (n > 0) {
        n--;
        object->accumulate(object, n);
    }
    int64_t result = object->value;
    free(object);
    return result;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    volatile int64_t n = strtoll(argv[2], NULL, 10);
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    int64_t result = !strcmp(argv[1], "factorial")   ? factorial(n)
                     : !strcmp(argv[1], "fibonacci") ? fibonacci(n)
                                                     : accumulator(n);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    printf("%.9f %lld\n", (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9,
           (long long)result);
    return 0;
}
