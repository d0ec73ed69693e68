// A virtual machine that listens, echoes and parks, with a thread for each connection.
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

public class Echo {
    static void show(String line) {
        System.out.println(line);
        System.out.flush();
    }

    static void echo(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[4096];
            for (int n; (n = in.read(buffer)) > 0; ) socket.getOutputStream().write(buffer, 0, n);
            show("server: end");
        } catch (Exception e) {
            show("server: " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        int port = 17321;
        ServerSocket listener = new ServerSocket(port, 8, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(() -> {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    new Thread(() -> echo(socket)).start();
                }
            } catch (Exception e) {
                show("listener closed");
            }
        });
        acceptor.start();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            show("connected " + socket.getPort());
            byte[] buffer = new byte[100];
            for (int i = 0; i < 3; i++) {
                long before = System.nanoTime();
                socket.getOutputStream().write(("hello " + i).getBytes());
                int n = socket.getInputStream().read(buffer);
                show("back " + new String(buffer, 0, n));
                Thread.sleep(50);
                LockSupport.parkNanos(20_000_000);
                show("waited " + (System.nanoTime() - before >= 70_000_000));
            }
            socket.setSoTimeout(30);
            try {
                socket.getInputStream().read();
            } catch (java.net.SocketTimeoutException e) {
                show("time-out");
            }
        }
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        show("poll " + queue.poll(40, TimeUnit.MILLISECONDS));
        new Thread(() -> {
            LockSupport.parkNanos(10_000_000);
            queue.add(7);
        }).start();
        show("take " + queue.take());
        listener.close();
        acceptor.join();
        show("days agree " + (System.currentTimeMillis() / 1000 >= 1_600_000_000));
    }
}
