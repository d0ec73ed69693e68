"""What messages of libraft say, in the words of the specification: hexadecimal digits a line in, JSON a line out.

The bytes with which a connection begins are no message of the protocol, and come out as a text.
"""

import json
import struct
import sys

KINDS = ["", "command", "barrier", "change"]


def words(data, n):
    return struct.unpack_from(f"<{n}Q", data)


def entries(header, n, body):
    found = []
    for index in range(n):
        term, kind, size = struct.unpack_from("<QBxxxI", header, 40 + 16 * index)
        value = struct.unpack("<Q", body[:size])[0] if KINDS[kind] == "command" else 0
        found.append({"term": term, "kind": KINDS[kind], "value": value})
        body = body[size:]
    return found


def append_entries(header, body):
    term, prev, prev_term, commit, n = words(header, 5)
    sent = entries(header, n, body)
    return {
        "type": "append",
        "term": term,
        "prevIndex": prev,
        "prevTerm": prev_term,
        "commit": commit,
        "entries": sent,
    }


def append_result(header, _body):
    term, rejected, last = words(header, 3)
    return {"type": "appended", "term": term, "rejected": rejected, "last": last}


def request_vote(header, _body):
    term, _candidate, last, last_term, flags = words(header, 5)
    return {"type": "vote", "term": term, "last": last, "lastTerm": last_term, "pre": flags & 2 != 0}


def vote_result(header, _body):
    term, granted, flags = words(header, 3)
    return {"type": "voted", "term": term, "granted": granted == 1, "pre": flags & 1 != 0}


def install_snapshot(header, body):
    term, last, last_term = words(header, 3)
    n = words(body, 1)[0]
    values = list(words(body[8:], n))
    return {"type": "install", "term": term, "last": last, "lastTerm": last_term, "values": values}


READERS = {1: append_entries, 2: append_result, 3: request_vote, 4: vote_result, 5: install_snapshot}


def message(data):
    if len(data) < 16:
        return "a part"
    kind, size = words(data, 2)
    # A connection begins with the version of the protocol (1) and the id of who dials, where messages have a size.
    if kind not in READERS or len(data) == 40 and kind == 1 and size < 24:
        return "a beginning"
    return READERS[kind](data[16 : 16 + size], data[16 + size :])


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(message(bytes.fromhex(line))), flush=True)
