--------------------------- MODULE ReplacedSymbols --------------------------
(* `Size` and `I!Size` are two symbols: a configuration replaces the one or  *)
(* the other. What definitions of a module use is the symbol of that module, *)
(* also where they are instantiated; what LOCAL INSTANCE brings is another.  *)
EXTENDS Naturals, TLC, SizedParts, LocalSizes

VARIABLE x

I == INSTANCE SizedParts
J == INSTANCE SizedParts WITH unit <- 50
K(u) == INSTANCE SizedParts WITH unit <- u
L == INSTANCE FixedSizes

Hundred == 100
More(n) == n + 5000

ASSUME PrintT(<<"here", Size, Double, Plain, PlainTwice, Grown(1), GrownTwice(1)>>)
ASSUME PrintT(<<"I", I!Size, I!Double, I!Plain, I!PlainTwice, I!Grown(1), I!GrownTwice(1)>>)
ASSUME PrintT(<<"J", J!Size, J!Double, J!Plain, J!PlainTwice, J!Grown(1), J!GrownTwice(1)>>)
ASSUME PrintT(<<"K", K(3)!Size, K(3)!Double, K(3)!Plain, K(3)!PlainTwice, K(3)!Grown(1), K(3)!GrownTwice(1)>>)
ASSUME PrintT(<<"L", L!Fixed, L!FixedTwice, LocalFixed, LocalTwice>>)

Init == x \in {Double, J!Double, K(2)!GrownTwice(0)}
Next == x < 2000 /\ x' = x + Size
Small == x < 20000
=============================================================================
