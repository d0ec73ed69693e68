"""Connects, not waiting, and sends, twice; says what came of each, and what the socket says when both are done."""
import errno
import select
import socket
import sys
import threading

port = int(sys.argv[1])
made = []


def attempt(what, act):
    try:
        print(what, act(), flush=True)
    except OSError as error:
        print(what, errno.errorcode[error.errno], flush=True)


for _ in range(2):
    sock = socket.socket()
    sock.setblocking(False)
    sock.connect_ex(("127.0.0.1", port))
    poll = select.poll()
    poll.register(sock, select.POLLOUT)
    poll.poll()
    attempt("connected", lambda: sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0)
    attempt("first", lambda: sock.send(b"one"))
    attempt("second", lambda: sock.send(b"two"))
    attempt("received", lambda: sock.recv(10))
    made.append(sock)
threading.Event().wait()
