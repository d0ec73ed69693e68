------------------------------ MODULE Unicode ------------------------------
(* The symbols of TLA⁺ as they are printed: ∀ é ∈ comments. *)
EXTENDS Naturals, Sequences

CONSTANTS ℕ, Proc, _ ⊗ _
VARIABLES n, pc

ASSUME ℕ ⊆ Nat

vars ≜ ⟨n, pc⟩

a ⊕ b ≜ a + b
x ≺ y ≜ x < y

TypeOK ≜
    ∧ n ∈ ℕ
    ∧ ∨ pc ∈ [Proc → {"idle", "naïve"}]
      ∨ ¬ ∃ p ∈ Proc : pc[p] ≠ "idle"
    ∧ ∀ p ∈ Proc : ⟨p, n⟩ ∈ Proc × ℕ

Init ≜ n = 0 ∧ pc = [p ∈ Proc ↦ "idle"]
Next ≜ n' = n ⊕ 1 ∧ n' ≥ n ∧ n ≤ n' ∧ UNCHANGED pc
Spec ≜ Init ∧ □[Next]_vars ∧ ◇(n ≺ 3 ⇒ n ∉ {}) ∧ (n = 1 ↝ n = 2) ∧ □◇⟨Next⟩_vars

Sets ≜ ({1} ∪ {2}) ∩ {3} ⊆ {1} ⇔ (1 ‥ 2 = {} ≡ TRUE)
I ≜ INSTANCE Naturals
lab ≜ ∀ p ∈ Proc : here(p) ∷ p = p
============================================================================
