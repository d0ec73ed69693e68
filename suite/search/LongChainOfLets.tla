-------------------------- MODULE LongChainOfLets --------------------------
(* Each definition uses the one before twice: whoever follows every use has  *)
(* no end of it.                                                             *)
EXTENDS Naturals

VARIABLES x, y

Init == x = 1 /\ y = 0
Next ==
    /\ y' = (y + 1) % 3
    /\ x' = LET a == (x + x + 1) % 7   b == (a + a + 1) % 7   c == (b + b + 1) % 7   d == (c + c) % 7
                e == (d + d + 1) % 7   f == (e + e) % 7       g == (f + f + 1) % 7   h == (g + g) % 7
                i == (h + h + 1) % 7   j == (i + i) % 7       k == (j + j + 1) % 7   l == (k + k) % 7
                m == (l + l + 1) % 7   n == (m + m) % 7       o == (n + n + 1) % 7   p == (o + o) % 7
                q == (p + p + 1) % 7   r == (q + q) % 7       s == (r + r + 1) % 7   t == (s + s) % 7
                u == (t + t + 1) % 7   v == (u + u) % 7       w == (v + v + 1) % 7   z == (w + w) % 7
                aa == (z + z + 1) % 7  bb == (aa + aa) % 7    cc == (bb + bb + 1) % 7  dd == (cc + cc) % 7
                ee == (dd + dd + 1) % 7  ff == (ee + ee) % 7  gg == (ff + ff + 1) % 7  hh == (gg + gg) % 7
            IN  hh
Small == x < 7
=============================================================================
