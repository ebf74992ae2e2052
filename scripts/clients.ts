// Real coding agents through the gateway, each with a model of every dialect; they are installed once (1.4 GB). The provider's
// side is a server on this machine that lets each look at pictures and PDFs and keeps what arrived. A run of all trials writes
// the rows of its clients into docs/gateway.md.
//   npm run clients                                          all of them
//   npm run clients -- claude --target chat --trial plain    one client, one dialect, one trial; writes nothing
//   npm run clients -- --keep DIR                            writes what arrived into files there
//   npm run clients -- --shapes                              writes the last request of each client, without its words, into
//                                                            test/fixtures/clients/
import { readFileSync, writeFileSync } from 'node:fs';
import { gatewayClients } from '../src/cli/serve/clients.ts';
import { argumentsOf } from './arguments.ts';
import { realClients } from './clients/clients.ts';
import { installed } from './clients/install.ts';
import { play } from './clients/play.ts';
import { writeShape } from './clients/shape.ts';
import { trials } from './clients/trials.ts';
import { targets } from '../test/gateway/clients.ts';

const page = 'docs/gateway.md';

const { values, positionals } = argumentsOf(
  import.meta.filename,
  { target: { type: 'string' }, trial: { type: 'string' }, keep: { type: 'string' }, shapes: { type: 'boolean' } },
  { words: true },
);

const rows = new Map<string, string>();
let [failures, tried] = [0, 0];
for (const client of realClients.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const bin = await installed(client);
  const cells: string[] = [];
  for (const [target, model] of Object.entries(targets)) {
    if (values.target !== undefined && values.target !== target) continue;
    const failed: string[] = [];
    for (const trial of trials) {
      if (values.trial !== undefined && values.trial !== trial.name) continue;
      if (trial.only && !trial.only.includes(client.name)) continue;
      const began = Date.now();
      const { faults, requests, asked } = await play(client, bin, model, trial);
      const seconds = `${Math.round((Date.now() - began) / 1000)} s`.padStart(5);
      tried++;
      if (faults.length > 0) failed.push(trial.name);
      console.log(`${faults.length === 0 ? '✓' : '✗'} ${client.name.padEnd(9)} ${target.padEnd(7)} ${trial.name.padEnd(7)} ${seconds} ${faults.join('; ')}`); // prettier-ignore
      if (values.shapes && trial.name === 'plain') writeShape(client.name, asked);
      if (values.keep !== undefined)
        writeFileSync(`${values.keep}/${client.name}-${target}-${trial.name}.json`, JSON.stringify(requests));
    }
    failures += failed.length;
    cells.push(failed.length === 0 ? '✓' : `✗ ${failed.join(', ')}`);
  }
  rows.set(titleOf(client.name), `| ${titleOf(client.name)} ${client.version} | ${cells.join(' | ')} |`);
}

if (values.target === undefined && values.trial === undefined) {
  const before = readFileSync(page, 'utf8');
  const kept = (title: string): string[] =>
    new RegExp(`^\\| ${title} .*$`, 'm').exec(tableIn(before))?.slice(0, 1) ?? [];
  const text = [
    `| client | ${Object.values(targets).map((model) => `\`${model}\``).join(' | ')} |`,
    `| --- |${' --- |'.repeat(Object.keys(targets).length)}`,
    ...realClients.map(({ name }) => titleOf(name)).flatMap((title) => rows.get(title) ?? kept(title)),
    '',
    'Each ✓ stands for all of these:',
    '',
    trials.map(({ what, only }) => `- ${what}${only ? ` (${only.map(titleOf).join(' and ')})` : ''}`).join(';\n') + '.',
  ].join('\n'); // prettier-ignore
  writeFileSync(
    page,
    before.replace(tableIn(before), () => `<!-- clients -->\n${text}\n<!-- end -->`),
  );
}
console.log(`${tried - failures} of ${tried}`);
process.exit(failures === 0 ? 0 : 1);

function titleOf(name: string): string {
  return gatewayClients.find((client) => client.name === name)?.title ?? name;
}

function tableIn(text: string): string {
  return /<!-- clients -->\n[\s\S]*?<!-- end -->/.exec(text)?.[0] ?? '';
}
