// The three benchmarks of the 2009 paper, and two programs of TLA, in Java. In: a benchmark's name and n. Out: seconds of processor time of the
// thread, and result. Integers wrap.
import java.lang.management.ManagementFactory;

public class Peer {
    static long factorial(long n) {
        long acc = 1;
        while (n > 1) {
            acc *= n;
            n--;
        }
        return acc;
    }

    static long fibonacci(long n) {
        long a = 0, b = 1;
        while (n > 0) {
            long sum = a + b;
            a = b;
            b = sum;
            n--;
        }
        return b;
    }

    static abstract class Accumulator {
        long value;

        abstract void accumulate(long x);
    }

    static final class Count extends Accumulator {
        void accumulate(long x) {
            value++;
        }
    }

    static final class Add extends Accumulator {
        void accumulate(long x) {
            value += x;
        }
    }

    static long accumulator(long n) {
        Accumulator object = n < 0 ? new Count() : new Add();
        if (n < 0) {
            n = -n;
        }
        while (n > 0) {
            n--;
            object.accumulate(n);
        }
        return object.value;
    }

    static long fib(long n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static long subLoop(long m) {
        do {
            m--;
        } while (m >= 1);
        return m;
    }

    static long callabit(long n) {
        do {
            subLoop(n);
            n--;
        } while (n >= 1);
        return n;
    }

    static long run(String benchmark, long n) {
        switch (benchmark) {
            case "factorial":
                return factorial(n);
            case "fibonacci":
                return fibonacci(n);
            case "fib":
                return fib(n);
            case "callabit":
                return callabit(n);
            default:
                return accumulator(n);
        }
    }

    public static void main(String[] args) {
        long n = Long.parseLong(args[1]);
        for (int i = 0; i < 20; i++) {
            run(args[0], Math.min(n, 100000));
        }
        var threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        long result = run(args[0], n);
        long end = threads.getCurrentThreadCpuTime();
        System.out.printf(java.util.Locale.ROOT, "%.9f %d%n", (end - begin) / 1e9, result);
    }
}
