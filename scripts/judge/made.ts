// Documents whose contents are known, made in the run: Markdown that pandoc turns into each format, and words of our own.

/** One row is one document; together they have everything that is measured. */
export const sources: Readonly<Record<string, string>> = {
  report: `# Annual report

The *harbour* took in **1,204 ships**, of which ~~310~~ 312 were tankers.[^1] See [the log](https://example.com/log?year=2025).

## Berths

1. North quay
   - Berth 1
   - Berth 2
     - east side
     - west side
2. South quay
   1. Berth 3
   2. Berth 4

| Ship | Berth | Tonnes |
|------|------:|-------:|
| Aurora | 7 | 12,500 |
| Borealis | 12 | 8,040 |
| Ceres | 3 | 960 |

### Tides

- high
- low
  - neap
  - spring

Water is H~2~O; the area is 12 m^2^ and the load 10^5^ N.[^2]

[^1]: Counted by hand.
[^2]: Measured in *2024*.
`,
  contract: `# Service agreement

This agreement is made between **Ann Lee** ("the Client") and **Bob Ray** ("the Provider").

## Terms

1. The Provider shall deliver
   - a design
   - a prototype, *including* its source
2. The Client shall pay
   1. a fee of **4,500 euros**
   2. expenses, if *agreed in writing*
      - travel
      - lodging

## Fees

| Item | Amount |
|------|-------:|
| Design | 1,500.00 |
| Prototype | 3,000.00 |
| **Sum** | **4,500.00** |

> Either party may end this agreement with [thirty days](https://example.com/notice) of notice.[^a]

[^a]: In writing, on paper.
`,
  lists: Array.from(
    { length: 12 },
    (_, at) =>
      `## Part ${at + 1}\n\n- item ${at} one\n  - item ${at} two\n    - item ${at} three\n  - item ${at} four\n- item ${at} five\n\nA line between.\n\n1. step ${at} one\n2. step ${at} two\n   - detail ${at}\n     1. point ${at}\n3. step ${at} three\n`,
  ).join('\n'),
  paper: `# On *Vibrio* in harbour water

**Background.** We counted *Vibrio cholerae* in 48 samples.[^n]

## Methods

Samples of 10^-3^ l were kept at 4 °C. Growth followed $N = N_0 e^{rt}$ with $r = \\frac{1}{2}$.

## Results

| Site | n | CFU/ml |
|:-----|--:|-------:|
| A | 12 | 340 |
| B | 18 | 1,020 |
| C | 18 | 75 |

Counts were ***far*** higher at site B; see [the data](https://example.org/d/17).

[^n]: Twelve of them in winter.
`,
};
