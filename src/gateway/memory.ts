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
  get: (kind: KeptKind, key: string) => string | undefined;
  /** `request` names the one it comes from: it goes with its record. */
  put: (kind: KeptKind, key: string, text: string, request: string) => void;
  /** Whether it can be read. */
  ready: () => boolean;
  /** What models that see have said of pictures. */
  descriptions: DescriptionTable;
  close: () => void;
};

export type KeptKind = 'said' | 'ledger';

export type Recalled = {
  messages: readonly MessageInput[];
  ledger: Ledger | undefined;
  /** Keeps the answer, once it was told, and what was decided on the way to it. */
  keep: (request: string, answer: AssistantMessage | undefined, ledger: Ledger | undefined) => void;
};

export type GatewayMemory = {
  recall: (messages: readonly MessageInput[], tenant: string, model: string) => Recalled;
  /** How many are held in memory. */
  readonly conversations: number;
  /** Whether what was kept before can be had. */
  ready: () => boolean;
  close: () => void;
};

/** How many answers are kept for one place: several models may have answered there. */
const mostSaid = 4;

/** `onTrouble` hears when the store begins to fail: that costs cache, never the answer, but somebody should know. */
export function openGatewayMemory(
  disk: KeptTexts | undefined,
  onTrouble: (error: unknown) => void = () => undefined,
): GatewayMemory {
  const kept = boundedMap(Infinity, heaviest, ({ length }: string) => length);
  let fails = false;
  const safely = <T>(work: () => T): T | undefined => {
    try {
      const value = work();
      fails = false;
      return value;
    } catch (error) {
      if (!fails) onTrouble(error);
      fails = true;
      return undefined;
    }
  };
  const ledgers = new Map<string, Ledger>();
  const read = (kind: KeptKind, key: string): string | undefined =>
    kept.get(`${kind} ${key}`) ?? safely(() => disk?.get(kind, key));
  const write = (kind: KeptKind, key: string, text: string, request: string): void => {
    kept.set(`${kind} ${key}`, text);
    safely(() => disk?.put(kind, key, text, request));
  };
  const saidAt = (key: string): AssistantMessage[] => {
    const text = read('said', key);
    return (text === undefined ? undefined : (parsed(text) as AssistantMessage[] | undefined)) ?? [];
  };
  const ledgerAt = (key: string): Ledger | undefined => {
    const known = ledgers.get(key);
    if (known) return known;
    const text = read('ledger', key);
    return text === undefined ? undefined : (parsed(text) as Ledger | undefined);
  };
  return {
    recall(messages, tenant, model) {
      const chain = identify(messages, tenant);
      const places = chain.map((digest) => `${tenant} ${digest}`);
      const restored = messages.map((message, at) => {
        if (message.role !== 'assistant') return message;
        const isIt = (one: AssistantMessage): boolean => one.model === model && saysTheSame(one, message);
        return [places[at] ?? '', ...callPlaces(message, tenant)].flatMap(saidAt).find(isIt) ?? message;
      });
      let ledger: Ledger | undefined;
      for (let at = places.length - 1; at >= 0 && !ledger; at--) ledger = ledgerAt(`${places[at]} ${model}`);
      return {
        messages: restored,
        ledger,
        keep(request, answer, next) {
          const tip = places.at(-1) ?? '';
          if (next) {
            remember(ledgers, `${tip} ${model}`, next);
            write('ledger', `${tip} ${model}`, JSON.stringify(next), request);
          }
          if (!answer) return;
          const place = `${tenant} ${identify([...messages, answer], tenant).at(-1)}`;
          for (const key of [place, ...callPlaces(answer, tenant)]) {
            const others = saidAt(key).filter((one) => one.model !== answer.model);
            write('said', key, JSON.stringify([answer, ...others].slice(0, mostSaid)), request);
          }
        },
      };
    },
    get conversations() {
      return ledgers.size;
    },
    ready: () => disk?.ready() ?? true,
    close: () => disk?.close(),
  };
}

/** A client that makes its history shorter keeps the newest turns: their calls lead to them, whatever stands before. */
function callPlaces({ content }: MessageInput, tenant: string): string[] {
  const call = inputBlocks(content).find((block) => block.type === 'call');
  return call ? [`${tenant} call ${call.id}`] : [];
}

const mostLedgers = 500;

/** Living ledgers lead to what was worked out before; parsed ones only to what was decided. */
function remember(ledgers: Map<string, Ledger>, key: string, ledger: Ledger): void {
  ledgers.delete(key);
  ledgers.set(key, ledger);
  const [oldest] = ledgers.keys();
  if (ledgers.size > mostLedgers && oldest !== undefined) ledgers.delete(oldest);
}

/** Letters of text in memory. */
const heaviest = 32 * 1024 * 1024;
