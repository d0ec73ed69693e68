----------------------------- MODULE OneServer ------------------------------
(* All that a server does by itself, at the finest grains.                     *)
EXTENDS Election, Discovery, SyncThreads, BroadcastThreads, Connections
=============================================================================
