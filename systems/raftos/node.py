"""A node of RaftOS: the package as it is, and a port to ask about it.

    node.py ADDRESS OTHER...

The port for the stage is that of the node's own address plus 1000, for connections: a line `status` is answered with
what the node knows, as JSON; `put VALUE` asks a leader for VALUE, and is answered at once.
"""

import asyncio
import json
import logging
import sys

import raftos
from raftos.cryptors import DummyCryptor
from raftos.serializers import JSONSerializer
from raftos.server import Node
from raftos.state import Leader

# Clocks of the stage move when it says so: by one second for a heartbeat, by a thousand for an election. A leader that
# nobody answers would step down after the thousand too.
HEARTBEAT_S = 1
HEARTBEATS_TO_ELECTION = 1000

KEY = "x"
STAGE_PORT_OFFSET = 1000


def status(node):
    raft = node.state
    log = raft.log
    role = type(raft.state).__name__.lower()
    return {
        "term": raft.storage.term,
        "role": role,
        "vote": raft.storage.voted_for or "none",
        "votes": getattr(raft.state, "vote_count", 0),
        "commit": log.commit_index,
        "applied": log.last_applied,
        "log": [{"term": entry["term"], "value": entry["command"][KEY]} for entry in log.cache],
        "next": (log.next_index or {}) if role == "leader" else {},
        "match": (log.match_index or {}) if role == "leader" else {},
    }


def answer(node, words):
    if words == ["status"]:
        return status(node)
    if len(words) == 2 and words[0] == "put":
        if not isinstance(node.state.state, Leader):
            return "no leader"
        asyncio.ensure_future(node.state.state.execute_command({KEY: words[1]}))
        return "asked"
    return "what?"


async def serve(node, reader, writer):
    while line := await reader.readline():
        writer.write((json.dumps(answer(node, line.decode().split()), sort_keys=True) + "\n").encode())
        await writer.drain()
    writer.close()


async def run(own, others):
    raftos.configure(
        {
            "log_path": "raftos/",
            "serializer": JSONSerializer,
            "cryptor": DummyCryptor,
            "heartbeat_interval": HEARTBEAT_S,
            "step_down_missed_heartbeats": HEARTBEATS_TO_ELECTION,
            "election_interval_spread": 1,
        }
    )
    await raftos.register(own, cluster=others, loop=asyncio.get_running_loop())
    node = Node.nodes[0]
    host, port = own.rsplit(":", 1)
    server = await asyncio.start_server(
        lambda reader, writer: serve(node, reader, writer), host, int(port) + STAGE_PORT_OFFSET
    )
    await server.serve_forever()


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
    asyncio.run(run(sys.argv[1], sys.argv[2:]))
