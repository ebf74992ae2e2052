// What the gateway keeps of conversations, so that answers come back to their maker with all that it gave them, though the
// client's dialect has no field for it, and each request goes on where the last one ended. Losing it costs cache, never an
// answer: whatever fails here, the request goes on without.
import type { DescriptionTable } from '../model/descriptions.ts';
import { inputBlocks } from '../content/input.ts';
import { parsed } from '../content/json.ts';
import { boundedMap } from '../fetch/memory.ts';
import { saysTheSame, identify } from '../message/identity.ts';
import type { AssistantMessage, MessageInput } from '../message/message.ts';
import type { Ledger } from '../window/ledger.ts';

/** Where kept things lie. Keys name tenant, place in a conversation and, for ledgers, the model. */
export type KeptTexts = {
  /** What is kept under these keys. */
  all: (kind: KeptKind, keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** What is kept under the first of these keys under which there is something. */
  first: (kind: KeptKind, keys: readonly string[]) => Promise<string | undefined>;
  /** `request` names the one it comes from: it goes with its record. */
  put: (kind: KeptKind, key: string, text: string, request: string) => Promise<void>;
  /** Where something is kept already nothing is put, and that comes back: most places are new, and are asked for once. */
  putNew: (kind: KeptKind, key: string, text: string, request: string) => Promise<string | undefined>;
  /** Whether it can be read. */
  ready: () => Promise<boolean>;
  /** What models that see have said of pictures. */
  descriptions: DescriptionTable;
  close: () => Promise<void>;
};

export type KeptKind = 'said' | 'ledger';

export type Recalled = {
  messages: readonly MessageInput[];
  ledger: Ledger | undefined;
  /** Keeps the answer, and what was decided on the way to it. */
  keep: (request: string, answer: AssistantMessage | undefined, ledger: Ledger | undefined) => Promise<void>;
};

/** What an answer was given to, from the beginning of its conversation, and the answer. */
export type KeptConversation = readonly MessageInput[];

export type GatewayMemory = {
  /** The conversation that an answer ended, by the answer's id. */
  conversation: (tenant: string, id: string) => Promise<KeptConversation | undefined>;
  /** The answer alone. */
  answer: (tenant: string, id: string) => Promise<AssistantMessage | undefined>;
  keepConversation: (tenant: string, id: string, messages: KeptConversation, request: string) => Promise<void>;
  recall: (messages: readonly MessageInput[], tenant: string, model: string) => Promise<Recalled>;
  /** How many are held in memory. */
  readonly conversations: number;
  /** Whether what was kept before can be had. */
  ready: () => Promise<boolean>;
  close: () => Promise<void>;
};

/** A store that failed is left alone for so long: nobody waits for it with every request. */
const restMs = 2000;

/** How many answers are kept for one place: several models may have answered there. */
const mostSaid = 4;

/** `onTrouble` hears when the store begins to fail: that costs cache, never the answer, but somebody should know. */
export function openGatewayMemory(
  disk: KeptTexts | undefined,
  now: () => number,
  onTrouble: (error: unknown) => void = () => undefined,
): GatewayMemory {
  const kept = boundedMap(Infinity, heaviest, ({ length }: string) => length);
  const ledgers = new Map<string, Ledger>();
  let [fails, restsUntil] = [false, -Infinity];
  const safely = async <T>(work: (store: KeptTexts) => Promise<T>): Promise<T | undefined> => {
    if (!disk || now() < restsUntil) return undefined;
    try {
      const value = await work(disk);
      fails = false;
      return value;
    } catch (error) {
      if (!fails) onTrouble(error);
      fails = true;
      restsUntil = now() + restMs;
      return undefined;
    }
  };
  const write = async (kind: KeptKind, key: string, text: string, request: string): Promise<void> => {
    kept.set(`${kind} ${key}`, text);
    await safely((store) => store.put(kind, key, text, request));
  };
  /** Keeps an answer beside those that other models gave to the same. */
  const keepSaid = async (key: string, answer: AssistantMessage, request: string): Promise<void> => {
    const beside = (before: string | undefined): string => {
      const others = messagesOf(before).filter(({ model }) => model !== answer.model);
      return JSON.stringify([answer, ...others].slice(0, mostSaid));
    };
    const text = beside(kept.get(`said ${key}`));
    const there = await safely((store) => store.putNew('said', key, text, request));
    if (there === undefined) kept.set(`said ${key}`, text);
    else await write('said', key, beside(there), request);
  };
  /** Living ledgers lead to what was worked out before; parsed ones only to what was decided. */
  const remember = (key: string, ledger: Ledger): void => {
    ledgers.delete(key);
    ledgers.set(key, ledger);
    const [oldest] = ledgers;
    if (ledgers.size <= mostLedgers || !oldest) return;
    ledgers.delete(oldest[0]);
    kept.set(`ledger ${oldest[0]}`, JSON.stringify(oldest[1]));
  };
  const keptUnder = async (key: string): Promise<unknown> => {
    const text = kept.get(`said ${key}`) ?? (await safely((store) => store.first('said', [key])));
    return text === undefined ? undefined : parsed(text);
  };
  const saidHere = (key: string): AssistantMessage[] => messagesOf(kept.get(`said ${key}`));
  /** What this process knows first; what others said, for those that it does not know. */
  const restored = async (
    messages: readonly MessageInput[],
    keysAt: (at: number) => string[],
    model: string,
  ): Promise<MessageInput[]> => {
    const found = (message: MessageInput, said: readonly AssistantMessage[]): AssistantMessage | undefined =>
      said.find((one) => message.role === 'assistant' && one.model === model && saysTheSame(one, message));
    const known = messages.map((message, at) =>
      message.role === 'assistant' ? found(message, keysAt(at).flatMap(saidHere)) : message,
    );
    const keys = known.flatMap((message, at) => (message ? [] : keysAt(at)));
    const others = keys.length === 0 ? undefined : await safely((store) => store.all('said', keys));
    const saidThere = (key: string): AssistantMessage[] => messagesOf(others?.get(key));
    return messages.map((message, at) => known[at] ?? found(message, keysAt(at).flatMap(saidThere)) ?? message);
  };
  /** That of the newest place; others may have gone further than this process. */
  const ledgerOf = async (keys: readonly string[]): Promise<Ledger | undefined> => {
    const at = keys.findIndex((key) => ledgers.has(key) || kept.get(`ledger ${key}`) !== undefined);
    const newer = at < 0 ? keys : keys.slice(0, at);
    const text = newer.length === 0 ? undefined : await safely((store) => store.first('ledger', newer));
    const own = keys[at] ?? '';
    if (text === undefined) return ledgers.get(own) ?? ledgerIn(kept.get(`ledger ${own}`));
    return ledgerIn(text);
  };
  return {
    conversation: async (tenant, id) => (await keptUnder(`${tenant} answer ${id}`)) as KeptConversation | undefined,
    answer: async (tenant, id) => (await keptUnder(`${tenant} words ${id}`)) as AssistantMessage | undefined,
    async keepConversation(tenant, id, messages, request) {
      await Promise.all([
        write('said', `${tenant} answer ${id}`, JSON.stringify(messages), request),
        write('said', `${tenant} words ${id}`, JSON.stringify(messages.at(-1)), request),
      ]);
    },
    async recall(messages, tenant, model) {
      const chain = identify(messages, tenant);
      const places = chain.map((digest) => `${tenant} ${digest}`);
      const keysAt = (at: number): string[] => {
        const message = messages[at];
        return [places[at] ?? '', ...(message ? callPlaces(message, tenant) : [])];
      };
      const [said, ledger] = await Promise.all([
        restored(messages, keysAt, model),
        ledgerOf(places.map((place) => `${place} ${model}`).toReversed()),
      ]);
      return {
        messages: said,
        ledger,
        async keep(request, answer, next) {
          const tip = `${places.at(-1) ?? ''} ${model}`;
          const writes: Promise<unknown>[] = [];
          if (next) remember(tip, next);
          if (next) writes.push(safely((store) => store.put('ledger', tip, JSON.stringify(next), request)));
          if (answer) {
            const place = `${tenant} ${identify([answer], tenant, chain.at(-1))[0]}`;
            for (const key of [place, ...callPlaces(answer, tenant)]) writes.push(keepSaid(key, answer, request));
          }
          await Promise.all(writes);
        },
      };
    },
    get conversations() {
      return ledgers.size;
    },
    ready: async () => (await disk?.ready()) ?? true,
    close: async () => await disk?.close(),
  };
}

function messagesOf(text: string | undefined): AssistantMessage[] {
  return (text === undefined ? undefined : (parsed(text) as AssistantMessage[] | undefined)) ?? [];
}

function ledgerIn(text: string | undefined): Ledger | undefined {
  return text === undefined ? undefined : (parsed(text) as Ledger | undefined);
}

/** A client that makes its history shorter keeps the newest turns: their calls lead to them, whatever stands before. */
function callPlaces({ content }: MessageInput, tenant: string): string[] {
  const call = inputBlocks(content).find((block) => block.type === 'call');
  return call ? [`${tenant} call ${call.id}`] : [];
}

const mostLedgers = 500;

/** Letters of text in memory. */
const heaviest = 32 * 1024 * 1024;
