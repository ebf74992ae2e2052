// What Mistral spells in its own way, as OpenAI would, so that the judges of Chat Completions can read it: the address of a
// picture may stand bare, and a PDF is a part of a type of its own.
import { isRecord } from '../../src/content/json.ts';

export function asOpenai(body: unknown): unknown {
  const spelt = JSON.stringify(body, (key, value: unknown) => {
    if (key === 'image_url' && typeof value === 'string') return { url: value };
    if (!isRecord(value) || value['type'] !== 'document_url') return value;
    return { type: 'file', file: { filename: value['document_name'] ?? 'a.pdf', file_data: value['document_url'] } };
  });
  return JSON.parse(spelt) as unknown;
}
