// The only file that writes to the terminal. Text comes in, and whatever in it could steer a terminal goes out as
// visible signs, secrets of this process as `[key]`. Results go to stdout, words for people to stderr.
import { forgetSecrets, hide, hidingStream } from '../config/secrets.ts';
import { visible, visibleJson, visibleLine } from '../content/visible.ts';

export { visible, visibleJson, visibleLine };

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Text, or text with a style; only this file knows how a style is written. */
export type Span = string | { text: string; style: Style };

const codes: Record<Style, [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

type Screen = { isTTY?: boolean };

/** Colour only where a person looks and has not asked for none. */
export function hasColour(screen: Screen, environment: NodeJS.ProcessEnv): boolean {
  return screen.isTTY === true && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
}

/** How many columns a person sees; a pipe has no end. */
export function screenWidth({ isTTY, columns }: Screen & { columns?: number }): number {
  return isTTY === true && columns ? columns : Infinity;
}

export function styled(style: Style, text: string): Span {
  return { text, style };
}

/** Spans as they are written: text made safe first, styles around it afterwards. */
export function paint(spans: readonly Span[], colour: boolean): string {
  return spans
    .map((span) => {
      if (typeof span === 'string') return visible(span);
      const [on, off] = codes[span.style];
      return colour ? `\u001B[${on}m${visible(span.text)}\u001B[${off}m` : visible(span.text);
    })
    .join('');
}

/** Whether the command has a result so far, and the words that stood beside it. */
let hasResult = false;
let told: { text: string; isFailure: boolean }[] = [];

/** A command begins. */
export function beginOutput(): void {
  hasResult = false;
  told = [];
  forgetSecrets();
}

function write(text: string): void {
  hasResult = true;
  wipe();
  process.stdout.write(hide(text));
  if (process.stdout.isTTY) note(text);
}

function writeBeside(text: string): void {
  wipe();
  process.stderr.write(hide(text));
  if (process.stderr.isTTY) note(text);
}

/** The line about what goes on as it stands there, since when nothing else was said, and whether a line of that is open. */
const live = { shown: '', quietSince: 0, inLine: false };

function note(text: string): void {
  if (text === '') return;
  live.quietSince = Date.now();
  live.inLine = !text.endsWith('\n');
}

/** Whatever is said takes the place of the line about what goes on. */
function wipe(): void {
  if (live.shown !== '') process.stderr.write('\r\u001B[K');
  live.shown = '';
}

const [quietMs, tickMs] = [1000, 250];

/** Where a second passes without a word, a terminal is told what goes on, in one line that goes away. Ends when called. */
export function alive(words: () => string | undefined): () => void {
  if (!process.stderr.isTTY || process.env['TERM'] === 'dumb') return () => undefined;
  live.quietSince = Date.now();
  const tick = setInterval(() => {
    if (live.inLine || Date.now() - live.quietSince < quietMs) return;
    const text = visibleLine(hide(words() ?? '')).slice(0, Math.max(1, screenWidth(process.stderr) - 1));
    if (text === live.shown) return;
    wipe();
    process.stderr.write(`\u001B[?7l${text}\u001B[?7h`); // what is too wide is cut, and begins no second line
    live.shown = text;
  }, tickMs);
  return () => {
    clearInterval(tick);
    wipe();
  };
}

type Heard = (data: Buffer | string) => void;
type Keyboard = {
  isTTY?: boolean;
  isRaw?: boolean;
  setRawMode: (raw: boolean) => unknown;
  on: (event: 'data', hear: Heard) => unknown;
  off: (event: 'data', hear: Heard) => unknown;
  pause: () => unknown;
};
type Terminal = { keys: Keyboard; screen: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> };

/** What the terminal itself answers to a question in its own language; it is not waited for longer than a person would. */
export async function askTerminal(
  question: string,
  whole: RegExp,
  { keys, screen }: Terminal = { keys: process.stdin, screen: process.stdout },
  patienceMs = 500,
): Promise<string> {
  if (!keys.isTTY || !screen.isTTY) return '';
  let answer = '';
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = (data: Buffer | string): void => {
    answer += String(data);
    if (whole.test(answer)) resolve();
  };
  const was = keys.isRaw;
  keys.setRawMode(true);
  keys.on('data', hear);
  // What has come while this process was busy is heard before it is called late: else the shell would take it as typed.
  const waited = setTimeout(() => setImmediate(resolve), patienceMs);
  wipe();
  screen.write(question);
  await promise;
  clearTimeout(waited);
  keys.off('data', hear);
  keys.pause();
  keys.setRawMode(was === true);
  return answer;
}

/** One line of the result. */
export function say(...spans: Span[]): void {
  write(`${paint(spans, hasColour(process.stdout, process.env))}\n`);
}

/** A part of the result, as it comes. */
export function sayPart(text: string): void {
  write(visible(text));
}

/** One line of JSON among many; only the last one makes them a whole result. */
export function sayLine(json: string, isLast: boolean): void {
  write(`${visibleJson(json)}\n`);
  hasResult = isLast;
}

/** One line for the person, beside the result. */
export function tell(...spans: Span[]): void {
  const isFailure = spans.some((span) => typeof span !== 'string' && span.style === 'red');
  told.push({ text: paint(spans, false), isFailure });
  warn(...spans);
}

/** The same about something beside the command, which a failure of it does not repeat. */
export function warn(...spans: Span[]): void {
  writeBeside(`${paint(spans, hasColour(process.stderr, process.env))}\n`);
}

/** A part of a line for the person, such as a question. */
export function tellPart(text: string): void {
  writeBeside(visible(text));
}

/** Lines that already are what a terminal takes, such as pictures; never text from outside. */
export function sayDrawn(lines: readonly string[]): void {
  write(`${lines.join('\n')}\n`);
}

/** Work that may take long: after a second a terminal is told what is being done and since when. */
export async function busy<Value>(what: string | (() => string), work: Promise<Value>): Promise<Value> {
  const start = Date.now();
  const end = alive(() => {
    const seconds = Math.round((Date.now() - start) / 1000);
    return `${typeof what === 'string' ? what : what()} … ${seconds} s`;
  });
  return await work.finally(end);
}

/** One JSON value as the whole result. */
export function sayJson(value: unknown): void {
  write(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
}

/** A program that asked for JSON gets it for a failure that had only words, too: as one value, or as the last line. What was
 * told before the failure is no part of it. */
export function sayFailure(code: 'usage' | 'failed', inLines: boolean): void {
  if (hasResult) return;
  const failure = told.slice(
    Math.max(
      0,
      told.findIndex(({ isFailure }) => isFailure),
    ),
  );
  const [first = '', ...others] = failure
    .map(({ text }) => text)
    .join('\n')
    .trim()
    .split('\n');
  const what = first.replace(/^(?:error|Failed|Refused): /, '');
  const next = others.join('\n').replace(/^ *Next: */, '') || 'Change it and try again.';
  const refusal = { code, what, next };
  if (inLines) sayLine(JSON.stringify({ type: 'refused', refusal }), true);
  else sayJson({ ok: false, refusal });
}

/** A JSON body as the whole result: exactly it but for secrets, which are told; on a terminal the same made safe to show. */
export async function sayBody(body: ReadableStream<Uint8Array>): Promise<void> {
  const { Readable } = await import('node:stream');
  const { pipeline } = await import('node:stream/promises');
  const onScreen = process.stdout.isTTY;
  hasResult = true;
  const hiding = hidingStream();
  const parts = async function* (): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    for await (const chunk of body) yield hiding.add(decoder.decode(chunk, { stream: true }));
    yield hiding.add(decoder.decode()) + hiding.end();
  };
  const shown = async function* (): AsyncGenerator<string> {
    for await (const part of parts()) yield visibleJson(part);
  };
  await pipeline(Readable.from(onScreen ? shown() : parts()), process.stdout, { end: false });
  if (onScreen) process.stdout.write('\n');
  if (hiding.found()) tell(styled('yellow', 'A key of yours stands in this body; here it is [key].'));
}

/** A reader that has seen enough closes the pipe: that is the end, and no error. */
export function quietWhenClosed(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    tell(
      styled('red', 'Failed: '),
      'the output could not be written',
      ...(error.code ? [` (${error.code})`] : []),
      '.',
    );
    process.exit(1);
  });
  process.stderr.on('error', () => undefined); // nobody is left to be told
}
