---- MODULE M ----
a ==	/\ x
	/\ y
b ==
	/\ x
        /\ y
c ==
  	/\ x
	/\ y
====
