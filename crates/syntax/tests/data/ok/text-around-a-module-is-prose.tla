Prose may say anything: ( [ { << "unclosed (* and --- MODULE, with three dashes.
--MODULE----
---- MODULE Between ----
a == 1
====
\* So may the text below. ---- MODULE that is no header
"unclosed
