// The signs of formulas by their names in LaTeX.

const table = (words: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    words
      .trim()
      .split(/\s+/)
      .map((word) => word.split('=') as [string, string]),
  );

/** Letters, set like variables. */
export const letters: Readonly<Record<string, string>> = table(`
  alpha=α beta=β gamma=γ delta=δ epsilon=ϵ varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι kappa=κ lambda=λ mu=μ nu=ν xi=ξ
  omicron=ο pi=π varpi=ϖ rho=ρ varrho=ϱ sigma=σ varsigma=ς tau=τ upsilon=υ phi=ϕ varphi=φ chi=χ psi=ψ omega=ω Gamma=Γ Delta=Δ
  Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω ell=ℓ hbar=ℏ Re=ℜ Im=ℑ wp=℘ imath=ı jmath=ȷ`);

/** Signs that are no letters and stand like one. */
export const symbols: Readonly<Record<string, string>> = table(`
  infty=∞ partial=∂ nabla=∇ emptyset=∅ varnothing=∅ aleph=ℵ angle=∠ triangle=△ square=□ blacksquare=■ top=⊤ bot=⊥ degree=°
  dots=… ldots=… cdots=⋯ vdots=⋮ ddots=⋱ prime=′ checkmark=✓ $=$ %=% &=& #=# _=_ S=§`);

/** Relations, arrows, brackets, large operators. */
export const operators: Readonly<Record<string, string>> = {
  ...table(`
  pm=± mp=∓ times=× div=÷ cdot=· ast=∗ star=⋆ circ=∘ bullet=• oplus=⊕ ominus=⊖ otimes=⊗ odot=⊙ dagger=† cup=∪ cap=∩ setminus=∖
  wedge=∧ land=∧ vee=∨ lor=∨ neg=¬ lnot=¬ forall=∀ exists=∃ nexists=∄ in=∈ notin=∉ ni=∋ subset=⊂ supset=⊃ subseteq=⊆ supseteq=⊇
  leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ approx=≈ equiv=≡ sim=∼ simeq=≃ cong=≅ propto=∝ ll=≪ gg=≫ prec=≺ succ=≻ mid=∣ nmid=∤
  parallel=∥ perp=⊥ models=⊨ vdash=⊢ to=→ rightarrow=→ leftarrow=← leftrightarrow=↔ Rightarrow=⇒ Leftarrow=⇐ Leftrightarrow=⇔
  implies=⟹ iff=⟺ impliedby=⟸ mapsto=↦ longrightarrow=⟶ longleftarrow=⟵ uparrow=↑ downarrow=↓ hookrightarrow=↪ rightleftharpoons=⇌ sum=∑ prod=∏
  coprod=∐ int=∫ iint=∬ iiint=∭ oint=∮ bigcup=⋃ bigcap=⋂ bigoplus=⨁ bigotimes=⨂ langle=⟨ rangle=⟩ lfloor=⌊ rfloor=⌋ lceil=⌈
  rceil=⌉ vert=| Vert=‖ lvert=| rvert=| lVert=‖ rVert=‖ lbrace={ rbrace=} colon=: therefore=∴ because=∵ coloneqq=≔`),
  '{': '{',
  '}': '}',
  '|': '‖',
};

/** Functions, set upright. */
export const functions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh exp ln log lg lim max min sup inf det dim ker gcd deg arg hom Pr'
      .split(' ')
      .map((name) => [name, name]),
  ),
  limsup: 'lim sup',
  liminf: 'lim inf',
  argmax: 'arg max',
  argmin: 'arg min',
  bmod: 'mod',
};

export const accents: Readonly<Record<string, string>> = table(`
  hat=^ widehat=^ tilde=~ widetilde=~ bar=¯ overline=¯ vec=→ overrightarrow=→ dot=˙ ddot=¨ check=ˇ breve=˘ acute=´ grave=\``);

/** Words and letters in another hand; the value is the alphabet. */
export const styles: Readonly<Record<string, string>> = {
  text: '',
  textrm: '',
  mathrm: '',
  operatorname: '',
  mbox: '',
  texttt: '',
  mathsf: '',
  mathtt: '',
  mathit: '',
  textit: '',
  mathbf: 'bold',
  textbf: 'bold',
  boldsymbol: 'bold',
  mathbb: 'double',
  mathcal: 'script',
  mathscr: 'script',
};
