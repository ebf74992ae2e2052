// What a request only names, because its dialect's own server keeps it: the conversation that it goes on with, and parts of
// answers that were given here. What nobody kept is refused: without it the model would answer something else.
import { inputBlocks } from '../content/input.ts';
import type { Block } from '../content/block.ts';
import type { BlockInput } from '../content/input.ts';
import type { MessageError } from '../message/error.ts';
import type { AssistantMessage, MessageInput } from '../message/message.ts';
import type { Profile } from '../window/profile.ts';
import type { Accepted } from '../wire/accepted.ts';
import { list } from '../wire/fields.ts';
import { wires } from '../wire/registry.ts';
import type { NamedItem, Served } from '../wire/served.ts';
import type { ClientAsk } from './ask.ts';
import { invalid } from './errors.ts';
import type { GatewayMemory, KeptConversation } from './memory.ts';

/** A request with what it names in place of the names, or why that cannot be had. */
export async function withKept(
  { wire, body }: ClientAsk,
  accepted: Accepted,
  { memory, tenant }: { memory: GatewayMemory; tenant: string },
  { model }: Profile,
): Promise<Accepted | MessageError> {
  const { kept } = wires[wire].served;
  if (!kept) return accepted;
  const from = kept.from(body);
  const earlier = from === undefined ? [] : await memory.conversation(tenant, from);
  if (!earlier) return invalid(`There is no answer "${from}" here, and ${model} has none. Send all messages.`);
  const find: FindAnswer = (id) => memory.answer(tenant, id);
  const messages: MessageInput[] = [];
  for (const message of accepted.transcript.messages) {
    const said = message.role === 'assistant' ? await saidIn(message.content, kept, find) : undefined;
    if (typeof said === 'string') {
      const next = 'Send what was said itself: most clients do with store: false.';
      return invalid(`There is no "${said}" here, and ${model} has none. ${next}`);
    }
    messages.push(said ? { ...message, content: said } : message);
  }
  return goingOn({ ...accepted, transcript: { ...accepted.transcript, messages } }, earlier, kept.field);
}

/** Whether a request names what nobody but this gateway keeps: an answer that it gave itself, or a part of one. */
export async function namesOurs({ wire, body }: ClientAsk, memory: GatewayMemory, tenant: string): Promise<boolean> {
  const { places, served } = wires[wire];
  const { kept } = served;
  const from = kept?.from(body);
  if (from !== undefined && (await memory.conversation(tenant, from))) return true;
  const answers = list(body[places.items]).map((item) => kept?.named(item)?.answer);
  for (const answer of new Set(answers)) if (answer !== undefined && (await memory.answer(tenant, answer))) return true;
  return false;
}

type FindAnswer = (id: string) => Promise<AssistantMessage | undefined>;

/** The parts of an answer, those that were only named among them; the id of one that nobody has. */
async function saidIn(
  content: MessageInput['content'],
  kept: NonNullable<Served['kept']>,
  find: FindAnswer,
): Promise<BlockInput[] | string> {
  const said: BlockInput[] = [];
  for (const block of inputBlocks(content)) {
    const named = block.type === 'sealed' ? kept.named(block.seal.item) : undefined;
    const part = named && (await partOf(named, kept, find));
    if (named && !part && !named.isThinking) return named.id; // another's thinking the planner leaves out, and tells so
    said.push(part ?? block);
  }
  return said;
}

async function partOf(
  { answer, place = 0 }: NamedItem,
  { parts }: NonNullable<Served['kept']>,
  find: FindAnswer,
): Promise<Block | undefined> {
  const message = answer === undefined ? undefined : await find(answer);
  return message && parts(message.content)[place];
}

/** The same behind the conversation that it goes on with; its results then have the names of their calls. */
function goingOn(accepted: Accepted, earlier: KeptConversation, field = ''): Accepted {
  if (earlier.length === 0) return accepted;
  const { [field]: _done, ...extra } = accepted.extra;
  const calls = earlier.flatMap(({ content }) => inputBlocks(content)).filter((block) => block.type === 'call');
  const nameOf = (callId: string): string | undefined => calls.find(({ id }) => id === callId)?.name;
  const own = accepted.transcript.messages.map((message) =>
    message.role === 'tool' ? { ...message, name: nameOf(message.callId) ?? message.name } : message,
  );
  return { ...accepted, extra, transcript: { ...accepted.transcript, messages: [...earlier, ...own] } };
}
