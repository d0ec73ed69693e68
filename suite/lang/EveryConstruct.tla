This module has one of each thing that TLA+ can say. It means nothing; it is there to be read.

------------------------- MODULE EveryConstruct -------------------------
(* Comments nest (* like this *) and may hold ---- MODULE NotOne ---- or "quotes. *)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
    N, Node,
    Weight(_), Mix(_, _),
    _ ## _, _ ^#
CONSTANT Limit

ASSUME Limit \in Nat
ASSUME LimitIsSmall == Limit < 100
ASSUMPTION N # 0
AXIOM Weight(0) = 0

VARIABLES x, y, log
VARIABLE clock

vars == <<x, y, log, clock>>

RECURSIVE Sum(_), Even(_), Odd(_)

-----------------------------------------------------------------------
\* Definitions in all shapes.

Zero == 0
Id(a) == a
Apply(Op(_, _), a, b) == Op(a, b)
Twice(_ \oplus _, a) == a \oplus a
a \ominus b == a - b
a (\X) b == {a, b}
a $$ b == <<a, b>>
s ** t == {<<p, q>> : p \in s, q \in t}
a^+ == a + 1
LOCAL Hidden == 1
LOCAL shift[b \in Nat] == 1 + b
factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * factorial[n - 1]
grid[i, j \in 1 .. 3, <<k, l>> \in {1} \X {2}] == i + j + k + l
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))
Even(n) == n = 0 \/ Odd(n - 1)
Odd(n) == n # 0 /\ Even(n - 1)

-----------------------------------------------------------------------
\* Literals.

Numbers == {0, 42, \b101, \B11, \o17, \O7, \hFF, \H0a}
Real == 3.14
Strings == {"", "plain", "a \"quoted\" word", "tab\t, line\n, slash\\, feed\f, return\r"}
Truths == {TRUE, FALSE} = BOOLEAN /\ "s" \in STRING

-----------------------------------------------------------------------
\* Operators. Precedence ranges that overlap need parentheses.

Arithmetic == -1 + 2 * 3 - 4 ^ 2 - (7 \div 2) - (7 % 2) - - 1
Sets == ((1 .. 3 \cup {4}) \ {2}) \cap SUBSET {1} \subseteq UNION {{1}, {2}}
Products == {1} \X {2} \times {3} # ({1} \X {2}) \X {3}
Comparing == 1 < 2 /\ 2 <= 3 /\ 3 =< 4 /\ 4 \leq 5 /\ 6 > 5 /\ 7 >= 6 /\ 8 \geq 7 /\ 1 /= 2 /\ 1 # 2
Membership == 1 \in {1} /\ 2 \notin {1}
Implying == (TRUE => FALSE) <=> (FALSE \equiv TRUE)
Negating == ~TRUE \/ \lnot FALSE \/ \neg TRUE
Words == (TRUE \land FALSE) \/ (TRUE \lor FALSE)
Joining == <<1>> \o <<2>> \circ <<3>>
Mapping == 1 :> "a" @@ 2 :> "b"
Dividing == 2 ## 3
Bare == Apply(+, 1, 2) + Apply(LAMBDA a, b : a * b, 3, 4) + Twice( * , 3)
Nonfix == +(1, 2) = 3 /\ \cup({1}, {2}) = {1, 2} /\ -.(1) = -1

-----------------------------------------------------------------------
\* Constructs.

Enumerations == {} \cup {1} \cup {1, 2, 3}
Filters == {n \in Nat : n > 0} \cup {<<a, b>> \in Nat \X Nat : a < b}
Maps == {n + 1 : n \in 1 .. 3} \cup {a + b : a \in 1 .. 2, b \in 3 .. 4}
MembershipInSet == {x \in {1}, x \in {2} /\ y = 1}
Tuples == <<>> = <<1, <<2, 3>>, {4}>>
Functions == [n \in 1 .. 3 |-> n * n] = [a, b \in Nat, <<c, d>> \in Nat \X Nat |-> a]
FunctionSets == [1 .. 3 -> BOOLEAN]
Applying == factorial[3] + grid[1, 2, <<1, 2>>] + shift[2]
Records == [name |-> "n", value |-> 1] \in [name : STRING, value : Nat]
Fields == [a |-> [b |-> 1]].a.b
Updates ==
    LET r == [a |-> [b |-> <<1, 2>>], c |-> 3]
    IN  [r EXCEPT !.a.b[1] = @ + 1, !.c = 4, !["a"].b = @]
Indexing == [grid EXCEPT ![1, 2, <<1, 2>>] = 0]

Quantifying ==
    /\ \A a, b \in Nat, <<c, d>> \in Nat \X Nat : a + b >= c + d - 1
    /\ \E a : a = 1
    /\ \forall a \in {} : FALSE
    /\ \exists a \in {1} : TRUE
Choosing ==
    /\ (CHOOSE a \in {1} : TRUE) = 1
    /\ (CHOOSE <<a, b>> \in {<<1, 2>>} : a < b) = <<1, 2>>
    /\ (CHOOSE a : a \notin Nat) = 0
Conditional == IF x = 1 THEN "one" ELSE IF x = 2 THEN "two" ELSE "many"
Cases ==
    CASE x = 1 -> "one"
      [] x = 2 -> "two"
      [] OTHER -> "many"
Local ==
    LET a == 1
        Op(b) == a + b
        RECURSIVE Down(_)
        Down(n) == IF n = 0 THEN 0 ELSE Down(n - 1)
        f[n \in Nat] == n
        b | c == b + c
        I == INSTANCE Naturals
    IN  Op(2) + Down(3) + f[4] + (1 | 2)

Junctions ==
    \/ /\ x = 1
       /\ \/ y = 1
          \/ y = 2
             \/ y = 3
       /\ LET z == 1
          IN  z = 1
    \/ x = 2 /\ y = 2
    \/ IF x = 3
         THEN /\ y = 3
              /\ y = 4
         ELSE y = 5

Labelled == \A a \in {1} : outer(a) :: \E b \in {2} : inner(b) :: a + b = 3
Selected == Labelled!outer(1)!inner(2)!1 = Labelled!(1)!(2)!<<
Chosen == Sum(<<1>>)!1!<< = Sum(<<2>>)!1!>> /\ Implying!: /\ Local!1 = 3
-----------------------------------------------------------------------
\* Instances and nested modules.

---- MODULE Inner ----
CONSTANTS Bound, _ \prec _
VARIABLE v
Below == v \prec Bound
Deep(a) == v + a
====

In == INSTANCE Inner WITH Bound <- N, v <- x, \prec <- <
InOf(b, w) == INSTANCE Inner WITH Bound <- b, v <- w, \prec <- LAMBDA a, c : a < c
LOCAL INSTANCE FiniteSets

Through == In!Below /\ InOf(1, y)!Deep(2) = 3 /\ In!Below!<< = x

-----------------------------------------------------------------------
\* Actions and temporal formulas.

Init == x = 0 /\ y = 0 /\ log = <<>> /\ clock = 0
Step(i) ==
    /\ x' = x + i
    /\ y' \in {y, i}
    /\ log' = Append(log, [from |-> x, to |-> x'])
    /\ UNCHANGED clock
Tick == clock' = clock + 1 /\ UNCHANGED <<x, y, log>>
Next == Tick \/ \E i \in 1 .. 2 : Step(i)
Composed == Tick \cdot Tick

Spec == Init /\ [][Next]_vars /\ WF_vars(Tick) /\ SF_<<x, y>>(Step(1)) /\ WF_clock(\E i \in {1} : Step(i))
Live == <>(x > 3) /\ []<>(y = 1) /\ (x = 1 ~> x = 2) /\ <><<Next>>_vars
Guarantee == (x = 0) -+-> (y = 0)
CanTick == ENABLED Tick
Some == \EE z : [](z = x)
All == \AA z : <>(z = x)
Boxed == [][Next]_(x + 1) /\ [][Next]_<<x>>

-----------------------------------------------------------------------
\* Theorems and proofs.

THEOREM Spec => []TRUE
LEMMA Trivial == TRUE
  OBVIOUS
PROPOSITION Unproved == FALSE
  PROOF OMITTED
COROLLARY Cited == TRUE
  BY Trivial, 1 = 1, MODULE Naturals DEF Zero, +, MODULE Sequences

THEOREM Structured ==
    ASSUME NEW a \in Nat, NEW CONSTANT c, CONSTANT d \in Int, NEW VARIABLE v, NEW Q(_), STATE s,
           ACTION act, NEW TEMPORAL t,
           a > 0,
           lab :: ASSUME a = 1 PROVE a > 0,
           ASSUME a = 2 PROVE a > 0
    PROVE  a >= 0
PROOF
<1> USE DEF Zero
<1>a. a \in Int
    OBVIOUS
<1>b. a >= 0 /\ Zero = 0
  <2>1. a > 0
    BY ONLY <1>a
  <2>2. DEFINE half == a \div 2
               double == a * 2
  <2> HIDE DEF half, double
  <2>3. CASE a = 1
    <+> QED OBVIOUS
  <2>4. SUFFICES ASSUME NEW e \in Nat PROVE e >= 0
    PROOF OBVIOUS
  <2>. QED
    BY <2>1, <2>3 DEF Zero
<1>c third == 3
<1> INSTANCE Naturals
<1>d. HAVE a > 0
<1>e. TAKE n, m \in Nat, <<o, p>> \in Nat \X Nat
<1>f. TAKE k
<1>g. WITNESS 1 \in Nat, 2
<1>h. PICK q \in Nat : q = a
  PROOF
  <*>. a = a
  <*>. QED
<1>i. PICK r, w : r = w
  BY <1>a
<1>j. \A z \in Nat : z = z
<1>. QED
  BY <1>a, <1>b

USE DEF Zero
HIDE MODULE Naturals

=======================================================================
After the end everything is prose again: ( [ " {{ and so on.
