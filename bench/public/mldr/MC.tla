---- MODULE MC ----
EXTENDS MCMongoLoglessDynamicRaft
====
