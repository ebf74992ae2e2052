// Reading a streamed answer: bytes in, events out. `JSON.parse` of the same payloads is what it costs to parse them all.
import { interleave, show, spread, verdict } from '../harness.ts';
import type { Job, Spread } from '../harness.ts';
import type { Comparison } from '../run.ts';
import type { StreamedWire } from './answer.ts';
import type { DecodeInput, DecodeSample } from './task.ts';

const wires: StreamedWire[] = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'];
const candidates = ['JSON.parse', 'sightline', 'ai'] as const;
const pieces = 50_000;
const times = 6;
const warmUp = 2;

export const compareDecoding: Comparison = async (repetitions) => {
  const results = await interleave<DecodeSample[]>(jobs(), repetitions);
  const cpu = (wire: string, by: string): Spread | undefined => {
    const warm = results.get(`${wire}, ${by}`)?.flatMap((samples) => samples.slice(warmUp));
    return warm && spread(warm.map((sample) => sample.cpuMs));
  };
  const rows = wires.flatMap((wire) =>
    candidates.flatMap((by) => {
      const warm = results.get(`${wire}, ${by}`)?.flatMap((samples) => samples.slice(warmUp)) ?? [];
      if (warm.length === 0) return [];
      const of = (value: (sample: DecodeSample) => number, digits = 0): string => show(spread(warm.map(value)), digits);
      const speed = of(({ megabytes, wallMs }) => (megabytes / wallMs) * 1000);
      return [[wire, by, of(({ wallMs }) => wallMs), of(({ cpuMs }) => cpuMs), speed]];
    }),
  );
  const notes = wires.flatMap((wire) => {
    const [limit, ours, theirs] = candidates.map((by) => cpu(wire, by));
    const share =
      limit && ours
        ? [
            `${wire}: Sightline takes ${(ours.median / limit.median).toFixed(1)} times the CPU time of JSON.parse alone.`,
          ]
        : [];
    return ours && theirs
      ? [...share, `${wire}: Sightline against the AI SDK: CPU time ${verdict(ours, theirs)}.`]
      : share;
  });
  return {
    title: 'Reading a streamed answer',
    about: [
      `One answer of ${pieces} pieces of text, about six characters each, in the frames of each provider, delivered in chunks of ` +
        `16 KiB. “JSON.parse” parses the same payloads and does nothing else. “ai” is \`doStream\` of the provider packages of the ` +
        `AI SDK. The first ${warmUp} of ${times} readings in a process are not counted.`,
    ],
    tables: [{ caption: 'One answer', columns: ['wire', 'read by', 'ms', 'CPU, ms', 'MB/s'], rows }],
    notes,
    raw: Object.fromEntries(results),
  };
};

function jobs(): Job[] {
  return wires.flatMap((wire) =>
    candidates
      .filter((by) => by !== 'ai' || wire === 'anthropic-messages' || wire === 'openai-chat')
      .map((by): Job => {
        const input: DecodeInput = { wire, by, pieces, times };
        return { name: `${wire}, ${by}`, module: new URL('task.ts', import.meta.url), input };
      }),
  );
}
