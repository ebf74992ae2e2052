// A program that waits for nothing but a tool that hangs: it lives until the time limit of the tool answers the call.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = `
import { defineTool, runAgent } from './src/index.ts';
import { script, scriptedSend } from './src/model/script/index.ts';

const hangs = defineTool({ name: 'hangs', description: 'Hangs.', timeoutMs: 50, run: () => new Promise(() => undefined) });
const send = scriptedSend(script([{ calls: [{ name: 'hangs' }] }, { text: 'It took too long.' }]));
const { text } = await runAgent({ model: 'ollama/qwen3-vl', tools: [hangs], send, prompt: 'Go.' });
console.log(text);
`;

test('a tool that hangs is answered by its time limit, even when nothing else keeps the program alive', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout).toBe('It took too long.\n');
});
