--------------------------- MODULE UnicodeSymbols ---------------------------
(* The symbols of mathematics in place of their ASCII spellings.             *)
EXTENDS Naturals, Sequences

VARIABLES x, s

ASSUME 2 ∈ {1, 2} ∧ 3 ∉ {1, 2}
ASSUME ∀ n ∈ 1‥3 : ∃ m ∈ Nat ∩ (0‥9) : m ≥ n
ASSUME {1} ⊆ {1, 2} ∧ {1} ∪ {2} = {1, 2} ∧ {1} ∩ {2} = {}
ASSUME ¬FALSE ∧ (FALSE ⇒ FALSE) ∧ (TRUE ≡ TRUE) ∧ 1 ≠ 2 ∧ 1 ≤ 2
ASSUME ⟨1, 2⟩ ∘ ⟨3⟩ = ⟨1, 2, 3⟩
ASSUME {1} × {2} = {⟨1, 2⟩}
ASSUME 7 ÷ 2 = 3 ∧ [n ∈ 1‥2 ↦ n] = ⟨1, 2⟩
ASSUME (CASE FALSE → 1 □ TRUE → 2) = 2

Init ≜ x = 0 ∧ s = ⟨⟩
Next ≜ ∨ x < 2 ∧ x' = x + 1 ∧ s' = s ∘ ⟨x⟩
       ∨ x = 2 ∧ x' = 0 ∧ s' = ⟨⟩
Short ≜ Len(s) ≤ 2
=============================================================================
