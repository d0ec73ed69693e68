"""What a member of etcd has: on its disk, and in what it answers. For each line of its standard input it writes one line of JSON.

`look.py disk` reads the write-ahead log in `data/member/wal`. `look.py vars` reads the answer of `/debug/vars`, which is a line, as JSON
has texts.
"""

import json
import pathlib
import re
import struct
import sys

from decode import MEMBERS, fields, entry

FOLDER = pathlib.Path("data/member/wal")
# Kinds of records.
ENTRY, STATE = 2, 3
LENGTH = struct.Struct("<q")


def records():
    """The records of the log: their kinds and contents."""
    for path in sorted(FOLDER.glob("*.wal")):
        with path.open("rb") as file:
            while True:
                head = file.read(LENGTH.size)
                if len(head) < LENGTH.size:
                    break
                (length,) = LENGTH.unpack(head)
                # The rest of the file was reserved, and has nothing.
                if length == 0:
                    break
                # The highest byte tells how many bytes come after the record, so that the next one begins at a multiple of eight.
                padding = (length >> 56) & 0x7 if length < 0 else 0
                size = length & 0x00FF_FFFF_FFFF_FFFF
                data = file.read(size + padding)
                if len(data) < size + padding:
                    break
                record = dict(fields(data[:size]))
                yield record.get(1, 0), record.get(3, b"")


def disk():
    entries, state = {}, {}
    for kind, data in records():
        if kind == ENTRY:
            found = entry(data)
            # A later entry replaces those from its index on.
            entries = {index: other for index, other in entries.items() if index < found["index"]}
            entries[found["index"]] = found
        elif kind == STATE:
            state = dict(fields(data))
    return {
        "term": state.get(1, 0), "vote": MEMBERS.get(state.get(2, 0), "?"), "commit": state.get(3, 0),
        "log": [{"term": found["term"], "data": found["data"], "index": found["index"]} for _, found in sorted(entries.items())],
    }  # fmt: skip


def member(number):
    return MEMBERS.get(int(number, 16), "?")


def status(text):
    # Other lines are no JSON where the clock stands still: a part of the time that the collector took is no number there.
    found = re.search(r'"raft.status": (.*?),?\n', text)
    # A member that was started again answers only when the leader has taken its name.
    if found is None:
        return {"serves": False}
    raft = json.loads(found[1])
    states = {"StateReplicate": "replicate", "StateProbe": "probe", "StateSnapshot": "snapshot"}
    return {
        "serves": True, "term": raft["term"], "vote": member(raft["vote"]), "commit": raft["commit"], "lead": member(raft["lead"]),
        "role": raft["raftState"].removeprefix("State").lower(),
        "progress": {
            member(number): {"match": of["match"], "next": of["next"], "state": states.get(of["state"].removeprefix("Progress"), of["state"])}
            for number, of in raft["progress"].items()
        },
        "transferring": member(raft["leadtransferee"]),
    }  # fmt: skip


def main():
    looks = {"disk": lambda _: disk(), "vars": status}
    look = looks[sys.argv[1]]
    for line in sys.stdin:
        print(json.dumps(look(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
