------------------------- MODULE JsonByteOrderMark -------------------------
\* JSON texts that begin with a byte order mark, as programs of Windows write them: TLC reads them, and so do we.
EXTENDS Json, Sequences, Naturals

VARIABLE i

Whole == JsonDeserialize("JsonByteOrderMark.json")
Lines == ndJsonDeserialize("JsonByteOrderMark.ndjson")

Init == i = 0
Next == i < Len(Lines) /\ Lines[i + 1].n = Whole.a[i + 1] /\ i' = i + 1
=============================================================================
