---- MODULE proofs ----
LOCAL INSTANCE Naturals
CONSTANTS   a,b,
 Op( _,_ ), _ ++ _
VARIABLE
      v
I(x)==INSTANCE Other WITH p<-x,
   q <- a
THEOREM T==ASSUME NEW x \in Nat,
     x>1
  PROVE  x # 0
<1>1. x=x
  BY DEF
    I
<1>2. CASE x = 2
      <2>1. TAKE y \in Nat
      <2>2. QED
      OBVIOUS
<1>. DEFINE z == 1
            w == 2
<1> QED BY <1>1,
  <1>2
RECURSIVE F( _ )
F(n)==CHOOSE m \in Nat:
 m>n
G[ x \in Nat,y \in Nat ] ==
    LET h(k)==k-1
    IN  h(- x)+2 ^ y  -y..-1
long     == <<1, 2>>[1].c
====
