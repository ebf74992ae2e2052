// What a provider would have sealed, in its own spelling, with a mark inside; and seals of models that are not it.
import type { CallBlock, Seal, SealedBlock, TextBlock, ThinkingBlock } from '../../src/content/block.ts';
import type { Json } from '../../src/content/json.ts';
import type { Profile, WireName } from '../../src/window/profile.ts';

export const strangers = ['other-model', 'other-endpoint', 'other-wire'] as const;
export type Owner = 'own' | 'none' | (typeof strangers)[number];

export function sealOf(item: Json, owner: Exclude<Owner, 'none'>, profile: Profile): Seal {
  const own: Seal = { wire: profile.wire, endpoint: profile.endpoint, model: profile.id, item };
  switch (owner) {
    case 'own':
      return own;
    case 'other-model':
      return { ...own, model: `${profile.id}-2` };
    case 'other-endpoint':
      return { ...own, endpoint: 'elsewhere' };
    case 'other-wire':
      return { ...own, wire: 'smoke-signals' };
  }
}

/** A thought as each wire hands it out. */
const thoughts: Record<WireName, (mark: string) => Json> = {
  'anthropic-messages': (mark) => ({ type: 'thinking', thinking: 'Hm.', signature: mark }),
  'openai-chat': (mark) => ({ reasoning_content: mark }),
  'openai-responses': (mark) => ({ type: 'reasoning', id: `rs_${mark}`, summary: [], encrypted_content: mark }),
  gemini: (mark) => ({ text: 'Hm.', thought: true, thoughtSignature: mark }),
  ollama: (mark) => ({ thinking: mark }),
  'bedrock-converse': (mark) => ({ reasoningContent: { reasoningText: { text: 'Hm.', signature: mark } } }),
};

export function thinking(owner: Owner, mark: string, profile: Profile): ThinkingBlock {
  const text = `thinking of ${mark}`;
  if (owner === 'none') return { type: 'thinking', text };
  return { type: 'thinking', text, seal: sealOf(thoughts[profile.wire](mark), owner, profile) };
}

/** An item without meaning of its own; the wires that have none give undefined. */
export function sealed(owner: Exclude<Owner, 'none'>, mark: string, profile: Profile): SealedBlock | undefined {
  const items: Partial<Record<WireName, Json>> = {
    'anthropic-messages': { type: 'redacted_thinking', data: mark },
    'bedrock-converse': { citationsContent: { content: [{ text: mark }], citations: [] } },
    'openai-responses': { type: 'compaction', encrypted_content: mark },
    gemini: { text: 'so', thoughtSignature: mark },
  };
  const item = items[profile.wire];
  return item === undefined ? undefined : { type: 'sealed', seal: sealOf(item, owner, profile) };
}

/** Words with a seal on them, where a wire signs words. */
export function sealedText(text: string, owner: Owner, mark: string, profile: Profile): TextBlock {
  if (owner === 'none') return { type: 'text', text };
  const items: Partial<Record<WireName, Json>> = {
    'openai-responses': {
      type: 'message',
      id: `msg_${mark}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    },
    gemini: { text, thoughtSignature: mark },
  };
  const item = items[profile.wire];
  return item === undefined ? { type: 'text', text } : { type: 'text', text, seal: sealOf(item, owner, profile) };
}

export function sealedCall(call: CallBlock, owner: Owner, mark: string, profile: Profile): CallBlock {
  const { id, name } = call;
  const args = { mark };
  const items: Partial<Record<WireName, Json>> = {
    'anthropic-messages': { type: 'tool_use', id, name, input: args },
    'bedrock-converse': { toolUse: { toolUseId: id, name, input: args } },
    'openai-chat': { id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
    'openai-responses': { type: 'function_call', id: `fc_${mark}`, call_id: id, name, arguments: JSON.stringify(args) },
    gemini: { functionCall: { id, name, args }, thoughtSignature: mark },
  };
  const item = items[profile.wire];
  return owner === 'none' || item === undefined ? call : { ...call, seal: sealOf(item, owner, profile) };
}
