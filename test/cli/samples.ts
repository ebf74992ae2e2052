// A folder with the files that people point the program at: good ones, and one of every kind of bad one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFiles } from '../../src/cli/demo/conversation.ts';
import { newFolder } from './run.ts';

const tools = ['shoot', 'fetch_report'].map((name) => ({
  name,
  description: `Runs ${name}.`,
  inputSchema: { type: 'object', properties: {} },
}));

/** Two calls side by side: a picture in the first result, a PDF in the second. */
const turn = [
  { role: 'user', content: 'What happened?' },
  {
    role: 'assistant',
    content: tools.map(({ name }, at) => ({ type: 'call', id: `call_${at + 1}`, name, input: {} })),
  },
  { role: 'tool', callId: 'call_1', name: 'shoot', content: ['Taken.', { type: 'image', path: 'chart.png' }] },
  { role: 'tool', callId: 'call_2', name: 'fetch_report', content: [{ type: 'document', path: 'report.pdf' }] },
];

function withPicture(picture: unknown): string {
  const content = ['Taken.', picture];
  return JSON.stringify({
    tools,
    messages: [...turn.slice(0, 2), { role: 'tool', callId: 'call_1', name: 'shoot', content }],
  });
}

/** Makes the folder. */
export function sampleFolder(): string {
  const folder = newFolder();
  const { chart, report } = demoFiles();
  const files: Record<string, string | Uint8Array> = {
    'chart.png': chart,
    'report.pdf': report,
    'broken.png': chart.subarray(0, chart.length / 2),
    'steering.txt': 'plain \u001B[31mred\u001B]0;title\u0007 \u202Eover\u009B2J\nsecond line\n',
    'turn.json': JSON.stringify({ version: 1, system: 'You see.', tools, messages: turn }),
    'malformed.json': '{"messages": [',
    'empty.json': '',
    'no-transcript.json': '{"messages": 5}',
    'wrong-role.json': JSON.stringify({ messages: [turn[0], { role: 'robot', content: 'x' }] }),
    'missing-file.json': withPicture({ type: 'image', path: 'absent.png' }),
    'wrong-base64.json': withPicture({ type: 'image', data: '%%% no base64' }),
    'corrupt-picture.json': withPicture({ type: 'image', path: 'broken.png' }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
