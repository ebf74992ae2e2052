// `wire --full` for every wire: the bytes on stdout are a body that judges from outside accept.
import { expect, test } from 'vitest';
import { base64InText, schemaErrors } from '../judge/judge.ts';
import type { WireName } from '../judge/judge.ts';
import { run } from './run.ts';
import { sampleFolder } from './samples.ts';

const folder = sampleFolder();

const rows: [model: string, wire: WireName][] = [
  ['anthropic/claude-sonnet-4-5', 'anthropic-messages'],
  ['openai/gpt-5.2', 'openai-responses'],
  ['openai-chat/gpt-4.1', 'openai-chat'],
  ['azure/x', 'openai-responses'],
  ['azure-chat/x', 'openai-chat'],
  ['gemini/gemini-2.5-pro', 'gemini'],
  ['gemini/gemini-3-pro-preview', 'gemini'],
  ['ollama/qwen3-vl', 'ollama'],
];

test.concurrent.each(rows)('the body for %s stands before the judges of %s', async (model, wire) => {
  const { code, stdout, stderr } = await run(['wire', 'turn.json', '-m', model, '--full'], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toMatch(/\n$/);
  const body: unknown = JSON.parse(stdout);
  expect(await schemaErrors(wire, body)).toEqual([]);
  expect(base64InText(wire, body)).toEqual([]);
});
