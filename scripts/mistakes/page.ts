// Every mistake of the list, made, as a page.
import { commandRows } from './commands.ts';
import { mistakes } from './list.ts';
import { codeOf, reads } from './run.ts';

const head = `# What do I read when I make a mistake?

Each row is a mistake that was really made, and the message it gave. Search this page for yours.

- Wrong use of a function throws. TypeScript stops most of these mistakes earlier; the messages are for programs without types, for
  values from elsewhere, and for what shows only at run time.
- What goes wrong in a run is \`error\` of its result, or \`troubles\` for files that were refused.
- What a tool does wrong is told to the model.
- Mistakes at the terminal are at the end; they were typed in an empty home, without a key.

\`npm run mistakes\` writes this page from [the list](../scripts/mistakes/list.ts), and a test checks it.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;');

const table = (title: string, deed: string, rows: readonly (readonly [string, string])[]): string =>
  `## ${title}\n\n| who ${deed} | reads |\n| --- | --- |\n${rows.map(([code, said]) => `| \`${cell(code)}\` | ${cell(said)} |`).join('\n')}\n`;

/** Made without the keys and addresses of whoever makes it. */
export async function mistakesPage(): Promise<string> {
  const mine = Object.keys(process.env).filter((name) => /_(?:KEY|TOKEN|BASE_URL|HOST)$/.test(name));
  const kept = Object.fromEntries(mine.map((name) => [name, process.env[name]]));
  for (const name of mine) delete process.env[name];
  const sections: string[] = [];
  for (const [title, list] of Object.entries(mistakes)) {
    const rows: [string, string][] = [];
    for (const mistake of list) rows.push([codeOf(mistake), await reads(mistake)]);
    sections.push(table(title, 'writes', rows));
  }
  for (const [title, rows] of Object.entries(await commandRows())) sections.push(table(title, 'types', rows));
  Object.assign(process.env, kept);
  return [head, ...sections].join('\n');
}
