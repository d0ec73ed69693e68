----------------------------- MODULE HidesThings ----------------------------
(* Something to extend; most of it is local.                                 *)
LOCAL INSTANCE Naturals

LOCAL Secret == 42
LOCAL Twice(v) == 2 * v
Reveal == Secret
Doubled(v) == Twice(v)
Added(v, w) == v + w
=============================================================================
