---- MODULE OtherCase ----
TypeOK == TRUE
Inv == typeOk
====
