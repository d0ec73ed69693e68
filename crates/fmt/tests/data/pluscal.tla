Prose   stays.
---- MODULE pluscal ----
EXTENDS Naturals
(*   --algorithm   A {
  variable   n=0;
 { s: n:=n+1 }
}   *)
\* BEGIN TRANSLATION
VARIABLES n,pc
vars==<<  n,pc  >>
Init==  /\ n=0
        /\ pc="s"
\* END TRANSLATION
Small  ==n<3


   \* two comments
 \* before a definition



Big==/\ (* why *) n>3   \* this
     /\ n   >  4   \* that
 \/ n = 7
====
more   prose
