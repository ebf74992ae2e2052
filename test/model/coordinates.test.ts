// A model that points at a picture gives coordinates of what it saw. What it was told must lead back to the pixels that the
// tool gave, in whatever size the picture went out.
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { image } from '../../src/index.ts';
import type { Detail } from '../../src/content/block.ts';
import type { TranscriptInput } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';

const models = [
  'anthropic/claude-sonnet-4-5',
  'anthropic/claude-opus-4-7',
  'openai/gpt-5.2',
  'openai/gpt-5.4',
  'openai-chat/gpt-4.1',
  'gemini/gemini-3-pro-preview',
  'bedrock/us.mistral.pixtral-large-2502-v1:0',
];

const screen = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#246' } })
    .png()
    .toBuffer();

const transcriptWith = (bytes: Uint8Array, detail: Detail | undefined): TranscriptInput => ({
  messages: [
    { role: 'user', content: 'Where is the button?' },
    { role: 'assistant', model: 'x', content: [{ type: 'call', id: 'c1', name: 'look', input: {} }] },
    {
      role: 'tool',
      callId: 'c1',
      name: 'look',
      content: [image(bytes, { name: 'screen.png', ...(detail && { detail }) })],
    },
  ],
});

/** The width of the one picture in a body, and by how much all that is told of it multiplies. */
async function shownIn(body: unknown): Promise<{ width: number; told: number }> {
  const text = JSON.stringify(body);
  const [letters] = /[A-Za-z0-9+/]{200,}={0,2}/.exec(text) ?? [''];
  const { width } = await sharp(Buffer.from(letters, 'base64')).metadata();
  const factors = [...text.matchAll(/multiply coordinates by ([\d.]+)/g)].map(([, factor]) => Number(factor));
  return { width, told: factors.reduce((all, factor) => all * factor, 1) };
}

describe.each([
  [3840, 2160],
  [7000, 4000],
])('a screen of %i×%i', (width, height) => {
  test.each(models.flatMap((model) => [undefined, 'original' as const].map((detail) => ({ model, detail }))))(
    'that $model is shown with detail $detail leads back by what it is told',
    async ({ model, detail }) => {
      const request = await prepare(transcriptWith(await screen(width, height), detail), { model });
      const first = await shownIn(await request.json());
      expect(first.told).toBeCloseTo(width / first.width, 2);

      const repaired = await request.repair({ status: 400, message: 'Could not process image' });
      const smaller = await shownIn(await repaired?.json());
      expect(smaller.width).toBeLessThan(first.width);
      expect(smaller.told).toBeCloseTo(width / smaller.width, 2);
      expect(JSON.stringify(await repaired?.json()).match(/multiply coordinates/g)).toHaveLength(1);
    },
  );
});
