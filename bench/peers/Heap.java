// Nodes that are made and linked, and a tree to collect, in Java. In: what, and n. Out: seconds of processor time of the process, whose collector
// has a thread of its own, and a result.
import java.lang.management.ManagementFactory;

public class Heap {
    static final class Node {
        long value;
        Node next;

        Node(long value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    static final class Tree {
        long value;
        Tree left, right;
    }

    static final Node[] NODES = new Node[1024];

    static long make(long n) {
        Node chain = null;
        while (n > 0) {
            chain = new Node(n, chain);
            if ((n & 63) == 0) {
                chain = null;
            }
            n--;
        }
        return chain.value;
    }

    static long link(long n) {
        while (n > 0) {
            NODES[(int) n & 1023].next = NODES[(int) (n + 7) & 1023];
            n--;
        }
        return NODES[1].next.value;
    }

    static long count(long n) {
        while (n > 0) {
            NODES[(int) n & 1023].value = n;
            n--;
        }
        return NODES[7].value;
    }

    static Tree tree(long depth) {
        Tree tree = new Tree();
        if (depth > 0) {
            tree.left = tree(depth - 1);
            tree.right = tree(depth - 1);
        }
        return tree;
    }

    static long nodes(Tree tree) {
        return tree.left == null ? 1 : 1 + nodes(tree.left) + nodes(tree.right);
    }

    static long run(String what, long n) {
        switch (what) {
            case "make":
                return make(n);
            case "link":
                return link(n);
            default:
                return count(n);
        }
    }

    static long now() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime();
    }

    public static void main(String[] args) {
        for (int i = 0; i < NODES.length; i++) {
            NODES[i] = new Node(i, null);
        }
        long n = Long.parseLong(args[1]);
        long begin, end, result;
        if (args[0].equals("trees")) {
            Tree kept = tree(n);
            System.gc();
            begin = now();
            System.gc();
            end = now();
            result = nodes(kept);
        } else {
            for (int i = 0; i < 20; i++) {
                run(args[0], 1000000);
            }
            begin = now();
            result = run(args[0], n);
            end = now();
        }
        System.out.printf(java.util.Locale.ROOT, "%.9f %d%n", (end - begin) / 1e9, result);
    }
}
