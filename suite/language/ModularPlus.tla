----------------------------- MODULE ModularPlus ----------------------------
(* Arithmetic on a clock face.                                               *)
CONSTANT modulus
LOCAL N == INSTANCE Naturals
a + b == N!%(N!+(a, b), modulus)
-. a == N!%(N!-(modulus, a), modulus)
a \prec b == N!<(N!%(a, modulus), N!%(b, modulus))
=============================================================================
