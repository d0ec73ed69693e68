"""A node of PySyncObj: the package as it is, a list that is replicated, and a port to ask about both.

    node.py ADDRESS OTHER... [--journal] [--batch-bytes N] [--retry SECONDS]

In the file `status` of the current folder is what the node knows, as JSON, whenever it sleeps. The first port that it
listens on is its own address plus 1000, for the stage: a line `put VALUE` asks for VALUE to be added to the list, and is
answered at once.
"""

import argparse
import json
import logging
import os
import socket
import sys

from pysyncobj import SyncObj, SyncObjConf, replicated
from pysyncobj.poller import POLL_EVENT_TYPE
from pysyncobj.version import VERSION

from decode import command_text

# Clocks of the stage move when it says so: by one second for a tick, in which a leader sends, and by a minute for an
# election. Nothing else is due in that time.
TICK_S = 1.0
HEARTBEAT_S = 0.9
ELECTION_MIN_S, ELECTION_MAX_S = 60.0, 60.5
NEVER_S = 1e6

CONNECTION_STATES = {0: "disconnected", 1: "connecting", 2: "connected"}
ROLES = {0: "follower", 1: "candidate", 2: "leader"}


class Values(SyncObj):
    def __init__(self, own, others, conf):
        super().__init__(own, others, conf)
        self.values = []
        self.told = None
        self.status = os.open("status", os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        self.width = 0
        # Before the node sleeps, after all that it did.
        self.addOnTickCallback(self.tell)
        self.woken, self.waker = os.pipe()
        self._poller.subscribe(self.woken, self.wake_again, POLL_EVENT_TYPE.READ)

    def wake(self):
        """Two ticks, for which no time passes: requests wait for one, and what they add is counted in the next."""
        os.write(self.waker, b"2")

    def wake_again(self, descriptor, event):
        if os.read(descriptor, 1) == b"2":
            os.write(self.waker, b"1")

    def tell(self):
        known = json.dumps(status(self), sort_keys=True)
        if known != self.told:
            # Over what was there, with spaces after it: to make a file shorter may take a disk longer than all the rest.
            self.width = max(self.width, len(known))
            os.pwrite(self.status, known.ljust(self.width).encode(), 0)
            self.told = known

    @replicated
    def put(self, value):
        self.values.append(value)


def private(node, name):
    return getattr(node, "_SyncObj__" + name)


def name_of(node):
    return "none" if node is None else getattr(node, "id", node)


def status(node):
    log = private(node, "raftLog")
    role = private(node, "raftState")
    indexes = lambda name: {peer.id: index for peer, index in private(node, name).items()}
    return {
        "version": VERSION,
        "term": private(node, "raftCurrentTerm"),
        "role": ROLES[role],
        "vote": name_of(private(node, "votedForNodeId")),
        "votes": private(node, "votesCount"),
        "leader": name_of(private(node, "raftLeader")),
        "commit": private(node, "raftCommitIndex"),
        "applied": private(node, "raftLastApplied"),
        "log": [{"term": entry[2], "value": command_text(entry[0])} for entry in log[:]],
        "next": indexes("raftNextIndex"),
        "match": indexes("raftMatchIndex"),
        "connected": sorted(peer.id for peer in private(node, "connectedNodes")),
        "dialled": {peer.id: connection(dialled) for peer, dialled in dialled_by(node)},
        "values": list(node.values),
    }


def dialled_by(node):
    """The connections that this node has to make: those with smaller addresses."""
    transport = private(node, "transport")
    return [(peer, made) for peer, made in transport._connections.items() if transport._shouldConnect(peer)]


def connection(made):
    return {"state": CONNECTION_STATES[made.state], "isOpen": made._TcpConnection__socket is not None}


def serve(listener, node):
    while True:
        connection, _ = listener.accept()
        with connection, connection.makefile("rw", encoding="utf-8") as lines:
            for line in lines:
                lines.write(json.dumps(answer(node, line.split()), sort_keys=True) + "\n")
                lines.flush()


def answer(node, words):
    if len(words) == 2 and words[0] == "put":
        node.put(words[1], callback=lambda result, error: None)
        node.wake()
        return "asked"
    return "what?"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("own")
    arguments.add_argument("others", nargs="*")
    arguments.add_argument("--journal", action="store_true", help="in the current folder")
    arguments.add_argument("--batch-bytes", type=int, default=2**16)
    arguments.add_argument("--retry", type=float, default=0, help="how long to wait before dialling again")
    arguments = arguments.parse_args()
    # What ends a thread is written to the standard error, and the stage shows the standard output.
    os.dup2(sys.stdout.fileno(), sys.stderr.fileno())
    logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
    host, port = arguments.own.rsplit(":", 1)
    listener = socket.create_server((host, int(port) + 1000))
    conf = SyncObjConf(
        autoTick=True,
        autoTickPeriod=TICK_S,
        appendEntriesPeriod=HEARTBEAT_S,
        appendEntriesBatchSizeBytes=arguments.batch_bytes,
        raftMinTimeout=ELECTION_MIN_S,
        raftMaxTimeout=ELECTION_MAX_S,
        leaderFallbackTimeout=NEVER_S,
        logCompactionMinTime=NEVER_S,
        connectionTimeout=NEVER_S,
        connectionRetryTime=arguments.retry,
        journalFile="journal" if arguments.journal else None,
    )
    serve(listener, Values(arguments.own, arguments.others, conf))


if __name__ == "__main__":
    main()
