"""What a server of ZooKeeper has: on its disk, and in what it answers. For each line of its standard input it writes one line of JSON.

`look.py disk` reads the folder `data/version-2`: the epochs, and the transactions that the server would have if it started now.
`look.py srvr` reads the answer to `srvr`, which is a line, as JSON has texts.
"""

import json
import pathlib
import re
import struct
import sys

FOLDER = pathlib.Path("data/version-2")
FILE_HEADER = struct.Struct(">iiq")
LOG_MAGIC, SNAPSHOT_MAGIC = 0x5A4B4C47, 0x5A4B534E
# Checksum and length of an entry of the log; then comes the transaction, and a byte.
ENTRY = struct.Struct(">qi")
END_OF_ENTRY = b"B"
# Session, number of the request, zxid.
TRANSACTION = struct.Struct(">qiq")
# Access list; when it was created and changed, as zxids and as times; three versions; the session that it goes with; when its
# children changed.
NODE = ">qqqqqiiiqq"
# A new server has the root, /zookeeper, /zookeeper/config and /zookeeper/quota.
NODES_OF_A_NEW_SERVER = 5


def zxid(number):
    return {"epoch": number >> 32, "counter": number & 0xFFFFFFFF}


def number_in(name):
    """The number in a file, or 0 if there is none."""
    try:
        return int((FOLDER / name).read_text())
    except (FileNotFoundError, ValueError):
        return 0


def numbered(kind):
    """The files of a kind, with the zxid in their names, the oldest first."""
    files = [(int(path.name.split(".")[1], 16), path) for path in FOLDER.glob(f"{kind}.*")]
    return sorted(files)


class Reader:
    """Reads what jute writes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        unpacked = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return unpacked

    def buffer(self):
        (length,) = self.take(">i")
        start, self.at = self.at, self.at + max(length, 0)
        if self.at > len(self.data):
            raise struct.error("the file ends too early")
        return self.data[start : self.at]


def snapshot_zxids(data):
    """When the nodes of a snapshot were created, in order; None if it is no whole snapshot."""
    reader = Reader(data)
    try:
        if reader.take(">iiq")[0] != SNAPSHOT_MAGIC:
            return None
        for _ in range(reader.take(">i")[0]):
            reader.take(">qi")
        for _ in range(reader.take(">i")[0]):
            reader.take(">q")
            for _ in range(reader.take(">i")[0]):
                reader.take(">i")
                reader.buffer()
                reader.buffer()
        created = set()
        while reader.buffer() != b"/":
            reader.buffer()
            created.add(reader.take(NODE)[1])
        return sorted(created - {0})
    except struct.error:
        return None


def log_zxids(path):
    data = path.read_bytes()
    if len(data) < FILE_HEADER.size or FILE_HEADER.unpack_from(data)[0] != LOG_MAGIC:
        return []
    found, at = [], FILE_HEADER.size
    while at + ENTRY.size <= len(data):
        _, length = ENTRY.unpack_from(data, at)
        end = at + ENTRY.size + length
        if length <= 0 or data[end : end + 1] != END_OF_ENTRY:
            break
        found.append(TRANSACTION.unpack_from(data, at + ENTRY.size)[2])
        at = end + 1
    return found


def history():
    """The newest snapshot that is whole, and what the log has after it."""
    found, newest = [], -1
    for number, path in reversed(numbered("snapshot")):
        zxids = snapshot_zxids(path.read_bytes())
        if zxids is not None:
            found, newest = zxids, number
            break
    logged = [entry for _, path in numbered("log") for entry in log_zxids(path)]
    first = next((at for at, entry in enumerate(logged) if entry > newest), len(logged))
    return found + logged[first:]


def disk():
    return {
        "accepted": number_in("acceptedEpoch"),
        "current": number_in("currentEpoch"),
        "history": [zxid(number) for number in history()],
    }


def srvr(text):
    """The last zxid of the tree in memory, and how many nodes were created; -1 where the server does not serve."""
    last = re.search(r"^Zxid: 0x(\w+)", text, re.MULTILINE)
    count = re.search(r"^Node count: (\d+)", text, re.MULTILINE)
    if last is None or count is None:
        return {"serves": False}
    return {"serves": True, "last": zxid(int(last[1], 16)), "created": int(count[1]) - NODES_OF_A_NEW_SERVER}


def main():
    looks = {"disk": lambda _: disk(), "srvr": srvr}
    look = looks[sys.argv[1]]
    for line in sys.stdin:
        print(json.dumps(look(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
