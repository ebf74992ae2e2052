// The example for edge workers, bundled from the package as it is built: it needs nothing from outside, stays small, and
// runs in the runtime of Cloudflare's workers, where pictures reach a model that speaks over loopback.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import type { edgeMiddleware } from '../../src/ai-sdk/edge.ts';
import { bundled } from '../../scripts/bundle.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { base64InText, schemaErrors } from '../judge/judge.ts';

const built = existsSync('dist/fetch/edge.js');
const runtime = existsSync('test/edge/node_modules/workerd');
if (!runtime) console.warn('No worker is run: "npm install --no-save --prefix test/edge" installs the runtime.');

test.runIf(built).each(['workerd', 'browser'])(
  'a worker bundles for "%s" with nothing left to import',
  async (condition) => {
    const { code, imports } = await bundled('examples/edge/worker.ts', condition);
    expect(imports).toEqual([]);
    expect(code).not.toMatch(/\bnode:|\brequire\(|\bprocess\.getBuiltinModule/);
  },
);

test.runIf(built).each(['workerd', 'browser'])(
  'the middleware of the AI SDK bundles for "%s" with nothing left to import, and puts a picture where the model sees it',
  async (condition) => {
    const { code, imports } = await bundled('test/ai-sdk/worker.ts', condition);
    expect(imports).toEqual([]);
    expect(code).not.toMatch(/\bnode:|\brequire\(|\bprocess\.getBuiltinModule/);
    const { sightlineMiddleware } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { sightlineMiddleware: typeof edgeMiddleware };
    const asked: LanguageModelV4CallOptions[] = [];
    const model = { provider: 'openai.chat', modelId: 'gpt-4.1', doGenerate: async (given: LanguageModelV4CallOptions) => void asked.push(given) } as unknown as LanguageModelV4;
    const chart = readFileSync('examples/chart.png').toString('base64');
    const output = { type: 'json' as const, value: { chart } };
    const prompt: LanguageModelV4CallOptions['prompt'] = [
      { role: 'user', content: [{ type: 'text', text: 'How did we do?' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'chart', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'chart', output }] },
    ];
    await sightlineMiddleware().wrapGenerate?.({ model, params: { prompt }, doGenerate: () => model.doGenerate({ prompt }), doStream: () => model.doStream({ prompt }) });
    const last = asked[0]?.prompt.at(-1);
    expect(last?.role).toBe('user');
    expect(JSON.stringify(last)).toContain(chart);
    expect(JSON.stringify(asked[0]?.prompt.slice(0, -1))).not.toContain(chart);
  },
); // prettier-ignore

test.runIf(built)('sightline/core, with six dialects, is at most 240 kB, minified', async () => {
  const { code } = await bundled('dist/core.js', 'workerd');
  expect(Buffer.byteLength(code)).toBeLessThanOrEqual(240_000);
});

const configOf = (address: string): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-10-01",
      bindings = [(name = "ANTHROPIC_BASE_URL", text = "${address}"), (name = "ANTHROPIC_API_KEY", text = "key")],
      globalOutbound = "network"
    )),
    (name = "network", network = (allow = ["local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);`;

test.runIf(built && runtime)(
  'in workerd, pictures of tools reach a model, through fetch and through core',
  async () => {
    await using server = await scriptedServer(script(() => ({ text: 'Sales rose.' })));
    const folder = mkdtempSync(join(tmpdir(), 'sightline-edge-'));
    writeFileSync(join(folder, 'worker.js'), (await bundled('examples/edge/worker.ts', 'workerd')).code);
    writeFileSync(join(folder, 'config.capnp'), configOf(server.url));
    const { default: program } = createRequire(join(process.cwd(), 'test/edge/package.json'))('workerd') as {
      default: string;
    };
    const child = spawn(program, ['serve', '--control-fd=3', 'config.capnp'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    const complaints = child.stderr ? text(child.stderr) : Promise.resolve('');
    try {
      const port = await new Promise<number>((found, failed) => {
        child.stdio[3]?.on('data', (line: Buffer) => {
          const told = /"port":\s*(\d+)/.exec(line.toString());
          if (told) found(Number(told[1]));
        });
        child.on('exit', () => void complaints.then((words) => failed(new Error(words))));
      });
      for (const path of ['sdk', 'core']) {
        const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
          method: 'POST',
          body: readFileSync('examples/chart.png'),
        });
        expect({ path, answer: await answer.json() }).toEqual({
          path,
          answer: [{ type: 'text', text: 'Sales rose.' }],
        });
      }
    } finally {
      child.kill();
    }
    expect(server.requests).toHaveLength(2);
    for (const { body } of server.requests) {
      expect(await schemaErrors('anthropic-messages', body)).toEqual([]);
      expect(base64InText('anthropic-messages', body)).toEqual([]);
      expect(JSON.stringify(body)).toMatch(/"type":"tool_result".*"type":"image","source":\{"type":"base64"/);
    }
  },
);
