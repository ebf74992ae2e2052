// The six ways in which vendors scale a picture, each by one model that does it so.
import type { Column } from '../matrix/peer.ts';
import { profileFor } from '../../src/window/profile.ts';
import { sightOf } from '../../src/window/sight.ts';
import type { Sight } from '../../src/window/sight.ts';
import type { Profile } from '../../src/window/profile.ts';

/** `bar`: by which of the two bars it is judged. */
export type Family = { id: string; title: string; model: string; column: Column; bar: 'same tokens' | 'most tokens' };

export const families: Family[] = [
  {
    id: 'claude-4.6',
    title: 'Claude ≤ 4.6',
    model: 'anthropic/claude-sonnet-4-5',
    column: 'anthropic',
    bar: 'most tokens',
  },
  {
    id: 'claude-4.7',
    title: 'Claude ≥ 4.7',
    model: 'anthropic/claude-opus-4-7',
    column: 'anthropic',
    bar: 'same tokens',
  },
  { id: 'gpt-tiles', title: 'GPT 4.1, 5, 5.1', model: 'openai/gpt-4.1', column: 'responses', bar: 'most tokens' },
  { id: 'gpt-5.4', title: 'GPT ≥ 5.2', model: 'openai/gpt-5.4', column: 'responses', bar: 'same tokens' },
  { id: 'gemini-3', title: 'Gemini ≥ 3', model: 'gemini/gemini-3-pro-preview', column: 'gemini-3', bar: 'most tokens' },
  { id: 'gemma3', title: 'gemma3 on Ollama', model: 'ollama/gemma3', column: 'ollama', bar: 'most tokens' },
];

export function profileOf({ model }: Family): Profile {
  return profileFor(model);
}

/** A picture as it stands in a body. `file`: its bytes. */
export type Sent = { file: string; type: string; width: number; height: number; base64: number; detail?: string };

/** What a vendor keeps of it; nothing where it refuses it. */
export function seenBy(family: Family, { width, height, base64, detail }: Sent): Sight | undefined {
  const { media, tokens } = profileOf(family);
  const { maxEdge, maxBase64 } = media.image;
  if (Math.max(width, height) > maxEdge || base64 > maxBase64) return undefined;
  const asked =
    detail === 'low' || detail === 'original' || detail === 'auto' || detail === 'high' ? detail : undefined;
  return sightOf(tokens.image, width, height, asked);
}
