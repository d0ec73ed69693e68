/**
 * Two threads that step: each sleeps for a while and then calls a method. One ends after the fifth step, by a class that is
 * not loaded before.
 */
public final class Points {
    static final class Note {
        final String text;
        final int[] numbers = {7, 8, 9};

        Note(String text) {
            this.text = text;
        }

        String loud() {
            return text.toUpperCase() + "!";
        }

        String fail() {
            throw new IllegalStateException(text);
        }
    }

    enum Phase { FIRST, SECOND }

    static final class Worker extends Thread {
        static int total;
        private final long period;
        private Phase phase = Phase.FIRST;
        private Note note = new Note("none");
        private int done;

        Worker(String name, long period) {
            super(name);
            this.period = period;
        }

        @Override
        public void run() {
            try {
                for (int step = 1; step <= 5; step++) {
                    Thread.sleep(period);
                    step(step, new Note("note " + step));
                }
                Last.say(getName());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Returns at two places. */
        int step(int step, Note next) {
            note = next;
            done = step;
            total++;
            if (step > 2) {
                phase = Phase.SECOND;
                System.out.println(getName() + " late step " + step);
                return -step;
            }
            System.out.println(getName() + " step " + step);
            return step;
        }
    }

    static final class Last {
        static void say(String name) {
            System.out.println(name + " is last");
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        long period = Long.parseLong(arguments[0]);
        var one = new Worker("worker-1", period);
        var two = new Worker("worker-2", period);
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
