// XML in, its elements and words out, one call each. Names lose their prefix; only attributes of the relationships
// namespace keep one (`r:id`), because they stand beside an `id` of the same element. Refused: what is not well
// formed, entities of its own, too many elements, too deep a nest of them.
import type { Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Limits } from '../limits.ts';
import { grouped } from '../limits.ts';
import { scanXml, XmlFault } from './scan.ts';

export type Attributes = Readonly<Record<string, string>>;

export type XmlHandlers = {
  open(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
};

const none: Attributes = {};
const relationships = /\/relationships$/;

/** Thrown out of the scan to stop it; never leaves this file. */
class Stop extends Error {
  readonly refusal: Refusal;
  constructor({ refusal }: { refusal: Refusal }) {
    super(refusal.what);
    this.refusal = refusal;
  }
}

/** Walks through XML; `what` names it in a refusal. Nothing comes back when all went well. */
export function parseXml(
  source: Uint8Array | string,
  what: string,
  handlers: XmlHandlers,
  { xmlDepth, xmlElements }: Limits,
): Refusal | undefined {
  const locals = new Map<string, string>();
  const local = (name: string): string => {
    let known = locals.get(name);
    if (known === undefined) locals.set(name, (known = name.slice(name.indexOf(':') + 1)));
    return known;
  };
  const names: string[] = [];
  const keys = new Map<string, string>();
  const keyOf = (key: string): string => {
    let known = keys.get(key);
    if (known === undefined) {
      known = key.startsWith('xmlns') ? '' : key.startsWith(linkPrefix) ? `r:${local(key)}` : local(key);
      keys.set(key, known);
    }
    return known;
  };
  let linkPrefix = 'r:';
  let [depth, elements] = [0, 0];
  const open = (name: string, attributes: readonly string[]): void => {
    if ((depth += 1) > xmlDepth) throw new Stop(tooMuch(what, 'is nested too deeply', `${xmlDepth} levels`));
    if ((elements += 1) > xmlElements) {
      throw new Stop(tooMuch(what, 'has too many elements', `${grouped(xmlElements)} elements`));
    }
    let own: Record<string, string> | undefined;
    for (let at = 0; at < attributes.length; at += 2) {
      const key = attributes[at] ?? '';
      const value = attributes[at + 1] ?? '';
      const known = keyOf(key);
      if (known === '') {
        if (!relationships.test(value)) continue;
        linkPrefix = `${key.slice(6)}:`;
        keys.clear();
        continue;
      }
      own ??= {};
      own[known] = value;
    }
    const plain = local(name);
    names.push(plain);
    handlers.open(plain, own ?? none);
  };
  const close = (): void => {
    depth -= 1;
    handlers.close?.(names.pop() ?? '');
  };
  try {
    const xml = typeof source === 'string' ? source : xmlText(source);
    scanXml(xml, { open, close, text: (words) => handlers.text?.(words) });
    return undefined;
  } catch (error) {
    if (error instanceof Stop) return error.refusal;
    if (error instanceof XmlFault) return damaged(what, error.message).refusal;
    throw error;
  }
}

/** By its mark, by the encoding it declares, else UTF-8. */
export function xmlText(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const marked = new Map([
    ['\u00ff\u00fe', 'utf-16le'],
    ['\u00fe\u00ff', 'utf-16be'],
  ]).get(head.slice(0, 2));
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)/.exec(head)?.[1];
  try {
    return new TextDecoder(marked ?? declared ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // an encoding nobody knows
  }
}

function tooMuch(what: string, why: string, limit: string): { refusal: Refusal } {
  return refuse('too-large', `${what} ${why}`, 'Save it anew, or split it.', limit);
}

function damaged(what: string, why: string): { refusal: Refusal } {
  return refuse('corrupt', `${what} is damaged: ${why}`, 'Get the file again or save it anew.');
}
