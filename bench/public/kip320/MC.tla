---- MODULE MC ----
EXTENDS Kip320, TLC
ReplicaSymmetry == Permutations(Replicas)
====
