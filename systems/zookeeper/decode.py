"""What messages between servers of ZooKeeper say: one in hexadecimal digits a line in, JSON a line out.

Two kinds are told apart by their first number: votes of an election, which begin with their length, and packets between a
leader and its followers, which begin with their type. Anything else is no message: null.
"""

import json
import struct
import sys

TYPES = {
    1: "REQUEST", 2: "PROPOSAL", 3: "ACK", 4: "COMMIT", 5: "PING", 6: "REVALIDATE", 7: "SYNC", 8: "INFORM",
    9: "COMMITANDACTIVATE", 10: "NEWLEADER", 11: "FOLLOWERINFO", 12: "UPTODATE", 13: "DIFF", 14: "TRUNC", 15: "SNAP",
    16: "OBSERVERINFO", 17: "LEADERINFO", 18: "ACKEPOCH", 19: "INFORMANDACTIVATE",
}  # fmt: skip
STATES = {0: "LOOKING", 1: "FOLLOWING", 2: "LEADING", 3: "OBSERVING"}
# State, leader, zxid, round of the election, epoch of the leader.
VOTE = struct.Struct(">iqqqq")
LENGTH = struct.Struct(">i")
PACKET = struct.Struct(">iq")
NODE = "z{}"


def zxid(number):
    """A zxid as its epoch and its counter; the one that stands for none is -1."""
    if number == -1:
        return {"epoch": -1, "counter": -1}
    return {"epoch": number >> 32, "counter": number & 0xFFFFFFFF}


def vote(body):
    state, leader, last, round_number, epoch = VOTE.unpack_from(body)
    return {
        "type": "NOTIFICATION",
        "state": STATES.get(state, "UNKNOWN"),
        "leader": NODE.format(leader),
        "zxid": zxid(last),
        "round": round_number,
        "epoch": epoch,
    }


def message(frame):
    if len(frame) < PACKET.size:
        return None
    (first,) = LENGTH.unpack_from(frame)
    if first == len(frame) - LENGTH.size and first >= VOTE.size:
        return vote(frame[LENGTH.size :])
    kind, last = PACKET.unpack_from(frame)
    if kind not in TYPES:
        return None
    return {"type": TYPES[kind], "zxid": zxid(last)}


def main():
    for line in sys.stdin:
        print(json.dumps(message(bytes.fromhex(line))), flush=True)


if __name__ == "__main__":
    main()
