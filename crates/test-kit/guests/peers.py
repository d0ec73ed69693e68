"""Datagrams between nodes: prints what comes, and answers `ping N` with `pong N`."""
import socket
import sys

own, others = int(sys.argv[1]), [int(port) for port in sys.argv[2:]]
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.bind(("127.0.0.1", own))
for number in range(3):
    for other in others:
        sock.sendto(b"ping %d" % number, ("127.0.0.1", other))
while True:
    data, peer = sock.recvfrom(100)
    print(data.decode(), "from", peer[1], flush=True)
    if data.startswith(b"ping"):
        sock.sendto(data.replace(b"ping", b"pong"), peer)
