// What is asked of a conversation between a real client and a model: it ends, its media arrive, every call has its result,
// the beginning of a request stays as it was, and what the model sealed comes back to it.
import { readFileSync } from 'node:fs';
import { isRecord } from '../../src/content/json.ts';
import type { TranscriptInput } from '../../src/message/message.ts';
import type { ScriptedRequest } from '../../src/model/script/index.ts';
import { wires } from '../../src/wire/registry.ts';
import type { RealClient } from './clients.ts';
import { isCompaction, picturesIn, unpaired } from './heard.ts';
import { final, said } from './trials.ts';
import type { Trial } from './trials.ts';

/** One run of a client: how it ended, what it said, and how many requests had arrived by then. */
export type Ran = { code: number | null; output: string; heard: number };

type AskRequest = ScriptedRequest & Required<Pick<ScriptedRequest, 'wire' | 'transcript'>>;

/** Faults, none when all is well. */
export function judge(
  client: RealClient,
  trial: Trial,
  ran: readonly Ran[],
  all: readonly ScriptedRequest[],
): string[] {
  const { code, output } = ran.at(-1) ?? { code: null, output: '' };
  const first = ran.length > 1 ? ran[0] : undefined;
  const asked = all.filter((one): one is AskRequest => one.transcript !== undefined && isMain(client, one.transcript));
  const resumed = new Set(ran.slice(0, -1).map(({ heard }) => asked.find((one) => all.indexOf(one) >= heard)));
  if (trial.refuses === 'everything')
    return faults(!output.includes(final), `it does not say why: ${output.slice(-200)}`);
  const last = asked.at(-1);
  if (!last) return [`no request arrived; it ended with ${code}: ${output.slice(-300)}`];
  const body = JSON.stringify(last.body);
  const sees = trial.refuses !== 'pictures';
  const media = asked.flatMap(({ transcript }) => picturesIn(transcript)).length > 0;
  const holdsPdf = body.includes(readFileSync('examples/report.pdf').toString('base64').slice(0, 2000));
  const compacted = all.some(({ transcript }) => transcript !== undefined && isCompaction(transcript));
  return [
    ...faults(code !== 0, `it ended with ${code}: ${output.slice(-300)}`),
    ...faults(!output.includes(said), 'it did not tell the answer'),
    ...faults(
      first !== undefined && !trouble.test(first.output),
      `it did not say what broke: ${first?.output.slice(-300)}`,
    ),
    ...faults(!media, 'no picture arrived'),
    ...faults(sees && !trial.compacts && picturesIn(last.transcript).length === 0, 'the picture is gone in the end'),
    ...faults(!sees && picturesIn(last.transcript).length > 0, 'the picture was not healed'),
    ...faults(client.sendsPdf && !trial.compacts && last.wire !== 'ollama' && !holdsPdf, 'the PDF did not arrive'),
    ...faults(trial.compacts === true && !compacted, 'it never made its conversation shorter'),
    ...asked.flatMap(({ transcript }) => unpaired(transcript)),
    ...(sees
      ? conversations(asked, (one) => resumed.has(one)).flatMap((one) => [
          ...movedPrefix(one),
          ...lostSeals(one, resumed.has(one[0])),
        ])
      : []),
  ];
}

/** How clients call it when an answer ends before it is over. */
const trouble = /error|terminated|disconnect|stream|connection|reset/i;

function faults(wrong: boolean, words: string): string[] {
  return wrong ? [words] : [];
}

/** Clients ask small things besides; the conversation is where they offer the tool that reads. */
function isMain(client: RealClient, transcript: TranscriptInput): boolean {
  const tools = (transcript.tools ?? []).map(({ name }) => name);
  return client.look(tools, ['x.png']).length > 0 && !isCompaction(transcript);
}

/** A compaction begins a new conversation; so does a client that is started again, for some write their first words anew. */
function conversations(asked: readonly AskRequest[], isFirst: (one: AskRequest) => boolean): AskRequest[][] {
  const list: AskRequest[][] = [];
  for (const one of asked) {
    const before = list.at(-1);
    const length = before?.at(-1)?.transcript.messages.length ?? Infinity;
    if (before && !isFirst(one) && one.transcript.messages.length > length) before.push(one);
    else list.push([one]);
  }
  return list;
}

function itemsOf({ wire, body }: AskRequest): string[] {
  const list = isRecord(body) ? body[wires[wire].places.items] : undefined;
  const text = JSON.stringify(Array.isArray(list) ? list : []).replaceAll(/,?"cache_control":{[^}]*}/g, '');
  return (JSON.parse(text) as unknown[]).map((item) => JSON.stringify(listed(item)));
}

/** Clients write a text that they put a cache mark on as a list of one. */
function listed(item: unknown): unknown {
  if (!isRecord(item) || typeof item['content'] !== 'string') return item;
  return { ...item, content: [{ type: 'text', text: item['content'] }] };
}

function movedPrefix(asked: readonly AskRequest[]): string[] {
  return asked.flatMap((one, at) => {
    const [before, now] = [itemsOf(asked[at - 1] ?? one), itemsOf(one)];
    const moved = before.findIndex((item, index) => item !== now[index]);
    return moved < 0 ? [] : [`item ${moved} of request ${at} changed`];
  });
}

const sealing = new Set(['anthropic-messages', 'openai-responses', 'gemini']);

/** Every answer of the model was sealed; each request must bring back the seals of all answers in it. A client that is started
 * again may have changed what it knows from before; then nobody can tell whose seals those were. */
function lostSeals(asked: readonly AskRequest[], resumed: boolean): string[] {
  const before = resumed && asked[0] ? answersIn(asked[0]) : 0;
  return asked.flatMap((one, at) => {
    if (!sealing.has(one.wire)) return [];
    const seals = new Set(JSON.stringify(one.body).match(/"scripted-[^"]+"/g)).size;
    const answers = answersIn(one);
    return seals <= answers && seals >= answers - before ? [] : [`${seals} of ${answers} seals in request ${at}`];
  });
}

function answersIn({ transcript }: AskRequest): number {
  return transcript.messages.filter(
    ({ role, content }) => role === 'assistant' && JSON.stringify(content).includes('I look at page'),
  ).length;
}
