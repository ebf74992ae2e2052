// Messages and pictures for the tests of sessions.
import { deflateSync, crc32 } from 'node:zlib';
import type { Asset, Block } from '../../src/content/block.ts';
import type { AssistantMessage, UserMessage } from '../../src/message/message.ts';
import type { ToolMessage } from '../../src/tool/result.ts';

export function user(text: string, ...more: Block[]): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }, ...more] };
}

export function assistant(text: string, model = 'openai/gpt-5.2'): AssistantMessage {
  return { role: 'assistant', model, content: [{ type: 'text', text }] };
}

export function result(callId: string, text: string, ...more: Block[]): ToolMessage {
  return { role: 'tool', callId, name: 'look', content: [{ type: 'text', text }, ...more] };
}

export function image(asset: Asset): Block & { type: 'image' } {
  return { type: 'image', asset, width: 8, height: 8 };
}

/** A real picture, 8 × 8, another one for each number. */
export function png(seed: number): Uint8Array {
  const first = Array.from({ length: 8 }, (_, x) => Math.floor(seed / 256 ** x) % 256);
  const rows = Array.from({ length: 8 }, (_, y) => [
    0,
    ...first.map((value, x) => (y === 0 ? value : (x * y * 7) % 256)),
  ]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
