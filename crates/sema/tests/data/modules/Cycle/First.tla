---- MODULE First ----
EXTENDS Second
FromFirst == FromSecond
====
