// What programs written for Scrapybara's SDK pass in, in our terms: its models, its tools, and messages made of its parts.
import type { AssetStore } from '../asset/store.ts';
import type { Detail } from '../content/block.ts';
import type { Place } from '../content/intake.ts';
import { isRecord } from '../content/json.ts';
import { refusalText, SightlineError } from '../content/refusal.ts';
import type { MessageInput } from '../message/message.ts';
import { parseTranscript } from '../wire/parse-transcript.ts';
import { lookedAt } from '../tool/result.ts';
import type { JsonSchema, StandardSchema } from '../tool/schema.ts';
import { defineTool } from '../tool/tool.ts';
import type { Tool } from '../tool/tool.ts';
import { normaliseResult } from '../tool/normalise.ts';
import * as toolbox from '../toolbox/invoke.ts';
import type { AgentOptions, ModelChoice } from './options.ts';

/** A tool as `tool({ name, description, parameters, execute })` makes it. */
export type ForeignTool = {
  name: string;
  description?: string;
  parameters: StandardSchema | JsonSchema;
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has arguments of its own
  execute: (input: any) => unknown;
};

/** A model as that SDK's `anthropic()` and `openai()` make it. */
export type ForeignModel = { provider: string; name: string; apiKey?: string | undefined };

/** The models of a run in our terms. That SDK marks a Claude that shall think by the end of its name. */
export function ourModels(model: ActModel | readonly ActModel[]): Pick<AgentOptions, 'model' | 'thinking'> {
  const models = [model].flat() as readonly ActModel[];
  const thinks = models.some((one) => isForeign(one) && one.name.endsWith(thinkingMark));
  return { model: models.map((one) => (isForeign(one) ? ourModel(one) : one)), ...(thinks && { thinking: 'medium' }) };
}

/** A model as `act` takes it: a name of ours, or an object as Scrapybara's own functions make one. */
export type ActModel = ModelChoice | ForeignModel;

const thinkingMark = '-thinking';

function isForeign(model: ActModel): model is ForeignModel {
  return typeof model === 'object' && 'provider' in model;
}

function ourModel({ provider, name, apiKey }: ForeignModel): ModelChoice {
  const plain = name.endsWith(thinkingMark) ? name.slice(0, -thinkingMark.length) : name;
  return { model: `${provider}/${plain}`, ...(apiKey !== undefined && { key: apiKey }) };
}

/**
 * `returned` gets what each call gave, by its id. `detail`: how closely its pictures are looked at, which are of a screen,
 * where it does not say so itself.
 */
export function ourTool(tool: Tool | ForeignTool, returned: Map<string, unknown>, detail?: Detail): Tool {
  if (!('execute' in tool)) return tool;
  const { name, description = '', parameters, execute } = tool;
  return defineTool({
    name,
    description,
    input: parameters,
    run: async (input, { intake, callId }) => {
      const value: unknown = await execute(input);
      returned.set(callId, value);
      const answer = answerIn(value);
      return detail ? lookedAt(await normaliseResult(answer, intake), detail) : answer;
    },
  });
}

const answerFields = new Set(['output', 'error', 'base64Image', 'base64_image', 'system']);

/** What its machines answer leaves out what is empty; with its picture it is known for what it is, even with none. */
function answerIn(value: unknown): unknown {
  const isAnswer = isRecord(value) && 'output' in value && Object.keys(value).every((key) => answerFields.has(key));
  return isAnswer ? { base64_image: '', ...value } : value;
}

/** Where the media of stored results are kept, and which files they may name. */
type Where = Place & { assets?: AssetStore };

/** Messages of either kind → ours. One of theirs may answer several calls; each `result` may be anything. */
export async function ourMessages(
  messages: readonly unknown[],
  where: Where,
  detail?: Detail,
): Promise<MessageInput[]> {
  const taken: unknown[] = [];
  for (const message of messages) {
    const parts = isRecord(message) && Array.isArray(message['content']) ? message['content'] : [];
    const results = parts.filter(isResult);
    if (results.length === 0) taken.push(message);
    for (const part of results) taken.push(await answerOf(part, where, detail));
  }
  const read = parseTranscript({ messages: taken });
  if (read.ok) return [...read.value.messages];
  throw new SightlineError('input', refusalText(read.refusal));
}

type ResultPart = Record<string, unknown>;

function isResult(part: unknown): part is ResultPart {
  return isRecord(part) && (part['type'] === 'tool-result' || part['type'] === 'tool_result') && 'result' in part;
}

async function answerOf(part: ResultPart, where: Where, detail: Detail | undefined): Promise<unknown> {
  const result = await toolbox.normalise(answerIn(part['result']), where);
  const { content, isError, details, kept } = detail ? lookedAt(result, detail) : result;
  const failed = part['isError'] === true || part['is_error'] === true || isError;
  return {
    role: 'tool',
    callId: part['toolCallId'] ?? part['tool_call_id'],
    name: part['toolName'] ?? part['tool_name'],
    content,
    ...(failed && { isError: true }),
    ...(details !== undefined && { details }),
    ...(kept && { kept }),
  };
}
