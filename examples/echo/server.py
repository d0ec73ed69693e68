# Sends every line back.
import socket
import sys

host, port = sys.argv[1].split(":")
listener = socket.create_server((host, int(port)))
while True:
    connection, _ = listener.accept()
    try:
        with connection, connection.makefile("rw") as lines:
            for line in lines:
                lines.write(line)
                lines.flush()
    except ConnectionResetError:
        print("lost a client")
