---- MODULE M ----
a == x and y
b == x or y
c == not x
d == !x
e == f[x] != y
f == (x) ~= y
g == x <> y
h == 'text'
i == x = 1 // because it is so
j == x++
k == x += 1
l == x -> x + 1
m == if (x) { y }
n == if x then y else z
o == [1, 2, 3]
p == let y == 1 in y
q == /* no comment */ 1
r == x is not y
s == x = 1 && y = 2
t == x > 1 || f[y] < 2
u == x = 1 = 2
====
