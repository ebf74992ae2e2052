// The events of an answer → the parts of a stream of the AI SDK, and the content of a whole answer. What must come back
// to its provider verbatim goes along as metadata of its part, which the AI SDK returns with the next prompt.
import { encodeBase64 } from '../content/base64.ts';
import { wholeOf } from '../content/asset-store.ts';
import type { AssetStore } from '../content/asset-store.ts';
import { isMedia } from '../content/block.ts';
import type { Block, Citation } from '../content/block.ts';
import { toJsonText } from '../content/json.ts';
import type { ModelEvent } from '../message/event.ts';
import type { Stop, Usage } from '../message/message.ts';
import { ownName } from './call.ts';
import type {
  LanguageModelV4Content as Content,
  LanguageModelV4FinishReason as FinishReason,
  LanguageModelV4StreamPart as StreamPart,
  LanguageModelV4Usage as AnswerUsage,
  SharedV4ProviderMetadata as Metadata,
} from './types.ts';

/** Tells what of a stream each event is; nothing where it has no part of its own. Calls go by their own ids. */
export function streamWriter(assets: AssetStore): (event: ModelEvent) => Promise<StreamPart[]> {
  const calls = new Map<number, string>();
  return async (event) => {
    if (!('index' in event)) return [];
    if ('block' in event && event.block.type === 'call') calls.set(event.index, event.block.id);
    const id = calls.get(event.index) ?? String(event.index);
    if (event.type === 'block-delta') return [{ type: deltaTypes[event.kind], id, delta: event.text }];
    return event.type === 'block-start' ? startOf(event.block, id) : endOf(event.block, id, assets);
  };
}

const deltaTypes = { text: 'text-delta', thinking: 'reasoning-delta', call: 'tool-input-delta' } as const;

function startOf(block: Block, id: string): StreamPart[] {
  if (block.type === 'text') return [{ type: 'text-start', id }];
  if (block.type === 'thinking') return [{ type: 'reasoning-start', id }];
  return block.type === 'call' ? [{ type: 'tool-input-start', id, toolName: block.name }] : [];
}

async function endOf(block: Block, id: string, assets: AssetStore): Promise<StreamPart[]> {
  const [content, ...more] = await contentOf(block, assets);
  const providerMetadata = content?.providerMetadata;
  const sealed = providerMetadata ? { providerMetadata } : {};
  if (block.type === 'text') return [{ type: 'text-end', id, ...sealed }, ...(more as StreamPart[])];
  if (block.type === 'thinking') return [{ type: 'reasoning-end', id, ...sealed }];
  const end: StreamPart[] = block.type === 'call' ? [{ type: 'tool-input-end', id }] : [];
  return [...end, ...(content ? [content as StreamPart] : [])];
}

/** A block of an answer as content, and the sources that its words name. */
export async function contentOf(block: Block, assets: AssetStore): Promise<Content[]> {
  const metadata = metadataOf(block);
  if (block.type === 'text')
    return [{ type: 'text', text: block.text, ...metadata }, ...(block.citations ?? []).flatMap(sourceOf)];
  if (block.type === 'thinking') return [{ type: 'reasoning', text: block.text, ...metadata }];
  if (block.type === 'call') {
    const input = toJsonText(block.input ?? {});
    return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input, ...metadata }];
  }
  if (!isMedia(block)) return [{ type: 'custom', kind: `${ownName}.sealed`, ...metadata }];
  const data = encodeBase64(await wholeOf(assets.stream(block.asset.id)));
  return [{ type: 'file', mediaType: block.asset.mediaType, data: { type: 'data', data }, ...metadata }];
}

function sourceOf({ url, title }: Citation, at: number): Content[] {
  if (url === undefined) return [];
  return [{ type: 'source', sourceType: 'url', id: `${at} ${url}`, url, ...(title !== undefined && { title }) }];
}

function metadataOf(block: Block): { providerMetadata?: Metadata } {
  const kept = isMedia(block)
    ? { block }
    : {
        ...('seal' in block && block.seal && { seal: block.seal }),
        ...(block.type === 'thinking' && block.redacted && { redacted: true }),
      };
  return Object.keys(kept).length > 0 ? { providerMetadata: { [ownName]: kept } } : {};
}

const reasons: Record<Stop, FinishReason['unified']> = {
  end: 'stop',
  calls: 'tool-calls',
  length: 'length',
  paused: 'other',
  declined: 'content-filter',
  aborted: 'error',
  error: 'error',
};

/** Why an answer ended, in the words of the AI SDK. */
export function reasonOf(stop: Stop): FinishReason {
  return { unified: reasons[stop], raw: stop };
}

/** What an answer took, where its provider has told. */
export function answerUsage(usage: Usage | undefined): AnswerUsage {
  const [read, write] = [usage?.cachedTokens, usage?.writtenTokens];
  const total = usage?.inputTokens;
  const noCache = total === undefined ? undefined : total - (read ?? 0) - (write ?? 0);
  return {
    inputTokens: { total, noCache, cacheRead: read, cacheWrite: write },
    outputTokens: { total: usage?.outputTokens, text: undefined, reasoning: undefined },
  };
}
