// Nothing from outside may steer a terminal.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askTerminal, hasColour, paint, styled, visible, visibleJson, visibleLine } from '../../src/cli/terminal.ts';

/** Text with more of what steers a terminal than chance would give. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        '\u001B[2J',
        '\u001B]8;;https://x\u0007',
        '\u009B31m',
        '\u202E',
        '\u2066',
        '\u061C',
        '\r\n',
        '\uD800',
      ),
    ),
  )
  .map((parts) => parts.join(''));

const steering = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\p{Cs}]/u;

describe('text', () => {
  test('of any kind is shown without effect, but for newlines and tabs', () => {
    fc.assert(fc.property(hostile, (text) => !steering.test(visible(text))));
  });

  test('in one line has neither', () => {
    fc.assert(fc.property(hostile, (text) => !/[\n\t]/.test(visibleLine(text)) && !steering.test(visibleLine(text))));
  });

  test('that is harmless stays as it is', () => {
    const harmless = 'Grüße, 世界, 👩‍👩‍👧, عربي\n\tindented \\x1b';
    expect(visible(harmless)).toBe(harmless);
  });

  test('keeps its meaning as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostile, (value, text) => {
        const written = visibleJson(JSON.stringify([value, text], null, 2));
        expect(written).not.toMatch(steering);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify([value, text])));
      }),
    );
  });
});

describe('styles', () => {
  test('are the only escapes that are ever written', () => {
    const style = fc.constantFrom('bold', 'dim', 'red', 'green', 'yellow', 'cyan');
    fc.assert(
      fc.property(style, hostile, (name, text) => {
        const painted = paint([text, styled(name, text)], true);
        expect(painted.split('\u001B')).toHaveLength(3);
        expect(painted.replaceAll(new RegExp(String.raw`\x1B\[\d+m`, 'g'), '')).toBe(visible(text) + visible(text));
      }),
    );
  });

  test('are left out where nobody wants colour', () => {
    expect(paint([styled('red', 'x')], false)).toBe('x');
    expect(hasColour({ isTTY: true }, {})).toBe(true);
    expect(hasColour({ isTTY: true }, { NO_COLOR: '' })).toBe(true);
    expect(hasColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
    expect(hasColour({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
    expect(hasColour({}, {})).toBe(false);
  });
});

/** A terminal that answers so, in pieces; and what was done to it. */
function terminalSaying(...pieces: string[]): { deeds: unknown[]; terminal: Parameters<typeof askTerminal>[2] } {
  const deeds: unknown[] = [];
  const stream = new PassThrough();
  const keys = Object.assign(stream, {
    isTTY: true,
    isRaw: false,
    setRawMode: (raw: boolean) => (deeds.push(raw), stream as never),
  });
  const write = (question: string): boolean => {
    deeds.push(question);
    for (const piece of pieces) stream.write(piece);
    return true;
  };
  return { deeds, terminal: { keys, screen: { isTTY: true, write } } };
}

describe('a terminal that is asked', () => {
  test('is heard until its answer is whole, and left as it was', async () => {
    const { deeds, terminal } = terminalSaying('\u001B[6;18;9t\u001B[?62', ';4c');
    expect(await askTerminal('?', /\[\?[\d;]*c/, terminal, 60_000)).toBe('\u001B[6;18;9t\u001B[?62;4c');
    expect(deeds).toEqual([true, '?', false]);
  });

  test('is heard, though all patience went while this process was busy', async () => {
    const pipe = join(mkdtempSync(join(tmpdir(), 'sightline-terminal-')), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const fd = openSync(pipe, 'r+');
    const socket = new Socket({ fd, readable: true, writable: false });
    const keys = Object.assign(socket, { isTTY: true, isRaw: false, setRawMode: () => undefined });
    const write = (): boolean => {
      writeSync(fd, '\u001B[?1;2c');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      return true;
    };
    expect(await askTerminal('?', /c/, { keys, screen: { isTTY: true, write } }, 1)).toBe('\u001B[?1;2c');
    socket.destroy();
  });

  test('and says nothing is not waited for', async () => {
    const { deeds, terminal } = terminalSaying();
    expect(await askTerminal('?', /c/, terminal, 1)).toBe('');
    expect(deeds).toEqual([true, '?', false]);
  });
});
