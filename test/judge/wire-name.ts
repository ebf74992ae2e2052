// The six wires a body can be judged for. The judges keep their own list: they must not lean on what they judge.

export type WireName =
  | 'anthropic-messages'
  | 'openai-chat'
  | 'openai-responses'
  | 'gemini'
  | 'ollama'
  | 'bedrock-converse';

export const wireNames: readonly WireName[] = [
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'gemini',
  'ollama',
  'bedrock-converse',
];
