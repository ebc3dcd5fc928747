// The three benchmarks of the 2009 paper, and two programs of TLA, in C#. In: a benchmark's name and n. Out: seconds of processor time and result.
// Integers wrap.
using System;
using System.Globalization;
using System.Runtime.InteropServices;

abstract class Accumulator {
    public long value;
    public abstract void Accumulate(long x);
}

class Count : Accumulator {
    public override void Accumulate(long x) { value = value + 1; }
}

class Add : Accumulator {
    public override void Accumulate(long x) { value = value + x; }
}

[StructLayout(LayoutKind.Sequential)]
struct Timespec {
    public IntPtr seconds;
    public IntPtr nanoseconds;
}

static class Peer {
    const int ProcessCpuTime = 2;

    [DllImport("libc")]
    static extern int clock_gettime(int clock, out Timespec time);

    static double CpuSeconds() {
        Timespec time;
        clock_gettime(ProcessCpuTime, out time);
        return time.seconds.ToInt64() + time.nanoseconds.ToInt64() * 1e-9;
    }

    static long Factorial(long n) {
        long acc = 1;
        while (n > 1) { acc *= n; n--; }
        return acc;
    }

    static long Fibonacci(long n) {
        long a = 0, b = 1;
        while (n > 0) { long next = a + b; a = b; b = next; n--; }
        return b;
    }

    static long Accumulate(long n) {
        Accumulator obj;
        if (n < 0) { n = -n; obj = new Count(); } else { obj = new Add(); }
        while (n > 0) { n--; obj.Accumulate(n); }
        return obj.value;
    }

    static long Fib(long n) {
        return n < 2 ? n : Fib(n - 1) + Fib(n - 2);
    }

    static long SubLoop(long m) {
        do { m--; } while (m >= 1);
        return m;
    }

    static long Callabit(long n) {
        do { SubLoop(n); n--; } while (n >= 1);
        return n;
    }

    static long Run(string name, long n) {
        switch (name) {
            case "factorial": return Factorial(n);
            case "fibonacci": return Fibonacci(n);
            case "fib": return Fib(n);
            case "callabit": return Callabit(n);
            default: return Accumulate(n);
        }
    }

    static void Main(string[] args) {
        long n = long.Parse(args[1], CultureInfo.InvariantCulture);
        Run(args[0], Math.Min(n, 1000));
        double begin = CpuSeconds();
        long result = Run(args[0], n);
        double seconds = CpuSeconds() - begin;
        Console.WriteLine(seconds.ToString("F9", CultureInfo.InvariantCulture) + " " + result);
    }
}
