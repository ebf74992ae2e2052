// Events of a run → the chunks that AI SDK's `useChat` reads. They are written out here, so that a server needs no AI SDK.
import { isMedia, textIn } from '../../content/block.ts';
import type { Asset, Block, CallBlock, MediaKind } from '../../content/block.ts';
import type { Usage } from '../../message/message.ts';
import type { AgentEvent, RunStop } from '../event.ts';
import { streamOf } from './page-options.ts';
import type { MediaUrl, PageOptions } from './page-options.ts';

/** A medium as a page shows it; `url` is there when `mediaUrl` says one. */
export type ShownMedium = {
  type: MediaKind;
  mediaType: string;
  name?: string;
  url?: string;
};

/** `output` of a tool part: what a person sees of a result. */
export type ToolOutput = { text: string; media: ShownMedium[] };

/** `metadata` of the message, once the run is over. */
export type RunMetadata = { stop: RunStop; usage: Usage; cost?: number };

/** A chunk of AI SDK's UI message stream. */
export type UIChunk =
  | { type: 'start' | 'start-step' | 'finish-step' | 'reset-step' }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | { type: 'file'; url: string; mediaType: string }
  | { type: 'tool-input-start'; toolCallId: string; toolName: string; dynamic: true }
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | { type: 'tool-input-available'; toolCallId: string; toolName: string; input: unknown; dynamic: true }
  | { type: 'tool-output-available'; toolCallId: string; output: ToolOutput; dynamic: true; preliminary?: true }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string; dynamic: true }
  | { type: 'data-media-refused'; data: { what: string; next: string } }
  | { type: 'error'; errorText: string }
  | { type: 'abort'; reason: string }
  | {
      type: 'finish';
      finishReason: 'stop' | 'length' | 'content-filter' | 'error' | 'other';
      messageMetadata: RunMetadata;
    };

/**
 * A run as `useChat` reads it: words, thinking, calls with their results and pictures, errors. Tools are dynamic parts
 * whose output is `{ text, media }`; usage, cost and the reason of the end are the message's metadata.
 *
 * @example
 * app.post('/api/chat', (c) => toSSE(toUIMessageStream(runAgent({ model, prompt }), { mediaUrl })));
 */
export function toUIMessageStream(
  run: AsyncIterable<AgentEvent>,
  { mediaUrl }: PageOptions = {},
): ReadableStream<UIChunk> & AsyncIterable<UIChunk> {
  return streamOf(run, chunksFor(mediaUrl), [{ type: 'start' }]) as ReadableStream<UIChunk> & AsyncIterable<UIChunk>;
}

function chunksFor(mediaUrl: MediaUrl | undefined): (event: AgentEvent) => UIChunk[] {
  const answer = openAnswer(mediaUrl);
  return (event) => {
    switch (event.type) {
      case 'step-start':
        return answer.nextStep();
      case 'step-restart':
        return answer.restart();
      case 'block-start':
      case 'block-delta':
      case 'block-end':
        return answer.block(event);
      case 'call-start':
        return answer.call(event.call);
      case 'call-progress': {
        const output = outputOf(event.content ?? [{ type: 'text', text: event.text }], mediaUrl);
        return [{ type: 'tool-output-available', toolCallId: event.call.id, output, dynamic: true, preliminary: true }];
      }
      case 'call-end':
        return [resultOf(event, mediaUrl)];
      case 'media-refused':
        return [{ type: 'data-media-refused', data: { what: event.refusal.what, next: event.refusal.next } }];
      case 'run-end':
        return [
          ...(event.attachments ?? []).flatMap(({ asset }) => fileOf(asset, mediaUrl)),
          ...answer.end(),
          ...endOf(event),
        ];
      default: // a page that wants more reads the events themselves
        return [];
    }
  };
}

type BlockEvent = Extract<AgentEvent, { type: `block-${string}` }>;
type Answer = Record<'nextStep' | 'restart' | 'end', () => UIChunk[]> & {
  block: (event: BlockEvent) => UIChunk[];
  call: (call: CallBlock) => UIChunk[];
};

/** The blocks of one answer after the other. `useChat` names them by ids, we by their place in an answer. */
function openAnswer(mediaUrl: MediaUrl | undefined): Answer {
  let step = 0;
  let open = new Map<number, { id: string; heard: boolean }>();
  const told = new Set<string>();
  const at = (index: number): { id: string; heard: boolean } => {
    const known = open.get(index) ?? { id: `${step}-${index}`, heard: false };
    open.set(index, known);
    return known;
  };
  const end = (): UIChunk[] => (step === 0 ? [] : [{ type: 'finish-step' }]);
  return {
    end,
    nextStep: () => {
      const before = end();
      step += 1;
      open = new Map();
      return [...before, { type: 'start-step' }];
    },
    restart: () => {
      open = new Map();
      return [{ type: 'reset-step' }];
    },
    block: (event) => {
      const known = at(event.index);
      if (event.type === 'block-end') {
        if (event.block.type === 'call') told.add(event.block.id);
        return ended(event.block, known, mediaUrl);
      }
      if (event.type === 'block-start') {
        if (event.block.type === 'call') known.id = event.block.id;
        return started(event.block, known.id);
      }
      known.heard = true;
      return [more(event, known.id)];
    },
    // A call that an earlier run left open: the page has not heard of it in this answer.
    call: (call) => (told.has(call.id) ? [] : callOf(call, call.id)),
  };
}

function started(block: Block, id: string): UIChunk[] {
  if (block.type === 'text') return [{ type: 'text-start', id }];
  if (block.type === 'thinking') return [{ type: 'reasoning-start', id }];
  return block.type === 'call'
    ? [{ type: 'tool-input-start', toolCallId: id, toolName: block.name, dynamic: true }]
    : [];
}

function more({ kind, text }: Extract<BlockEvent, { type: 'block-delta' }>, id: string): UIChunk {
  if (kind === 'call') return { type: 'tool-input-delta', toolCallId: id, inputTextDelta: text };
  return { type: kind === 'text' ? 'text-delta' : 'reasoning-delta', id, delta: text };
}

/** A block that came whole, without pieces, is told whole. */
function ended(block: Block, { id, heard }: { id: string; heard: boolean }, mediaUrl: MediaUrl | undefined): UIChunk[] {
  switch (block.type) {
    case 'text': {
      const sources = (block.citations ?? []).flatMap(({ url, title }, index): UIChunk[] =>
        url === undefined
          ? []
          : [{ type: 'source-url', sourceId: `${id}-${index}`, url, ...(title !== undefined && { title }) }],
      );
      const whole: UIChunk[] = heard || block.text === '' ? [] : [{ type: 'text-delta', id, delta: block.text }];
      return [...whole, { type: 'text-end', id }, ...sources];
    }
    case 'thinking': {
      const whole: UIChunk[] = heard || block.text === '' ? [] : [{ type: 'reasoning-delta', id, delta: block.text }];
      return [...whole, { type: 'reasoning-end', id }];
    }
    case 'call':
      return callOf(block, id);
    default:
      return isMedia(block) ? fileOf(block.asset, mediaUrl) : [];
  }
}

function callOf({ name, input }: CallBlock, toolCallId: string): UIChunk[] {
  return [{ type: 'tool-input-available', toolCallId, toolName: name, input, dynamic: true }];
}

function fileOf(asset: Asset, mediaUrl: MediaUrl | undefined): UIChunk[] {
  const url = mediaUrl?.(asset);
  return url === undefined ? [] : [{ type: 'file', url, mediaType: asset.mediaType }];
}

function resultOf(
  { call, result }: Extract<AgentEvent, { type: 'call-end' }>,
  mediaUrl: MediaUrl | undefined,
): UIChunk {
  const output = outputOf(result.content, mediaUrl);
  return result.isError === true
    ? { type: 'tool-output-error', toolCallId: call.id, errorText: output.text, dynamic: true }
    : { type: 'tool-output-available', toolCallId: call.id, output, dynamic: true };
}

function outputOf(content: readonly Block[], mediaUrl: MediaUrl | undefined): ToolOutput {
  const media = content.filter(isMedia).map(({ type, asset }): ShownMedium => {
    const { mediaType, name } = asset;
    return { type, mediaType, ...(name !== undefined && { name }), ...(mediaUrl && { url: mediaUrl(asset) }) };
  });
  return { text: textIn(content, '\n'), media };
}

const reasons: Partial<Record<RunStop, 'stop' | 'length' | 'content-filter' | 'error'>> = {
  end: 'stop',
  length: 'length',
  declined: 'content-filter',
  error: 'error',
};

function endOf({ stop, usage, cost, error }: Extract<AgentEvent, { type: 'run-end' }>): UIChunk[] {
  const words = error?.message ?? '';
  const before: UIChunk[] =
    stop === 'aborted'
      ? [{ type: 'abort', reason: words }]
      : stop === 'error'
        ? [{ type: 'error', errorText: words }]
        : [];
  const messageMetadata: RunMetadata = { stop, usage, ...(cost !== undefined && { cost }) };
  return [...before, { type: 'finish', finishReason: reasons[stop] ?? 'other', messageMetadata }];
}
