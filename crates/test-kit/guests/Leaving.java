import java.net.ServerSocket;

/** Ends while a thread of its own waits for a connection: the virtual machine waits for it, a little at a time. */
public class Leaving {
    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0);
        Thread waiting = new Thread(() -> {
            try {
                server.accept();
            } catch (java.io.IOException e) {
                System.out.println(e);
            }
        });
        waiting.start();
        Thread.sleep(1000);
        System.out.println("leaving");
        System.exit(0);
    }
}
