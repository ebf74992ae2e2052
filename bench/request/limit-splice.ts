// The least work that ends in a body with media from disk: read a file, encode it, hand it over, next one.
import { readFile } from 'node:fs/promises';
import type { Task } from '../harness.ts';
import { pathOf, question, requestTask, resultText } from './task.ts';
import type { RequestInput } from './task.ts';

const task: Task<RequestInput, unknown> = requestTask(async ({ folder, assets }) => (count) => async (sink) => {
  sink.write(Buffer.from(JSON.stringify({ question }).replace('}', ',"results":[')));
  for (const [turn, asset] of assets.slice(0, count).entries()) {
    const [head = '', tail = ''] = JSON.stringify({ text: resultText(turn), data: '|' }).split('|');
    sink.write(Buffer.from((turn > 0 ? ',' : '') + head));
    sink.write(Buffer.from((await readFile(pathOf(folder, asset))).toString('base64'), 'latin1'));
    sink.write(Buffer.from(tail));
  }
  sink.write(Buffer.from(']}'));
  sink.end();
});
export default task;
