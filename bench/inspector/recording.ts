// What it costs to record a request of a long conversation, beside what it costs to prepare it: by turns, on the same history.
import { rmSync } from 'node:fs';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import { keptBody } from '../../src/record/body.ts';
import { openSessions } from '../../src/session/store.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import type { Task } from '../harness.ts';
import { noise } from './history.ts';

export type RecordingInput = { home: string; turns: number };
export type RecordingFigures = { prepareCpuMs: number; recordCpuMs: number; prepareMs: number; recordMs: number };

const model = 'anthropic/claude-sonnet-4-5';

const task: Task<RecordingInput, RecordingFigures> = async ({ home, turns }) => {
  const store = openSessions({ home });
  const { recorder } = store;
  if (!recorder) throw new Error('nothing is recorded');
  const assets = memoryAssets();
  const messages: MessageInput[] = [];
  const spent = { prepare: [0, 0], record: [0, 0] };
  const counted = async <T>(what: 'prepare' | 'record', counts: boolean, work: () => Promise<T>): Promise<T> => {
    const [cpu, began] = [process.cpuUsage(), performance.now()];
    const result = await work();
    const { user, system } = process.cpuUsage(cpu);
    if (counts)
      spent[what] = [(spent[what][0] ?? 0) + (user + system) / 1000, (spent[what][1] ?? 0) + performance.now() - began];
    return result;
  };
  let ledger: Ledger | undefined;
  const newest = 100;
  for (let turn = 0; turn < turns; turn++) {
    messages.push({
      role: 'user',
      content: [`Page ${turn}?`, { type: 'image', data: noise(30_000), name: `${turn}.png` }],
    });
    const counts = turn >= turns - newest;
    const request = await counted('prepare', counts, () =>
      prepare({ messages }, { model, assets, readPictures: false, ...(ledger && { ledger }) }),
    );
    ({ ledger } = request);
    const { wire, receipts, repairs, totals } = request;
    const { url, contentLength } = request.outgoing();
    const record = {
      version: 1,
      id: `r${turn}`,
      time: Date.now(),
      conversation: 'bench',
      purpose: 'answer',
      via: 'send',
    } as const;
    await counted('record', counts, async () => {
      const skeleton = request.outgoing().skeleton().skeleton;
      await recorder.begin({ ...record, model, wire, url, bytes: contentLength, receipts, repairs, totals }, (known) =>
        keptBody(skeleton, known),
      );
      await recorder.end(record.id, { state: 'answered', attempts: [{ ms: 1, status: 200 }] });
    });
    messages.push({ role: 'assistant', content: `It shows page ${turn}.` });
  }
  await store.close();
  rmSync(home, { recursive: true, force: true });
  const each = (value: number | undefined): number => (value ?? 0) / newest;
  const [prepareCpuMs, prepareMs] = spent.prepare.map(each) as [number, number];
  const [recordCpuMs, recordMs] = spent.record.map(each) as [number, number];
  return { prepareCpuMs, recordCpuMs, prepareMs, recordMs };
};
export default task;
