import java.util.concurrent.LinkedBlockingQueue;

/** Four threads race: they take from a queue what others put there, and each says so, thirty times. */
public final class Race {
    public static void main(String[] arguments) throws InterruptedException {
        var queue = new LinkedBlockingQueue<Integer>();
        var lines = new StringBuffer();
        var threads = new Thread[4];
        for (int number = 0; number < threads.length; number++) {
            var own = number;
            threads[number] = new Thread(() -> run(queue, lines, own));
            threads[number].start();
        }
        for (var thread : threads) {
            thread.join();
        }
        System.out.print(lines);
    }

    private static void run(LinkedBlockingQueue<Integer> queue, StringBuffer lines, int own) {
        try {
            for (int round = 0; round < 30; round++) {
                queue.put(own);
                if (round % 3 == 0) {
                    Thread.yield();
                }
                lines.append(own).append(" took ").append(queue.take()).append('\n');
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
