// An intake without child processes: it looks at the bytes as the real one does, but believes a header whose file has a
// proper end. Quick enough for hundreds of values in a property.
import type { Block } from '../../src/content/block.ts';
import type { Intake } from '../../src/content/intake.ts';
import type { Read } from '../../src/content/refusal.ts';
import { refuse } from '../../src/content/refusal.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';

export type Opened = { intake: Intake; assets: AssetStore };

/** A new intake with a store of its own; `files` are all that a path can name. */
export function openTestIntake(files: Readonly<Record<string, Uint8Array>> = {}): Opened {
  const assets = memoryAssets();
  const intake: Intake = {
    check: async (given, hint = {}): Promise<Read<Block>> => {
      const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
      const seen = look(bytes);
      if (bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004')
        return refuse('unsupported', 'input.zip is a zip archive, which is not supported', 'Convert it.');
      if (seen === undefined) return refuse('unknown', 'The bytes are no medium', 'Give it as text.');
      const asset = await assets.put(bytes, { mediaType: seen.mediaType, name: hint.name ?? seen.name });
      if (seen.type === 'image') return { ok: true, value: { type: 'image', asset, ...seen.size } };
      const part = hint.range && { range: hint.range };
      if (seen.type === 'document') return { ok: true, value: { type: 'document', asset, pages: seen.pages, ...part } };
      return { ok: true, value: { type: 'audio', asset, seconds: seen.seconds } };
    },
    open: async (source) => {
      if ('url' in source) return refuse('not-allowed', 'Remote URLs are not fetched', 'Pass the bytes.');
      const bytes = Object.hasOwn(files, source.path) ? files[source.path] : undefined;
      const name = source.path.split('/').at(-1) ?? source.path;
      return bytes
        ? { ok: true, value: { bytes, name } }
        : refuse('not-found', `${name} does not exist`, 'Check the path.');
    },
    keep: (bytes, about) => assets.put(bytes, about),
    stored: (id) => assets.get(id),
    at: () => intake,
  };
  return { intake, assets };
}

type Size = { width: number; height: number };
type Seen =
  | { type: 'image'; mediaType: string; name: string; size: Size }
  | { type: 'document'; mediaType: string; name: string; pages: number }
  | { type: 'audio'; mediaType: string; name: string; seconds: number };

function picture(format: string, size: Size | undefined): Seen | undefined {
  return size && { type: 'image', mediaType: `image/${format}`, name: `image.${format}`, size };
}

function look(bytes: Buffer): Seen | undefined {
  const head = bytes.toString('latin1', 0, 16);
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return picture('png', pngSize(bytes));
  if (head.startsWith('\u00ff\u00d8\u00ff')) return picture('jpeg', jpegSize(bytes));
  if (/^GIF8[79]a/.test(head)) return picture('gif', bytes.at(-1) === 0x3b ? pair(bytes, 6) : undefined);
  if (/^RIFF[^]{4}WEBP/.test(head)) return picture('webp', webpSize(bytes));
  if (/^RIFF[^]{4}WAVE/.test(head) && bytes.length === bytes.readUInt32LE(4) + 8) {
    return { type: 'audio', mediaType: 'audio/wav', name: 'input.wav', seconds: (bytes.length - 44) / 8000 };
  }
  const text = bytes.toString('latin1');
  if (!head.startsWith('%PDF-') || !/%%EOF\s*$/.test(text)) return undefined;
  const pages = text.match(/\/Type \/Page\b/g)?.length ?? 0;
  return { type: 'document', mediaType: 'application/pdf', name: 'input.pdf', pages };
}

/** Chunk by chunk to the end mark; like most decoders it does not mind what stands after that. */
function pngSize(bytes: Buffer): Size | undefined {
  for (let at = 8; at + 12 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') {
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    }
  }
  return undefined;
}

function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return undefined;
  for (let at = 2; at + 9 < bytes.length; at += bytes.readUInt16BE(at + 2) + 2) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}

function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.length < bytes.readUInt32LE(4) + 8) return undefined;
  if (bytes.toString('latin1', 12, 16) === 'VP8 ') return pair(bytes, 26);
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

function pair(bytes: Buffer, at: number): Size {
  return { width: bytes.readUInt16LE(at), height: bytes.readUInt16LE(at + 2) };
}
