---- MODULE InterfaceDeclaresForOthers ----
\* Modules that extend this one use its constants and variables.
CONSTANTS Send(_, _), Proc
VARIABLE memInt
====
