// Every recorded request, read by its wire and prepared anew for other models, in two steps with its ledger.
import { prepare } from '../../src/index.ts';
import type { Ledger, PrepareOptions, TranscriptInput } from '../../src/index.ts';
import { wires } from '../../src/wire/registry.ts';
import type { Case, Group } from './case.ts';
import { exchanges, mediaRequests } from './corpus.ts';
import type { RecordedRequest } from './corpus.ts';
import { assets } from './media.ts';

/** Nine models over the five wires, those that take media in different places among them. */
export const models = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.4',
  'openai-chat/gpt-4.1',
  'gemini/gemini-2.5-pro',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
  'ollama/llama3.1',
  'openrouter/anthropic/claude-sonnet-4.5',
  'compatible/nobody-knows-it',
] as const;

/** Body, receipts and ledger of one request; the ledger as a program would have stored it. A request that cannot be
 * made is told by its error. */
export async function prepared(
  transcript: TranscriptInput,
  options: PrepareOptions,
): Promise<{ values: readonly unknown[]; ledger?: Ledger }> {
  try {
    const request = await prepare(transcript, { assets, readPictures: false, ...options });
    const ledger = JSON.parse(JSON.stringify(request.ledger)) as Ledger;
    return { values: [JSON.stringify(await request.json()), request.receipts, ledger], ledger };
  } catch (error) {
    return { values: [{ error: String(error) }, [], {}] };
  }
}

/** The conversation up to its last answer, then whole. */
async function twoSteps({ wire, body }: RecordedRequest, model: string): Promise<unknown[]> {
  const read = wires[wire].accept(body);
  if (!read.ok) return [read.refusal];
  const { transcript } = read.value;
  const { output, ...rest } = read.value.options;
  const options = { ...rest, ...(output && { output: output.schema }) };
  const { messages } = transcript;
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const cut = last > 0 ? last : messages.length;
  const first = await prepared({ ...transcript, messages: messages.slice(0, cut) }, { ...options, model });
  const second = await prepared(transcript, { ...options, model, ledger: first.ledger });
  return [...first.values, ...second.values];
}

const columns = ['body', 'receipts', 'ledger'];

export const requestGroup: Group = {
  name: 'requests',
  about: 'recorded requests with media, prepared in two steps for nine models',
  columns,
  async *cases(): AsyncGenerator<Case> {
    for (const request of mediaRequests())
      for (const model of models) yield { name: `${request.name} → ${model}`, make: () => twoSteps(request, model) };
  },
};

export const exchangeGroup: Group = {
  name: 'exchanges',
  about: 'recorded requests of every kind, prepared in two steps, each for one model in turn',
  columns,
  async *cases(): AsyncGenerator<Case> {
    for (const [at, request] of exchanges().requests.entries()) {
      const model = models[at % models.length] ?? models[0];
      yield { name: `${request.name} → ${model}`, make: () => twoSteps(request, model) };
    }
  },
};
