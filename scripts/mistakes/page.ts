// Every mistake of the list, made, as a page.
import { commandRows } from './commands.ts';
import { mistakes } from './list.ts';
import { codeOf, reads } from './run.ts';

const head = `# What do I read when I make a mistake?

Each of these mistakes was made, and this is what one reads. The compiler stops most of them before; the sentences are for
programs without types, for values from elsewhere, and for what only shows when it runs. Wrong use of a function throws;
what goes wrong in a run is \`error\` of its result (or \`troubles\`, for files that were refused and words stand for); what a
tool does wrong is told to the model. Mistakes at the terminal stand at the end; they were typed in an empty home, with no key.

This page is written by \`npm run mistakes\` from [the list](../scripts/mistakes/list.ts), and a test holds it to what happens.
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
