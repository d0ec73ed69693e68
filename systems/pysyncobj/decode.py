"""What messages of PySyncObj say: a frame in hexadecimal digits a line in, JSON a line out.

Unpickling runs whatever a pickle says. These are messages of our own nodes; give it nothing else.
"""

import json
import pickle
import sys
import zlib

HEADER_BYTES = 4


def entry(parts):
    return {"term": parts[2], "value": command_text(parts[0])}


def command_text(command):
    """What an entry of the log does: its value, or `no-op`."""
    if command == b"\x01":
        return "no-op"
    call = pickle.loads(command[1:]) if command[:1] == b"\x00" else None
    is_put = isinstance(call, tuple) and len(call) == 2 and len(call[1]) == 1
    return call[1][0] if is_put else "other"


def message(frame):
    said = pickle.loads(zlib.decompress(frame[HEADER_BYTES:]))
    if not isinstance(said, dict):
        return str(said)
    kind = said["type"]
    if kind == "request_vote":
        return {
            "type": kind,
            "term": said["term"],
            "lastIndex": said["last_log_index"],
            "lastTerm": said["last_log_term"],
        }
    if kind == "response_vote":
        return {"type": kind, "term": said["term"]}
    if kind == "append_entries" and "entries" in said:
        return {
            "type": kind,
            "term": said["term"],
            "commit": said["commit_index"],
            "prevIndex": said["prevLogIdx"] or 0,
            "prevTerm": said["prevLogTerm"] or 0,
            "entries": [entry(parts) for parts in said["entries"]],
        }
    if kind == "next_node_idx":
        return {"type": kind, "next": said["next_node_idx"], "reset": said["reset"], "success": said["success"]}
    return {"type": kind, "other": sorted(said)}


def main():
    for line in sys.stdin:
        print(json.dumps(message(bytes.fromhex(line))), flush=True)


if __name__ == "__main__":
    main()
