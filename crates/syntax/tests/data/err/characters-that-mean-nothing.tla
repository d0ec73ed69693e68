---- MODULE M ----
a == 1;
b == x ? y
c == “quoted”
d == x’
e == `name`
f == x – 1
π == 3
====
