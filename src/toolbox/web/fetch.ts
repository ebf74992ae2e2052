// `fetch_url`: a public URL in, what a model can see of it out: pages as Markdown, pictures, PDFs and other documents
// as themselves. The bytes decide what it is; nothing binary is ever shown as text.
import type { AssetStore } from '../../asset/store.ts';
import type { Block } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { cutText, safeName, unescaped } from '../../content/text.ts';
import type { Reading } from '../../media/index.ts';
import { limits, read } from '../../media/index.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { object, string, textAt } from '../argument.ts';
import { filePartFields, filePartIn } from '../file-part.ts';
import type { UrlRules } from '../../media/remote/address.ts';

type FetchUrlOptions = {
  /** Where the tool may go besides public https addresses. */
  urls?: UrlRules;
  assets?: AssetStore;
  /** How long one fetch may take, 30 seconds unless told. */
  timeoutMs?: number;
};

const longestUrl = 2000;

export function fetchUrlTool({ urls = {}, assets, timeoutMs = 30_000 }: FetchUrlOptions = {}): Tool {
  return defineTool({
    name: 'fetch_url',
    effect: 'read',
    description:
      'Fetch a URL: web pages as text, pictures as pictures, PDFs and other documents by pages. Public https addresses ' +
      'only. A long text comes in parts; its first line says how to go on.',
    input: object(
      {
        url: string('The address, such as https://example.com/report.pdf'),
        ...filePartFields,
      },
      'url',
    ),
    run: async (given, context) => {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)]);
      const { get } = await import('../../media/remote/get.ts');
      const got = await get(textAt(given, 'url') ?? '', urls, signal);
      if (!got.ok) return got;
      const { url, response } = got.value;
      const name = safeName(unescaped(url.pathname.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')));
      const hasName = /filename/i.test(response.headers.get('content-disposition') ?? '');
      const named = hasName || name === 'unnamed' ? {} : { name };
      if (!response.ok) {
        await response.body?.cancel();
        return refuse('not-found', `${url.host} answered ${response.status}`, 'Check the address, or try another.');
      }
      const head = `[From ${cutText(url.href, longestUrl)}]`;
      const options = {
        assets: assets ?? context.assets,
        signal: context.signal,
        limits: { outputCharacters: limits.outputCharacters - head.length - 1 },
        ...named,
        ...filePartIn(given),
      };
      const result = await read(response, options);
      if (!result.ok && result.refusal.code === 'corrupt' && signal.aborted) {
        return refuse('timed-out', `${url.host} took too long`, 'Try again later.', `${timeoutMs / 1000} s`);
      }
      return headed(head, result);
    },
  });
}

/** Says first where it came from: after redirects that is not where the model asked. */
function headed(head: string, result: Read<Reading>): Read<Reading> {
  if (!result.ok) return result;
  const { output, blocks, data } = result.value;
  const all: Block[] = [{ type: 'text', text: head }, ...blocks];
  return { ok: true, value: { output: `${head}\n${output}`, blocks: all, data } };
}
