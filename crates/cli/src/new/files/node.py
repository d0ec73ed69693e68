"""A node of @NAME@: it counts, and tells the others how far it is.

    node.py ADDRESS OTHER...

Messages are lines of JSON. The lines `status` and `add` are what the stage and its clients ask.
"""

import json
import os
import selectors
import socket
import sys

FILE = "count"


def address_of(text):
    host, port = text.rsplit(":", 1)
    return host, int(port)


def load():
    return int(open(FILE).read()) if os.path.exists(FILE) else 0


def save(count):
    with open(FILE + ".new", "w") as file:
        file.write(str(count))
        file.flush()
        os.fsync(file.fileno())
    os.replace(FILE + ".new", FILE)


class Node:
    def __init__(self, own, others):
        self.count = load()
        self.others = others
        self.connections = {}
        self.selector = selectors.DefaultSelector()
        self.parts = {}
        listener = socket.create_server(address_of(own))
        self.selector.register(listener, selectors.EVENT_READ, self.accept)

    def accept(self, listener):
        self.watch(listener.accept()[0])

    def watch(self, connection):
        self.parts[connection] = b""
        self.selector.register(connection, selectors.EVENT_READ, self.read)

    def forget(self, connection):
        self.selector.unregister(connection)
        del self.parts[connection]
        self.connections = {peer: kept for peer, kept in self.connections.items() if kept is not connection}
        connection.close()

    def read(self, connection):
        try:
            data = connection.recv(4096)
        except ConnectionError:
            data = b""
        if not data:
            self.forget(connection)
            return
        *lines, self.parts[connection] = (self.parts[connection] + data).split(b"\n")
        for line in lines:
            self.handle(connection, line.decode())

    def handle(self, connection, line):
        if line == "status":
            connection.sendall((json.dumps({"count": self.count}) + "\n").encode())
        elif line == "add":
            self.move(self.count + 1)
            connection.sendall(b"done\n")
            for other in self.others:
                self.send(other, {"type": "count", "value": self.count})
        else:
            self.move(max(self.count, json.loads(line)["value"]))

    def move(self, count):
        if count != self.count:
            self.count = count
            save(count)

    def send(self, other, message):
        """Sends over the connection to the other node; where there is none, and none can be made, the message is lost."""
        try:
            if other not in self.connections:
                self.connections[other] = socket.create_connection(address_of(other))
                self.watch(self.connections[other])
            self.connections[other].sendall((json.dumps(message) + "\n").encode())
        except ConnectionError:
            if other in self.connections:
                self.forget(self.connections[other])

    def run(self):
        while True:
            for key, _ in self.selector.select():
                if key.fileobj.fileno() >= 0:
                    key.data(key.fileobj)


if __name__ == "__main__":
    Node(sys.argv[1], sys.argv[2:]).run()
