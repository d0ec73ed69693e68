---- MODULE M ----
a == ""
b == "say \"hi\""
c == "tab\t line\n return\r feed\f slash\\"
d == "\* no comment"
e == "(* none *) ∀ é"
====
