// The text of a request body cut into the items of its list, without parsing what is long. A body with twenty pictures
// is 28 MB of base64 in a few hundred strings: those are jumped over and stand in the outline as short marks, equal for
// equal strings. Everything that is not repaired is later sent as exactly the text that it was.

export type OutlinedItem = {
  start: number;
  end: number;
  /** What stands between the item before and this one. */
  lead: string;
  /** Its JSON with a mark for every long string. */
  outline: string;
};

export type Outline = { frame: string; items: OutlinedItem[] };

/** Strings from this length on are jumped over. */
export const longString = 2048;

const quote = 0x22;
const backslash = 0x5c;

/** Undefined when the text is no JSON object with such a list. The outline itself is not checked: parsing it does that. */
export function outlineOf(text: string, list: string): Outline | undefined {
  const items = itemsIn(text);
  let frame: string | undefined;
  let depth = 0;
  let lastString: [start: number, end: number] = [0, 0];
  let key = '';
  let inList = false;

  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32) continue;
    if (inList && depth === 2 && code !== 0x2c && code !== 0x5d) items.begin(at);
    switch (code) {
      case quote: {
        const end = closing(text, at);
        if (end < 0) return undefined;
        if (depth === 1) lastString = [at, end + 1];
        if (end - at > longString) items.jump(at, end);
        at = end;
        break;
      }
      case 0x3a: // :
        if (depth === 1) key = text.slice(...lastString);
        break;
      case 0x5b: // [
        if (depth === 1 && key === `"${list}"`) {
          if (frame !== undefined) return undefined; // twice the same key
          inList = true;
          frame = text.slice(0, at + 1);
        }
        depth++;
        break;
      case 0x7b: // {
        depth++;
        break;
      case 0x2c: // ,
        if (inList && depth === 2) items.end(at);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        if (inList && depth === 1) {
          items.end(at);
          inList = false;
          frame += text.slice(at);
        }
    }
  }
  return frame === undefined || depth !== 0 ? undefined : { frame, items: items.all };
}

type Items = {
  all: OutlinedItem[];
  /** An item begins here, unless one is under way. */
  begin: (at: number) => void;
  /** Leaves a mark for a long string, where an item is under way. */
  jump: (start: number, end: number) => void;
  /** The item under way ends before this. */
  end: (at: number) => void;
};

function itemsIn(text: string): Items {
  const all: OutlinedItem[] = [];
  const pieces: string[] = [];
  let copied = 0;
  let itemStart = -1;
  let lastEnd = -1;
  const copyTo = (at: number): void => {
    if (at > copied) pieces.push(text.slice(copied, at));
    copied = at;
  };
  return {
    all,
    begin: (at) => {
      if (itemStart >= 0) return;
      itemStart = at;
      copied = at;
    },
    jump: (start, end) => {
      if (itemStart < 0) return;
      copyTo(start);
      pieces.push(mark(text, start + 1, end));
      copied = end + 1;
    },
    end: (at) => {
      if (itemStart < 0) return;
      const end = trimmed(text, at);
      copyTo(end);
      const lead = text.slice(lastEnd < 0 ? itemStart : lastEnd, itemStart);
      all.push({ start: itemStart, end, lead, outline: pieces.splice(0).join('') });
      lastEnd = end;
      itemStart = -1;
    },
  };
}

function closing(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let back = at - 1;
    while (text.charCodeAt(back) === backslash) back--;
    if ((at - back) % 2 === 1) return at;
  }
  return -1;
}

function trimmed(text: string, end: number): number {
  let at = end;
  while (text.charCodeAt(at - 1) <= 32) at--;
  return at;
}

const stride = 61;
const edge = 512;

/** A long string by its length and a good sample of its letters. Whoever must be sure that it is the same looks closer. */
function mark(text: string, start: number, end: number): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  const take = (at: number): void => {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
    high ^= low >>> 15;
  };
  for (let at = start; at < start + edge; at++) take(at);
  for (let at = start + edge; at < end - edge; at += stride) take(at);
  for (let at = end - edge; at < end; at++) take(at);
  return `"\\u0001${end - start}.${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}"`;
}

/** Where the value of a field of the outermost object stands, if it is a string (with its quotes) or a number. Undefined, too,
 * where it stands twice, or a name is written with escapes and may be the same once more. */
export function plainField(text: string, name: string): [start: number, end: number] | undefined {
  let depth = 0;
  let key = '';
  let isKey = true;
  let found: [number, number] | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = closing(text, at);
      if (end < 0) return undefined;
      if (depth === 1 && isKey) {
        key = text.slice(at, end + 1);
        if (key.includes('\\') || (found && key === `"${name}"`)) return undefined;
      } else if (depth === 1 && key === `"${name}"`) found = [at, end + 1];
      at = end;
    } else if (depth === 1 && !isKey && key === `"${name}"` && /[-\d]/.test(text.charAt(at))) {
      const [digits = ''] = /^[-+.\deE]+/.exec(text.slice(at, at + 30)) ?? [];
      found = [at, at + digits.length];
      at += digits.length - 1;
    } else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x3a && depth === 1) isKey = false;
    else if (code === 0x2c && depth === 1) isKey = true;
  }
  return found;
}
