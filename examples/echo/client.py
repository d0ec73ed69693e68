# Greets the server once a second, and prints what comes back.
import socket
import sys
import time

host, port = sys.argv[2].split(":")
with socket.create_connection((host, int(port))) as connection, connection.makefile("rw") as lines:
    for number in range(1, 1000):
        lines.write(f"hello {number}\n")
        lines.flush()
        print("heard", lines.readline().strip())
        time.sleep(1)
