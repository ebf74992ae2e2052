// The examples of `sightline/ai-sdk`, run as a reader would run them, with the AI SDK as it is.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { base64InText } from '../judge/judge.ts';

const said = 'Sales rose.';
const rows: [name: string, tool: string, loops: number, medium: string][] = [
  ['ai-sdk', 'openChart', 3, 'image'],
  ['ai-sdk-provider', 'openReport', 1, 'document'],
];

test.concurrent.each(rows)(
  'the example %s shows its models what its tool returned',
  async (name, tool, loops, medium) => {
    const loop = [{ calls: [{ name: tool, input: { quarter: 'Q3' } }] }, { text: said }];
    await using server = await scriptedServer(script(Array.from({ length: loops }, () => loop).flat()));
    const addresses = {
      OPENAI_BASE_URL: `${server.url}/v1`,
      MISTRAL_BASE_URL: `${server.url}/v1`,
      GOOGLE_BASE_URL: `${server.url}/v1beta`,
      ANTHROPIC_BASE_URL: server.url,
    };
    const keys = {
      OPENAI_API_KEY: 'k',
      MISTRAL_API_KEY: 'k',
      GOOGLE_GENERATIVE_AI_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'k',
    };
    const env = { ...process.env, ...addresses, ...keys };
    const { stdout } = await promisify(execFile)(process.execPath, [`examples/${name}.ts`], { env });
    expect(stdout.split(said)).toHaveLength(loops + 1);
    const last = server.requests.filter((_, at) => at % 2 === 1);
    expect(last).toHaveLength(loops);
    for (const { wire, body, transcript } of last) {
      expect(wire && base64InText(wire, body).filter((line) => !/image_url/.test(line))).toEqual([]);
      expect(JSON.stringify(transcript)).toContain(`"type":"${medium}"`);
    }
  },
);
