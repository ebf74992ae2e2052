// Whole bodies: one rich conversation in every dialect, against files that were read by a person and against judges
// that were written by others. `SIGHTLINE_FIXTURES=write` writes the files anew; read them before you keep them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { base64InText, schemaErrors } from '../judge/judge.ts';
import { profileOf } from '../laws/models.ts';
import { asSent, writeOutline, writeWhole } from '../laws/world.ts';
import { richTranscript } from './rich.ts';

const rows: [string, string][] = [
  ['anthropic/claude-sonnet-4-5', 'inside'],
  ['openai/gpt-5.2', 'inside'],
  ['azure/deployment', 'azure'],
  ['openai-chat/gpt-4.1', 'after'],
  ['azure-chat/deployment', 'azure-pages'],
  ['compatible/nobody-knows-it', 'words'],
  ['gemini/gemini-2.5-pro', 'after'],
  ['gemini/gemini-3-pro-preview', 'inside'],
  ['ollama/qwen3-vl', 'inside'],
  ['ollama/llava', 'after'],
  ['ollama/llama3.1', 'words'],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude'],
  ['bedrock/us.amazon.nova-pro-v1:0', 'nova'],
  ['bedrock/us.mistral.pixtral-large-2502-v1:0', 'pixtral'],
];

function fixture(model: string, name: string): string {
  return fileURLToPath(new URL(`../fixtures/${profileOf(model).wire}/${name}.json`, import.meta.url));
}

const options = { maxTokens: 2000, toolChoice: 'auto' } as const;

describe.each(rows)('%s', (model, name) => {
  const transcript = richTranscript(profileOf(model));

  test(`writes the body of fixture "${name}"`, async () => {
    const { body } = await writeOutline({ transcript, model, options });
    const path = fixture(model, name);
    if (process.env['SIGHTLINE_FIXTURES'] === 'write') {
      mkdirSync(new URL('.', `file://${path}`), { recursive: true });
      writeFileSync(path, `${JSON.stringify(body, null, 2)}\n`);
    }
    expect(body).toEqual(asSent(JSON.parse(readFileSync(path, 'utf8'))));
  });

  test('writes a body that every judge accepts', async () => {
    const { body } = await writeWhole({ transcript, model, options });
    expect(await schemaErrors(profileOf(model).wire, body)).toEqual([]);
    expect(base64InText(profileOf(model).wire, body)).toEqual([]);
  });
});
