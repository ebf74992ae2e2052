// The same questions typed into programs at the terminal, `what is in @FILE?`, with a scripted model on this machine that calls
// the program's own tool for files where it was not shown the file: what reached the model, into docs/compare.md. The programs are
// installed once (0.9 GB).
//   npm run terminal                    all of them
//   npm run terminal -- pi --only PDF   one program, the rows whose name has it; writes nothing
import { readFileSync, writeFileSync } from 'node:fs';
import { argumentsOf } from './arguments.ts';
import { questions } from './terminal/questions.ts';
import { programs, titled } from './terminal/programs.ts';
import { ask } from './terminal/ask.ts';

const page = 'docs/compare.md';
const { values, positionals } = argumentsOf(import.meta.filename, { only: { type: 'string' } }, { words: true });
const asked = questions.filter(({ what }) => what.includes(values.only ?? ''));
const chosen = programs.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const columns = new Map<string, string[]>();
for (const program of chosen) {
  const cells: string[] = [];
  for (const question of asked) {
    const cell = await ask(program, question);
    console.log(`${program.name.padEnd(10)}${question.what.padEnd(50)}${cell}`);
    cells.push(cell);
  }
  columns.set(titled(program), cells);
}

if (values.only === undefined && chosen.length === programs.length) {
  const table = [
    `| | ${[...columns.keys()].join(' | ')} |`,
    `| --- |${' --- |'.repeat(columns.size)}`,
    ...asked.map(({ what }, row) => `| ${what} | ${[...columns.values()].map((cells) => cells[row] ?? '').join(' | ')} |`),
  ].join('\n'); // prettier-ignore
  const before = readFileSync(page, 'utf8');
  const part = /<!-- terminal -->\n[\s\S]*?<!-- end -->/;
  writeFileSync(
    page,
    before.replace(part, () => `<!-- terminal -->\n${table}\n<!-- end -->`),
  );
}
