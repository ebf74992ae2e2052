// The tools of the soak: they return every kind of medium, fail in every way, wait, and lie.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { audio, defineTool, document, image } from '../../src/index.ts';
import type { Tool, ToolContext } from '../../src/index.ts';
import type { Roll } from './dice.ts';

const example = (name: string): Buffer => readFileSync(new URL(`../../examples/${name}`, import.meta.url));
const chart = example('chart.png');
const report = example('report.pdf');

const made: Record<string, (roll: Roll, context: ToolContext) => unknown> = {
  chart: () => image(chart),
  screenshot: (roll) => ({ success: true, base64_image: noise(roll).toString('base64') }),
  photograph: (roll) => ['A photograph.', image(noise(roll), { name: `photo-${roll(1000)}.png` })],
  report: () => ['The report:', document(report, { name: 'report.pdf' })],
  both: (roll) => [image(noise(roll)), 'and', document(report)],
  sound: (roll) => audio(tone(2000 + roll(8000)), { name: 'tone.wav' }),
  table: (roll) => ({ rows: Array.from({ length: 20 + roll(400) }, (_, at) => ({ at, value: roll(1000) })) }),
  log: (roll) => 'a line of a log that says little\n'.repeat(10 + roll(3000)),
  torn: (roll) => image(noise(roll).subarray(0, 400), { name: 'torn.png' }),
  liar: () => image(Buffer.from('<html>not a picture</html>'), { name: 'liar.png' }),
  nothing: () => undefined,
  throws: () => {
    throw new Error('The tool broke.');
  },
  slow: async (roll, { signal }) => {
    await sleep(roll(300), undefined, { signal });
    return 'Here I am.';
  },
  stuck: async (_, { signal }) => {
    await sleep(1500, undefined, { signal });
    return 'Late.';
  },
  deaf: async () => {
    await sleep(100); // does not look at the signal
    return image(chart);
  },
};

/** `unknown` is called, too, and is the tool that nobody has. */
export const toolNames: readonly [string, ...string[]] = ['unknown', ...Object.keys(made)];

export function soakTools(roll: Roll): Tool[] {
  return Object.entries(made).map(([name, run]) =>
    defineTool({
      name,
      description: `The ${name} of the soak.`,
      input: { type: 'object', properties: { why: { type: 'string' } } },
      run: (_, context) => run(roll, context),
    }),
  );
}

/** A picture that is new every time, up to 300 points wide. */
export function noise(roll: Roll): Buffer {
  const [width, height] = [16 + roll(284), 16 + roll(184)];
  const line = width * 3 + 1;
  const rows = Buffer.alloc(height * line);
  for (let at = 0; at < rows.length; at++) rows[at] = at % line === 0 ? 0 : roll(256);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A sound of so many samples, 8 kHz, one byte each. */
function tone(samples: number): Buffer {
  const head = Buffer.from(
    '524946460000000057415645666d74201000000001000100401f0000401f0000010008006461746100000000',
    'hex',
  );
  head.writeUInt32LE(36 + samples, 4);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}
