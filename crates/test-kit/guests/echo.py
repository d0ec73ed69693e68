"""One node listens and echoes, the other sends a line each second and prints what comes back."""
import selectors
import socket
import sys
import time

role, port = sys.argv[1], int(sys.argv[2])


def show(*words):
    print(*words, flush=True)


if role == "server":
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen()
    show("listening", listener.getsockname())
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                conn, peer = listener.accept()
                conn.setblocking(False)
                show("accepted", peer, conn.getpeername() == peer, conn.getsockname())
                selector.register(conn, selectors.EVENT_READ)
            else:
                try:
                    data = key.fileobj.recv(4096)
                except OSError as error:
                    show("failed", error.strerror)
                    data = b""
                if data:
                    show("got", data)
                    key.fileobj.send(data)
                else:
                    show("closed")
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
else:
    conn = socket.socket()
    try:
        conn.connect(("127.0.0.1", port))
    except OSError as error:
        show("failed", error.strerror)
        sys.exit(1)
    show("connected", conn.getsockname(), conn.getpeername())
    for i in range(3):
        conn.sendall(b"hello %d\n" % i)
        try:
            show("back", conn.recv(4096))
        except OSError as error:
            show("failed", error.strerror)
            sys.exit(1)
        time.sleep(1)
    conn.close()
    show("done")
    time.sleep(60)
