// The programs of `examples/compare/`: what the model says to each, and what both sides of it print.
import type { Step } from '../../src/model/script/index.ts';

export type Program = { says: Step[]; prints: string };

const rose = 'Sales rose.';
const chart: Step = { calls: [{ name: 'chart', input: {} }] };
const reads: Step = { calls: [{ name: 'read_file', input: { file_path: 'chart.png' } }] };

export const programs: Record<string, Program> = {
  'agent-as-tool': {
    says: [
      { calls: [{ name: 'ask_reader', input: { task: 'What does chart.png show?' } }] },
      reads,
      { text: 'It rises.' },
      { text: rose },
    ],
    prints: `${rose} true`,
  },
  approval: {
    says: [{ calls: [{ name: 'remove', input: { rows: [1, 2, 3] } }] }, { text: 'Nothing is gone.' }],
    prints: 'Nothing is gone.',
  },
  'captions-and-pdf': { says: [{ text: 'They agree.' }], prints: 'They agree.' },
  'chart-tool': { says: [chart, { text: rose }], prints: rose },
  'fetch-under': { says: [chart, { text: rose }, chart, { text: rose }], prints: `${rose}\n${rose}` },
  'model-switch': { says: [{ text: 'A chart.' }, { text: 'Ein Diagramm.' }], prints: 'A chart. Ein Diagramm.' },
  'own-loop': { says: [reads, { text: rose }], prints: rose },
  'own-store': { says: [chart, { text: rose }, { text: 'Quite.' }], prints: 'Quite. true' },
  react: { says: [reads, { text: rose }], prints: `read_file…\n${rose}` },
  'resume-and-fork': {
    says: [{ text: 'Hello Ada.' }, { text: 'You are Ada.' }, { text: 'Du bist Ada.' }],
    prints: 'Hello Ada.\nYou are Ada.\nDu bist Ada.\n4 4',
  },
  schemas: {
    says: [
      {
        calls: [
          { name: 'city', input: { city: 'Rome' } },
          { name: 'days', input: { days: 3 } },
          { name: 'name', input: { name: ' Ada ' } },
        ],
      },
      { text: 'Done.' },
    ],
    prints: 'ROME\n3.0\nHello Ada\nDone.',
  },
  'sse-server': { says: [chart, { text: rose }], prints: 'true true' },
  'stream-and-abort': {
    says: [{ text: 'one two three four five six seven eight nine ten', slow: 20 }],
    prints: 'aborted That is enough.',
  },
  'structured-output': { says: [{ text: '{"quarter":"Q3","rising":true}' }], prints: 'Q3 true' },
  testing: { says: [], prints: 'passed' },
  worker: { says: [{ text: rose }], prints: rose },
};
