// Runs programs of `examples/compare/` one after the other in this process, and prints what each of them printed and
// what reached the model, as one line of JSON. Arguments: files.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Step } from '../../src/model/script/index.ts';
import { programs } from './programs.ts';

export type Ran = { file: string; printed: string; asked: number; sawPicture: boolean };

let says: Step[] = [];
let next = 0;
const server = await scriptedServer(
  script(async (asked) => {
    const step = says[next++] ?? { error: { status: 400, message: 'Nobody expected this request.' } };
    return typeof step === 'function' ? step(asked) : step;
  }),
);
Object.assign(process.env, {
  ANTHROPIC_BASE_URL: server.url,
  OPENAI_BASE_URL: `${server.url}/v1`,
  ANTHROPIC_API_KEY: 'key',
  OPENAI_API_KEY: 'key',
  SIGHTLINE_HOME: mkdtempSync(join(tmpdir(), 'sightline-compare-')),
});

const print = console.log;
for (const file of process.argv.slice(2)) {
  const lines: string[] = [];
  console.log = (...words: unknown[]) => void lines.push(words.join(' '));
  says = programs[basename(dirname(file))]?.says ?? [];
  next = 0;
  const from = server.requests.length;
  const program = (await import(resolve(file))) as {
    default?: { fetch: (request: Request, env: object) => Promise<Response> };
  };
  const picture = { method: 'POST', body: readFileSync('examples/chart.png') };
  const answer = await program.default?.fetch(new Request('http://worker/', picture), process.env);
  if (answer) lines.push(await answer.text());
  const bodies = server.requests.slice(from).map(({ body }) => JSON.stringify(body));
  const sawPicture = bodies.some((body) => /"(?:input_image|image_url|image)"/.test(body));
  print(JSON.stringify({ file, printed: lines.join('\n'), asked: bodies.length, sawPicture } satisfies Ran));
}
await server.close();
process.exit();
