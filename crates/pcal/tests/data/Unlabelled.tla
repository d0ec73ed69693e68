---- MODULE Unlabelled ----
EXTENDS Naturals, TLC
	(*	--algorithm Unlabelled { variable x = 0,
		y;   \* tabs
	{ x := 1; if (x = 1) { y := 2; goto Done; };
	  while (x < 3) x := x + 1;
	  print <<x, y>>;
	} } *)
\* behind it

Last == 1
====
