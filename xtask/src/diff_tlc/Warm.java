// Runs TLC again and again in one process, since most of a short run is the start of the JVM.
//
// Each line of the input has TLC's options, separated by tabs; after each run a line ends its output and gives the
// exit code. TLC keeps names, and with them their order, from one run to the next: whoever finds something must
// confirm it in a process of its own.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;

import tlc2.TLC;
import tlc2.TLCGlobals;
import tlc2.output.EC;
import util.FileUtil;
import util.InternTable;
import util.SimpleFilenameToStream;
import util.UniqueString;

public class Warm {
    public static void main(String[] none) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int exit = run(line.split("\t"));
            System.out.flush();
            System.out.println();
            System.out.println("@!@!@ENDRUN " + exit + " @!@!@");
            System.out.flush();
        }
    }

    /** A name keeps its place in the table of variables and definitions, where it would mean another thing. */
    private static void forgetPlaces() throws ReflectiveOperationException {
        Field names = InternTable.class.getDeclaredField("table");
        names.setAccessible(true);
        for (UniqueString name : (UniqueString[]) names.get(UniqueString.internTbl)) {
            if (name != null) {
                name.setLoc(-1);
            }
        }
        UniqueString.setVariableCount(0);
    }

    private static int run(String[] options) {
        try {
            forgetPlaces();
            TLC tlc = new TLC();
            if (!tlc.handleParameters(options)) {
                return 1;
            }
            tlc.setResolver(new SimpleFilenameToStream(FileUtil.parseDirname(tlc.getMainFile())));
            int code = tlc.process();
            TLCGlobals.mainChecker = null;
            return EC.ExitStatus.errorConstantToExitStatus(code);
        } catch (Throwable problem) {
            System.out.println("TLC threw " + problem);
            return 255;
        }
    }
}
