"""What members of etcd say to each other: a message in hexadecimal digits a line in, JSON a line out; null where a message is none of
raft's.

A message of the stage is a request or a response of HTTP, or a chunk of a response that never ends. There are two such responses from a
member to each other one: in one a message of raft has its length before it, in the other messages with entries are written
shorter. Without them a message is the body of a request.
"""

import base64
import json
import re
import struct
import sys

# What a member is called, by the number that it has in this cluster.
MEMBERS = {0xF3E3A8E65D5B4052: "e1", 0xA6489CD972E2EC29: "e2", 0xEA5924B4C52DBCAE: "e3", 0x0: "none"}
TYPES = {
    2: "MsgProp", 3: "MsgApp", 4: "MsgAppResp", 5: "MsgVote", 6: "MsgVoteResp", 7: "MsgSnap", 8: "MsgHeartbeat", 9: "MsgHeartbeatResp",
    14: "MsgTimeoutNow", 15: "MsgReadIndex", 16: "MsgReadIndexResp", 17: "MsgPreVote", 18: "MsgPreVoteResp",
}  # fmt: skip
TRANSFER = b"CampaignTransfer"
# The first byte of a message on the stream for entries.
NOTHING, ENTRIES, WHOLE = 0, 1, 2
LENGTH = struct.Struct(">Q")


def varint(data, at):
    number, shift = 0, 0
    while True:
        byte = data[at]
        number, shift, at = number | (byte & 0x7F) << shift, shift + 7, at + 1
        if not byte & 0x80:
            return number, at


def fields(data):
    """The fields of a message of protocol buffers, as pairs of a number and a value."""
    found, at = [], 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
        else:
            raise ValueError("a field of another kind")
        found.append((key >> 3, value))
    return found


def said(data):
    """What an entry is about: what a client wrote, in base64; who tells its name; or nothing."""
    if not data:
        return ""
    request = dict(fields(data))
    if 4 in request and 100 in request:
        put = dict(fields(request[4]))
        return base64.b64encode(put.get(2, b"")).decode()
    path = request.get(3)
    path = re.fullmatch(rb"/0/members/([0-9a-f]+)/attributes", path) if isinstance(path, bytes) else None
    return f"published {MEMBERS.get(int(path[1], 16), '?')}" if path else "something else"


def entry(data):
    found = dict(fields(data))
    return {"index": found.get(3, 0), "term": found.get(2, 0), "data": said(found.get(4, b""))}


class Contexts:
    """Numbers the reads of each member, which begin with two bytes of its own number, in the order in which they are seen."""

    def __init__(self):
        self.known = {}

    def name(self, context):
        if context in (b"", TRANSFER):
            return context.decode()
        of_member = self.known.setdefault(context[:2], [])
        if context not in of_member:
            of_member.append(context)
        owner = next((name for number, name in MEMBERS.items() if struct.pack(">H", number & 0xFFFF) == context[:2]), "?")
        return f"{owner}/{of_member.index(context) + 1}"


CONTEXTS = Contexts()


def message(data):
    """A message of raft."""
    found, entries = {}, []
    for number, value in fields(data):
        if number == 7:
            entries.append(value)
        else:
            found[number] = value
    kind = TYPES.get(found.get(1, 0), "other")
    context = found.get(12, b"")
    if kind in ("MsgReadIndex", "MsgReadIndexResp"):
        context, entries = dict(fields(entries[0])).get(4, b""), []
    return {
        "type": kind, "term": found.get(4, 0), "logTerm": found.get(5, 0), "index": found.get(6, 0),
        "entries": [entry(value) for value in entries], "commit": found.get(8, 0), "reject": bool(found.get(10, 0)),
        "rejectHint": found.get(11, 0), "context": CONTEXTS.name(context),
        # A sign of life of a connection is a heartbeat from nobody.
        "isRaft": kind != "other" and found.get(3, 0) != 0,
    }  # fmt: skip


def of_entries(data):
    """The messages in a chunk of the stream for entries."""
    found, at = [], 0
    while at < len(data):
        kind, at = data[at], at + 1
        if kind == WHOLE:
            (length,) = LENGTH.unpack_from(data, at)
            at += LENGTH.size
            found.append(dict(message(data[at : at + length]), stream="app", short=False))
            at += length
        elif kind == ENTRIES:
            (count,) = LENGTH.unpack_from(data, at)
            at, entries = at + LENGTH.size, []
            for _ in range(count):
                (length,) = LENGTH.unpack_from(data, at)
                at += LENGTH.size
                entries.append(entry(data[at : at + length]))
                at += length
            (commit,) = LENGTH.unpack_from(data, at)
            at += LENGTH.size
            found.append({
                "stream": "app", "short": True, "isRaft": True, "type": "MsgApp", "term": 0, "logTerm": 0, "index": 0,
                "entries": entries, "commit": commit, "reject": False, "rejectHint": 0, "context": "",
            })  # fmt: skip
        elif kind != NOTHING:
            raise ValueError("no message with entries")
    return found


def of_others(data):
    """The messages in a chunk of the other stream; None if it is none."""
    found, at = [], 0
    while at < len(data):
        if at + LENGTH.size > len(data):
            return None
        (length,) = LENGTH.unpack_from(data, at)
        at += LENGTH.size
        if length == 0 or at + length > len(data):
            return None
        found.append(dict(message(data[at : at + length]), stream="message", short=False))
        at += length
    return found


def decode(data):
    if data.startswith(b"POST /raft "):
        return [dict(message(data[data.index(b"\r\n\r\n") + 4 :]), stream="post", short=False)]
    if data.startswith((b"HTTP", b"GET", b"POST")):
        return []
    # Of the messages in a chunk the first has the chunk's line before it, and the last its end after it.
    line = re.match(rb"[0-9a-fA-F]+\r\n", data)
    body = data[line.end() :] if line else data
    for content in (body.removesuffix(b"\r\n"), body):
        found = of_others(content)
        if found:
            return found
    return of_entries(body.removesuffix(b"\r\n"))


def main():
    for line in sys.stdin:
        try:
            found = [said for said in decode(bytes.fromhex(line)) if said["isRaft"]]
        except (ValueError, IndexError, struct.error):
            found = []
        # Members that are kept under control write one message at a time; a mapping would say that there are two.
        answer = None if not found else found[0] if len(found) == 1 else {"stream": "several", "messages": found}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
