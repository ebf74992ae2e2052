// One screenshot loop: every turn adds a call and its result with one picture, and prepares the request with the
// ledger of the turn before. Gives back what a turn cost at the marks.
import { fileAssets, prepare } from '../../src/index.ts';
import type { Asset, Ledger, MessageInput } from '../../src/index.ts';
import { spread } from '../harness.ts';
import type { Task } from '../harness.ts';

export type LoopInput = { model: string; folder: string; assets: Asset[]; marks: number[] };

export type Mark = {
  turn: number;
  prepareMs: number;
  cpuMs: number;
  encodeMs: number;
  heapMb: number;
  ledgerKb: number;
};

/** The figure of a mark is the median of this many turns up to it. */
const lastTurns = 5;

const loop: Task<LoopInput, Mark[]> = async ({ model, folder, assets: pictures, marks }) => {
  const assets = fileAssets(folder);
  const tools = [
    {
      name: 'screenshot',
      description: 'Takes a picture of the screen.',
      inputSchema: { type: 'object', properties: {} },
    },
  ];
  const messages: MessageInput[] = [
    { role: 'user', content: 'Walk through the application and tell me what you see.' },
  ];
  let ledger: Ledger | undefined;
  let heap = 0;
  const out: Mark[] = [];
  const turns: { prepareMs: number; cpuMs: number; encodeMs: number }[] = [];
  for (const [index, asset] of pictures.entries()) {
    messages.push(...turnOf(index, asset));
    const cpu = process.cpuUsage();
    const start = performance.now();
    const prepared = await prepare({ system: 'You test an application.', tools, messages }, { model, assets, ledger });
    const prepareMs = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    const encode = performance.now();
    if (prepared.contentLength < asset.size) throw new Error('The picture of this turn is not in the request.');
    turns.push({ prepareMs, cpuMs: (user + system) / 1000, encodeMs: performance.now() - encode });
    ledger = prepared.ledger;
    if (index === 0) heap = heapUsed(); // from here on, code is loaded and only the conversation grows
    if (!marks.includes(index + 1)) continue;
    const last = turns.slice(-lastTurns);
    out.push({
      turn: index + 1,
      prepareMs: spread(last.map((turn) => turn.prepareMs)).median,
      cpuMs: spread(last.map((turn) => turn.cpuMs)).median,
      encodeMs: spread(last.map((turn) => turn.encodeMs)).median,
      heapMb: (heapUsed() - heap) / 1e6,
      ledgerKb: JSON.stringify(ledger).length / 1e3,
    });
  }
  return out;
};
export default loop;

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function turnOf(index: number, asset: Asset): MessageInput[] {
  const callId = `call_${index}`;
  const seen = `The page shows form ${index} with twelve fields, two of them marked in red. `.repeat(4);
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `I click on field ${index} and look at the page again.` },
        { type: 'call', id: callId, name: 'screenshot', input: { after: `click ${index}` } },
      ],
    },
    {
      role: 'tool',
      callId,
      name: 'screenshot',
      content: [
        { type: 'text', text: seen },
        { type: 'image', asset, width: 1440, height: 900 },
      ],
    },
  ];
}
