// A virtual machine that does something every second, and whose own threads do things more often.
public class Seconds {
    public static void main(String[] args) throws Exception {
        for (int second = 1; second <= 1000; second++) {
            Thread.sleep(1000);
            System.out.println("second " + second);
            System.out.flush();
        }
    }
}
