// The verdicts as a page for somebody who has never seen this project.
import { models } from './peer.ts';
import type { Column } from './peer.ts';
import { probes } from './probes.ts';
import type { Probe } from './probes.ts';
import { isGood } from './verdict.ts';
import type { Outcome, Verdict } from './verdict.ts';

/** By probe and column, as in `image/chat`. */
export type Cells = Record<string, Verdict>;

export type Row = {
  name: string;
  versions: string[];
  cells: Cells;
  /** What the judges say of this library's requests even without media; it counts against no cell. */
  excused: string[];
  /** Why there are no cells. */
  failed?: string;
};

const columns: Record<Column, string> = {
  anthropic: 'Anthropic Messages',
  chat: 'OpenAI Chat',
  responses: 'OpenAI Responses',
  'gemini-2.5': 'Gemini 2.5',
  'gemini-3': 'Gemini 3',
  ollama: 'Ollama',
};

const legend: [Outcome, string][] = [
  [
    'OK',
    'as itself, inside the result of its call, as the provider documents it (thoughts: back whole to their own model, not sent to others)',
  ],
  ['moved', 'as itself, in a user message after the results, because the API takes nothing else inside them'],
  ['pages', 'as pictures of its pages, because this model takes no PDF'],
  ['words', 'as its own words, read out of the file'],
  ['said', 'not sent; a sentence tells the model what there is and that it is not shown'],
  ['unowned', 'sent after the results of several calls, and nothing says to which call it belongs'],
  ['dropped', 'gone, and the model is not told'],
  ['text', 'as base64 in a text: thousands of tokens that no model can see'],
  ['twice', 'sent twice'],
  [
    'bad',
    'in a form that the provider does not document, or in a request that breaks its rules; expect status 400 or silence',
  ],
  ['leaks', 'private thoughts of one model are told to another'],
  ['throws', 'the library refuses with an exception; no request is sent'],
  ['–', 'not offered: the library has no such API or no type for it'],
];

/** `absent` are the specifications that were not there to judge by. */
export function matrixPage(rows: readonly Row[], date: string, absent: readonly string[]): string {
  const parts = [
    '# What reaches the model',
    'A tool returns a picture, a PDF, a sound. What does the request hold that then goes to the model? This page is written ' +
      `by \`npm run matrix\` (${date}, Node ${process.version}); do not edit it. Each library builds the same small conversations in its own ` +
      'terms and sends them to a server on the loopback interface. The bodies that arrive there are judged by schemas made ' +
      "from the vendors' own SDK types and API documents and by the rules of each API, and the bytes are looked for. No real " +
      'model was asked: whether a provider would answer rests on its documents.',
    'A line “with sightlineFetch” is the same library, unchanged but for the `fetch` it sends with, which is the one of ' +
      '`sightline/fetch`. That fetch sees what the library has written: what the library has already thrown away, or refuses to ' +
      'write, it cannot bring back. A line “with sightlineMiddleware” has the middleware of `sightline/ai-sdk` around its ' +
      'models instead, which sees the prompt before the package of the provider does.',
    'A gateway stands between a client and a model that may speak another API. It is asked as clients ask it, by Anthropic ' +
      'Messages or by OpenAI Chat with media as parts of the tool message, and what it sends on is judged. Where the client’s ' +
      'API has no words for a probe, the cell is not offered. Media that a client itself puts into a user message are not tried.',
    rows
      .map(({ name, versions }) => `- **${name}**${versions.length > 0 ? `: ${versions.join(', ')}` : ''}`)
      .join('\n'),
    `Models named in the requests: ${[...new Set(Object.values(models))].join(', ')}.`,
    ...(absent.length > 0 ? [`Judged without ${absent.join('; ')}.`] : []),
    '## What the words mean',
    table(
      ['', ''],
      legend.map(([outcome, meaning]) => [mark(outcome), meaning]),
    ),
    '## In short',
    'Cells with media or thoughts that the library offers at all.',
    table(['', 'arrives', 'only said', 'goes wrong', 'of'], rows.map(inShort)),
    ...probes.flatMap((probe) => [`## ${probe.title}`, probe.about, probeTable(rows, probe)]),
    '## Why',
    'What was found in each cell above that is not OK.',
    ...rows.flatMap(reasons),
  ];
  return `${parts.join('\n\n')}\n`;
}

function inShort({ name, cells, failed }: Row): string[] {
  if (failed !== undefined) return [name, `did not run: ${failed}`, '', '', ''];
  const counted = Object.entries(cells).flatMap(([key, { outcome }]) =>
    key.startsWith(`${probes[0]?.id}/`) || outcome === '–' ? [] : [outcome],
  );
  const said = counted.filter((outcome) => outcome === 'said').length;
  const good = counted.filter(isGood).length;
  return [name, String(good - said), String(said), String(counted.length - good), String(counted.length)];
}

function probeTable(rows: readonly Row[], { id }: Probe): string {
  const keys = Object.keys(columns) as Column[];
  const body = rows.map(({ name, cells, failed }) => [
    name,
    ...keys.map((column) => (failed === undefined ? mark(cells[`${id}/${column}`]?.outcome ?? '–') : 'did not run')),
  ]);
  return table(['', ...Object.values(columns)], body);
}

/** What goes wrong is seen at a glance. */
function mark(outcome: Outcome): string {
  return isGood(outcome) || outcome === '–' ? outcome : `**${outcome}**`;
}

function reasons({ name, cells, excused, failed }: Row): string[] {
  const lines = Object.entries(cells).flatMap(([key, { why }]) =>
    why.length > 0 ? [`- ${key}: ${why.map(oneLine).join('; ')}`] : [],
  );
  const about = [
    ...(failed === undefined ? lines : [`- did not run: ${oneLine(failed)}`]),
    ...excused.map((one) => `- said by the judges without media, too, and not counted: ${oneLine(one)}`),
  ];
  if (about.length === 0) return [];
  return [`<details><summary>${name}</summary>\n\n${about.join('\n')}\n\n</details>`];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;').replaceAll('|', '\\|');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
