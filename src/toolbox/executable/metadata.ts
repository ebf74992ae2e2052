// `Metadata:` in the docstring of a script for Silica: what its spec leaves out, such as whether it needs a login.
import { headOf } from './command.ts';

const words = new Set(['category', 'tags', 'timeout', 'long_running', 'requires_auth', 'max_concurrency']);
const headBytes = 8192;

/** The fields of a spec that the head of a file states. */
export function metadataOf(file: string): Record<string, unknown> {
  if (!file.endsWith('.py')) return {};
  const block = /^[ \t]*Metadata:[ \t]*\r?\n((?:[ \t]*\w+:.*\r?\n)+)/m.exec(headOf(file, headBytes) ?? '')?.[1] ?? '';
  const fields = [...block.matchAll(/^[ \t]*(\w+):[ \t]*(.*?)[ \t\r]*$/gm)].map(([, key = '', value = '']) => [
    key,
    value,
  ]);
  return Object.fromEntries(
    fields.flatMap(([key = '', value = '']) => (words.has(key) && value !== '' ? [[key, valueOf(key, value)]] : [])),
  );
}

function valueOf(key: string, text: string): unknown {
  if (key === 'tags')
    return text
      .replaceAll(/[[\]"']/g, '')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
  if (/^(?:true|yes)$/i.test(text)) return true;
  if (/^(?:false|no)$/i.test(text)) return false;
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
