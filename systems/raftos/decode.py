"""What datagrams of RaftOS say, in the words of the specification: hexadecimal digits a line in, JSON a line out."""

import json
import sys

KEY = "x"


def message(said):
    kind = said["type"]
    if kind == "request_vote":
        return {
            "type": kind,
            "term": said["term"],
            "lastIndex": said["last_log_index"],
            "lastTerm": said["last_log_term"],
        }
    if kind == "request_vote_response":
        answer = "stale" if "vote_granted" not in said else "yes" if said["vote_granted"] else "no"
        return {"type": kind, "term": said["term"], "answer": answer}
    if kind == "append_entries":
        return {
            "type": kind,
            "term": said["term"],
            "commit": said["commit_index"],
            "prevIndex": said["prev_log_index"],
            "prevTerm": said["prev_log_term"],
            "entries": [{"term": entry["term"], "value": entry["command"][KEY]} for entry in said["entries"]],
        }
    return {
        "type": kind,
        "term": said["term"],
        "hasId": "request_id" in said,
        "success": said["success"],
        "last": said.get("last_log_index", 0),
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(message(json.loads(bytes.fromhex(line)))), flush=True)
