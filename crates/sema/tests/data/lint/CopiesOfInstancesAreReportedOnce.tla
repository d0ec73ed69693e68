---- MODULE CopiesOfInstancesAreReportedOnce ----
VARIABLES a, b
First == INSTANCE Cell WITH value <- a
Second == INSTANCE Cell WITH value <- b
Init == First!Empty /\ Second!Empty
Next == First!Fill /\ Second!Fill
Spec == Init /\ [][Next]_<<a, b>>
====
