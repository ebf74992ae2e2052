// Text from anywhere, made safe to show on a terminal: whatever could steer it (control characters, escape sequences,
// bidi overrides) becomes visible signs. A document or a file name can never move the cursor or hide words.

const steering = /(?![\n\t])\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/gu;

/** Only newlines and tabs keep their effect. */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(steering, sign);
}

/** The same for one line: newlines and tabs become signs, too. */
export function visibleLine(text: string): string {
  return visible(text)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
}

function sign(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** JSON text that means the same and holds nothing that steers a terminal. */
export function visibleJson(json: string): string {
  return json.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
