---- MODULE M ----
a ≜ ∀ x ∈ S, ⟨y, z⟩ ∈ T : ∃ w : x ≠ y ∧ ¬z
b ≜ □◇p ↝ ⟨A⟩_v ∧ □[A]_v
c ≜ [x ∈ S ↦ x] ∈ [S → T]
d ≜ ℕ ∪ ℤ ∪ ℝ
e ≜ x ⊕ (y × z)
f ≜ lab ∷ x ≤ y ⇒ x ≥ y
I ≜ INSTANCE M WITH x ← y
g ≜ 1 ‥ 2
====
