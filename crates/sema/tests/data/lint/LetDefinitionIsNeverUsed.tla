---- MODULE LetDefinitionIsNeverUsed ----
EXTENDS Naturals
Area(width, height) ==
  LET rows == height
      columns == width
      square(n) == n * n
      cube(n) == n * square(n)
  IN rows * width + square(2)
====
