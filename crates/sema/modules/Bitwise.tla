------------------------------- MODULE Bitwise ------------------------------
(* Bitwise operations on natural numbers. *)
LOCAL INSTANCE Integers

(* Bitwise AND of x and y. *)
x & y ==
  LET and[a \in 0..x, b \in 0..y] ==
        IF a = 0 \/ b = 0
        THEN 0
        ELSE ((a % 2) * (b % 2)) + (2 * and[a \div 2, b \div 2])
  IN  and[x, y]

(* Bitwise OR of x and y. *)
x | y ==
  LET or[a \in 0..x, b \in 0..y] ==
        IF a = 0 \/ b = 0
        THEN a + b
        ELSE (IF a % 2 = 0 THEN b % 2 ELSE 1) + (2 * or[a \div 2, b \div 2])
  IN  or[x, y]

(* Bitwise exclusive OR of x and y. *)
x ^^ y ==
  LET xor[a \in 0..x, b \in 0..y] ==
        IF a = 0 \/ b = 0
        THEN a + b
        ELSE ((a + b) % 2) + (2 * xor[a \div 2, b \div 2])
  IN  xor[x, y]

(* a with each of its bits flipped, from the lowest one up to the highest    *)
(* that is set. Not(0) is 0.                                                 *)
Not(a) ==
  LET flip[n \in 0..a] ==
        IF n = 0 THEN 0 ELSE (1 - (n % 2)) + (2 * flip[n \div 2])
  IN  flip[a]

(* n shifted right by pos bits; zeros come in from the left. *)
shiftR(n, pos) ==
  LET shifted[k \in 0..pos] == IF k = 0 THEN n ELSE shifted[k - 1] \div 2
  IN  shifted[pos]
=============================================================================
