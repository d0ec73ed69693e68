---- MODULE SeveralInOneFile ----
EXTENDS Second, Third
Op == FromSecond + FromThird
====
---- MODULE Second ----
EXTENDS Third
FromSecond == FromThird
====
---- MODULE Third ----
EXTENDS Naturals
FromThird == 3
====
