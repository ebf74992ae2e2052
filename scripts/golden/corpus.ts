// The recorded requests and answers of the shared corpora, with small real media where base64 was cut out.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireName } from '../../src/index.ts';
import { sharedFile } from '../../test/judge/shared-folder.ts';
import { small } from './media.ts';

type Fields = { readonly [key: string]: unknown };

export type RecordedRequest = { name: string; wire: WireName; path: string; body: unknown };
export type RecordedAnswer = { name: string; wire?: WireName; text: string };

const wirePaths: readonly (readonly [WireName, RegExp])[] = [
  ['anthropic-messages', /\/messages\b/],
  ['openai-chat', /\/chat\/completions\b/],
  ['openai-responses', /\/responses\b/],
  ['gemini', /:(?:streamG|g)enerateContent\b/],
];

function wireOf(path: string): WireName | undefined {
  return wirePaths.find(([, pattern]) => pattern.test(path))?.[0];
}

function shared(folder: string): { file: string; text: string }[] {
  const path = sharedFile(`corpora/${folder}`);
  if (path === undefined) return [];
  const files = readdirSync(path).toSorted();
  return files.map((file) => ({ file, text: readFileSync(join(path, file), 'utf8') }));
}

/** Requests with media in tool results, mostly. */
export function mediaRequests(): RecordedRequest[] {
  return shared('wire').flatMap(({ file, text }) => {
    const recording = JSON.parse(text) as { exchanges?: Fields[] };
    return (recording.exchanges ?? []).flatMap(({ url, request }, index) => {
      const path = URL.canParse(String(url)) ? new URL(String(url)).pathname : '';
      const wire = wireOf(path);
      const name = `${file.replace(/\.json$/, '')}#${index}`;
      return wire === undefined || !request ? [] : [{ name, wire, path, body: restored(request) }];
    });
  });
}

/** Exchanges of every kind: what was asked, and what was answered. */
export function exchanges(): { requests: RecordedRequest[]; answers: RecordedAnswer[] } {
  const requests: RecordedRequest[] = [];
  const answers: RecordedAnswer[] = [];
  for (const { file, text } of shared('exchanges')) {
    for (const [index, line] of text.trim().split('\n').entries()) {
      const { path, request, response } = JSON.parse(line) as { path: string; request?: Fields; response?: Fields };
      const wire = wireOf(path);
      if (wire === undefined) continue;
      const name = `${file.replace(/\.jsonl$/, '')}#${index}`;
      if (request?.['json']) requests.push({ name, wire, path, body: restored(request['json']) });
      const told = response?.['text'] ?? (response?.['json'] && JSON.stringify(response['json']));
      if (typeof told === 'string') answers.push({ name, wire, text: told });
    }
  }
  return { requests, answers };
}

/** Recorded answers; those that hold one event a line become an event stream. */
export function streams(): RecordedAnswer[] {
  return shared('streams').map(({ file, text }) => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const framed = lines.map((line) => `data: ${line}\n\n`).join('');
    return { name: file, text: file.endsWith('.chunks.txt') ? framed : text };
  });
}

/** `$b64` stands for base64 that was cut out, `$json` for a JSON text that held some. */
function restored(node: unknown, about = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => restored(item, about));
  if (typeof node !== 'object' || node === null) return node;
  const fields = node as Fields;
  if ('$b64' in fields) {
    const prefix = typeof fields['prefix'] === 'string' ? fields['prefix'] : '';
    return `${prefix}${small[kindIn(prefix === '' ? about : prefix)]}`;
  }
  if ('$json' in fields) return JSON.stringify(restored(fields['$json']));
  const words = Object.values(fields).filter((value) => typeof value === 'string');
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, restored(value, words.join(' '))]));
}

/** The kind of a medium, from the words beside it. */
function kindIn(about: string): keyof typeof small {
  if (/\bpdf\b/i.test(about)) return 'document';
  if (/audio|\b(?:wav|mp3)\b/i.test(about)) return 'audio';
  return /video/i.test(about) ? 'video' : 'image';
}
