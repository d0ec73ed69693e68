---- MODULE everything ----
EXTENDS   Naturals ,  Sequences
VARIABLES  x,   \* the x
           yy   \* the y
vars==<<x,yy>>
(* a box
   over lines *)
Init==/\ x=0
      /\   yy   = [ a|->1,
         b |-> 2]
      /\ xx   = 3   
Next ==
    \/ /\ x'=x+1
       /\ UNCHANGED yy
    \/ \E i \in 1 .. 3:
          /\ x' = [x EXCEPT ![i]= -1,
                            !.b=@+1]
          /\ IF x > 3 THEN yy' = {
               1, 2
             }
             ELSE IF y
             THEN yy' = CASE x = 1 -> 2
                          [] x=2->3 [] OTHER -> 4
             ELSE LET a == 1
                      b == 2
                  IN a+b
Spec==Init/\[][Next]_vars/\WF_vars( Next )



Foo(a , b)== a  (* c *) + b \* trailing
====
