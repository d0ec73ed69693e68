"""Asks for a connection, waiting or not, with or without a limit, and says how it ended."""
import errno
import selectors
import socket
import sys

how, port = sys.argv[1], int(sys.argv[2])
sock = socket.socket()


def show(*words):
    print(*words, flush=True)


try:
    if how == "waiting":
        sock.connect(("127.0.0.1", port))
    elif how == "limited":
        sock.settimeout(2)
        sock.connect(("127.0.0.1", port))
    else:
        sock.setblocking(False)
        selector = {
            "epoll": selectors.EpollSelector,
            "poll": selectors.PollSelector,
            "select": selectors.SelectSelector,
        }[how]()
        # In the set before there is anything to connect to, as some programs do.
        code = sock.connect_ex(("127.0.0.1", port))
        show("begun", errno.errorcode[code])
        selector.register(sock, selectors.EVENT_WRITE)
        while not selector.select(1):
            show("still waiting")
        code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            raise OSError(code, "")
    show("connected to", sock.getpeername())
    sock.setblocking(True)
    show("received", sock.recv(10))
except TimeoutError as error:
    show("timed out", errno.errorcode.get(error.errno, "here"))
except OSError as error:
    show("failed", errno.errorcode[error.errno])
sys.stdin.read()
