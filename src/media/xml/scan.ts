// Well-formed XML in, its tags and words out, one call each, names as they are written. It jumps from one "<" to the
// next, so long texts cost next to nothing. No entity but the five that XML itself knows; definitions are not read.

type ScanHandlers = {
  /** Attributes are names and values in turn; the list is used again for the next element. */
  open(name: string, attributes: readonly string[]): void;
  close(name: string): void;
  text(text: string): void;
};

/** What is not well formed, in words. */
export class XmlFault extends Error {}

const nameStart =
  ':A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f' +
  '\\u2c00-\\u2fef\\u3001-\\udb7f\\udc00-\\udfff\\uf900-\\ufdcf\\ufdf0-\\ufffd';
const xmlName = `[${nameStart}][${nameStart}\\-.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040]*`;
const nameHere = new RegExp(xmlName, 'y');
const declarationHere =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(["'])1\.\d+\1(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(["'])[A-Za-z][\w.-]*\2)?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(["'])(?:yes|no)\3)?[ \t\n]*\?>/y;
// oxlint-disable-next-line no-control-regex -- these are what XML forbids
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const known = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** More than any format knows; each new one is compared with those before it. */
const mostAttributes = 1000;

/** Walks through XML from its beginning to its end; throws an `XmlFault` where it is not well formed. */
export function scanXml(xml: string, handlers: ScanHandlers): void {
  const source = plain(xml);
  const open: string[] = [];
  const attributes: string[] = [];
  let [rootSeen, at] = [false, matchAt(declarationHere, source, 0)?.[0].length ?? 0];
  const words = (end: number): void => {
    if (end === at) return;
    const text = source.slice(at, end);
    if (open.length > 0) handlers.text(textOf(text));
    else if (/[^ \t\n]/.test(text)) throw new XmlFault('text stands outside of its root element');
  };
  const openTag = (): number => {
    let end = nameEnd(source, at + 1);
    if (end === at + 1) throw new XmlFault('a tag has no name');
    if (open.length === 0 && rootSeen) throw new XmlFault('it has more than one root element');
    rootSeen = true;
    const name = source.slice(at + 1, end);
    attributes.length = 0;
    for (let from = afterSpace(source, end); ; from = afterSpace(source, end)) {
      const code = source.charCodeAt(from);
      const closed = code === slash && source.charCodeAt(from + 1) === more;
      if (code === more || closed) {
        handlers.open(name, attributes);
        if (closed) handlers.close(name);
        else open.push(name);
        return from + (closed ? 2 : 1);
      }
      if (from === end) throw new XmlFault('a tag is not well formed');
      end = attributeEnd(source, from, attributes);
    }
  };
  const closeTag = (): number => {
    const name = open.pop();
    const end = name !== undefined && source.startsWith(name, at + 2) ? afterSpace(source, at + 2 + name.length) : -1;
    if (name === undefined || source.charCodeAt(end) !== more) throw new XmlFault('a closing tag does not match');
    handlers.close(name);
    return end + 1;
  };
  for (let next = source.indexOf('<', at); next !== -1; next = source.indexOf('<', at)) {
    words(next);
    at = next;
    const mark = source.charCodeAt(at + 1);
    if (mark === slash) at = closeTag();
    else if (mark === question) at = instructionEnd(source, at);
    else if (mark !== bang) at = openTag();
    else if (source.startsWith('<![CDATA[', at) && open.length > 0) {
      const end = endOf(source, ']]>', at + 9);
      if (end > at + 12) handlers.text(source.slice(at + 9, end - 3));
      at = end;
    } else if (source.startsWith('<!--', at)) at = commentEnd(source, at);
    else if (source.startsWith('<!DOCTYPE', at) && !rootSeen) at = doctypeEnd(source, at);
    else throw new XmlFault('a declaration stands where none may be');
  }
  words(source.length);
  if (open.length > 0) throw new XmlFault('it ends inside of an element');
  if (!rootSeen) throw new XmlFault('it has no root element');
}

const [slash, question, bang, more, equals] = [0x2f, 0x3f, 0x21, 0x3e, 0x3d];

/** One kind of line end, no mark in front, and only characters that XML has. */
function plain(xml: string): string {
  if (forbidden.test(xml) || !xml.isWellFormed()) throw new XmlFault('it has characters that XML does not have');
  const source = xml.includes('\r') ? xml.replaceAll(/\r\n?/g, '\n') : xml;
  return source.startsWith('\ufeff') ? source.slice(1) : source;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** The letters that most names are made of. */
const plainLetters = Array.from({ length: 128 }, (_, code) => /[:\w.-]/.test(String.fromCharCode(code)));

/** Where the name that begins here ends; here, when none begins. */
function nameEnd(source: string, at: number): number {
  const first = source.charCodeAt(at);
  let end = at;
  if ((first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a)) {
    while (plainLetters[source.charCodeAt(end)] === true) end += 1;
  }
  const isPlain = end > at && !(source.charCodeAt(end) >= 128);
  return isPlain ? end : at + (matchAt(nameHere, source, at)?.[0].length ?? 0);
}

function afterSpace(source: string, at: number): number {
  for (let end = at; ; end += 1) {
    const code = source.charCodeAt(end);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09) return end;
  }
}

/** Takes one attribute into the list; gives the place behind it. */
function attributeEnd(source: string, at: number, attributes: string[]): number {
  const end = nameEnd(source, at);
  const key = source.slice(at, end);
  const sign = afterSpace(source, end);
  const from = afterSpace(source, sign + 1);
  const quote = source[from];
  const isWhole = end > at && source.charCodeAt(sign) === equals && (quote === '"' || quote === "'");
  const close = isWhole ? source.indexOf(quote, from + 1) : -1;
  if (close < 0) throw new XmlFault('an attribute is not well formed');
  if (isTaken(key, attributes)) throw new XmlFault('an attribute stands twice in one tag');
  attributes.push(key, valueOf(source.slice(from + 1, close)));
  return close + 1;
}

function isTaken(key: string, attributes: readonly string[]): boolean {
  if (attributes.length > mostAttributes * 2) throw new XmlFault('a tag has too many attributes');
  for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === key) return true;
  return false;
}

function textOf(text: string): string {
  if (text.includes(']]>')) throw new XmlFault('"]]>" stands in its text');
  return text.includes('&') ? resolved(text) : text;
}

function valueOf(value: string): string {
  if (!/[<&\t\n]/.test(value)) return value;
  if (value.includes('<')) throw new XmlFault('"<" stands in an attribute');
  return resolved(value.replaceAll(/[\t\n]/g, ' '));
}

function resolved(text: string): string {
  return text.replaceAll(/&([^;&]*)(;?)/g, (_, name: string, end: string) => {
    const character = end === '' ? undefined : name.startsWith('#') ? numbered(name) : known.get(name);
    if (character === undefined) throw new XmlFault('it has an entity that is not known');
    return character;
  });
}

function numbered(name: string): string | undefined {
  const [, decimal, hex] = /^#(?:(\d+)|x([\da-fA-F]+))$/.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return forbidden.test(character) || !character.isWellFormed() ? undefined : character;
}

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  if (found === -1) throw new XmlFault('it breaks off');
  return found + mark.length;
}

function commentEnd(source: string, at: number): number {
  const end = endOf(source, '--', at + 4);
  if (source[end] !== '>') throw new XmlFault('a comment is not well formed');
  return end + 1;
}

/** The declaration is the one instruction that may only stand at the very beginning. */
function instructionEnd(source: string, at: number): number {
  const name = matchAt(nameHere, source, at + 2)?.[0] ?? '';
  const end = endOf(source, '?>', at + 2);
  const from = at + 2 + name.length;
  if (name === '' || name.toLowerCase() === 'xml' || (from !== end - 2 && !/[ \t\n]/.test(source[from] ?? ''))) {
    throw new XmlFault('an instruction is not well formed');
  }
  return end;
}

/** A reference to definitions is never followed; those inside the file could only be there to be expanded. */
function doctypeEnd(source: string, at: number): number {
  const special = /["'>[]/g;
  for (special.lastIndex = at; ;) {
    const mark = special.exec(source)?.[0];
    if (mark === undefined) throw new XmlFault('it breaks off');
    if (mark === '[') throw new XmlFault('it defines entities of its own');
    if (mark === '>') return special.lastIndex;
    special.lastIndex = endOf(source, mark, special.lastIndex);
  }
}
