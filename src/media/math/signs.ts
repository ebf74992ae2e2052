// Signs of formulas as Unicode has them in, as LaTeX names them out. Pure.

const named = new Map(
  (
    'α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu µ mu ν nu ξ xi ' +
    'π pi ρ rho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi ' +
    'Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ± pm ∓ mp × times ÷ div · cdot ⋅ cdot ∗ ast ∘ circ ≤ leq ⩽ leq ≥ geq ⩾ geq ≠ neq ≈ approx ' +
    '≡ equiv ∼ sim ≃ simeq ≅ cong ∝ propto ≪ ll ≫ gg ∞ infty ∂ partial ∇ nabla ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ' +
    '√ surd → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ∈ in ∉ notin ∋ ni ⊂ subset ⊆ subseteq ' +
    '⊃ supset ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee ⊕ oplus ⊗ otimes ⊥ perp ∥ parallel ∠ angle ' +
    '… ldots ⋯ cdots ⋮ vdots ⋱ ddots ℏ hbar ℓ ell ℜ Re ℑ Im ′ prime ″ prime\\prime † dagger ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil'
  )
    .split(' ')
    .reduce<[string, string][]>(
      (pairs, word, at, all) => (at % 2 === 0 ? [...pairs, [word, all[at + 1] ?? '']] : pairs),
      [],
    ),
);

const plain = new Map([
  ['−', '-'],
  ['ℝ', '\\mathbb{R}'],
  ['ℤ', '\\mathbb{Z}'],
  ['ℕ', '\\mathbb{N}'],
  ['ℚ', '\\mathbb{Q}'],
  ['ℂ', '\\mathbb{C}'],
  ['\u2061', ''],
  ['\u2062', ''],
  ['\u2063', ''],
  ['\u00a0', '~'],
  ['%', '\\%'],
  ['#', '\\#'],
  ['&', '\\&'],
  ['{', '\\{'],
  ['}', '\\}'],
  ['$', '\\$'],
  ['\\', '\\backslash '],
]);

/** Words of a formula; a name that letters follow is set apart from them. */
export function latexSigns(text: string): string {
  // Letters in the cursive and bold alphabets of mathematics are the same letters.
  const letters = text.replaceAll(/[\u{1d400}-\u{1d7ff}]/gu, (sign) => sign.normalize('NFKC'));
  let out = '';
  for (const sign of letters) {
    const name = named.get(sign);
    if (name !== undefined) out += `\\${name} `;
    else out += plain.get(sign) ?? sign;
  }
  return out;
}

const functions = new Set(
  'sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim max min sup inf det dim ker gcd arg Pr mod'.split(
    ' ',
  ),
);

/** A name of several letters: a function that LaTeX knows, or upright letters. */
export function latexName(name: string): string {
  const words = name.trim();
  if (!/../u.test(words) || !/^[\p{L}\p{M}]+$/u.test(words)) return latexSigns(words);
  if (functions.has(words)) return words === 'mod' ? '\\bmod ' : `\\${words} `;
  return `\\mathrm{${latexSigns(words).trim()}}`;
}

const accents = new Map([
  ['\u0302', 'hat'],
  ['^', 'hat'],
  ['ˆ', 'hat'],
  ['\u0303', 'tilde'],
  ['~', 'tilde'],
  ['˜', 'tilde'],
  ['\u0304', 'bar'],
  ['\u0305', 'overline'],
  ['¯', 'overline'],
  ['‾', 'overline'],
  ['―', 'overline'],
  ['\u20d7', 'vec'],
  ['→', 'vec'],
  ['\u0307', 'dot'],
  ['˙', 'dot'],
  ['.', 'dot'],
  ['\u0308', 'ddot'],
  ['¨', 'ddot'],
  ['⏞', 'overbrace'],
  ['⏟', 'underbrace'],
  ['_', 'underline'],
  ['\u0332', 'underline'],
]);

/** What stands over or under something, as a command, where it is an accent. */
export function accentName(sign: string): string | undefined {
  return accents.get(sign.trim());
}

/** What another sign is put to; a base that carries signs itself stays together. */
export function base(text: string): string {
  const words = text.trim();
  return words === '' || /[\^_]/.test(words) ? `{${words}}` : words;
}

export function braced(text: string): string {
  return `{${text.trim()}}`;
}

/** Blanks that only kept names apart go where no letter follows. */
export function tidied(latex: string): string {
  return latex.replaceAll(/\s+/g, ' ').replaceAll(/ (?=[)\]}^_,.;:=+\-/|!]|$)/g, '');
}

/** A formula among words, or on a line of its own. */
export function formula(latex: string, display = false): string {
  const words = latex.replaceAll(/\s+/g, ' ').trim();
  if (words === '') return '';
  return display ? `$$${words}$$` : `$${words}$`;
}
