// `sightline demo`: two tools return a picture and a PDF; a table shows how each of seven models gets them, and one
// real excerpt shows the trick. No key, no network; every cell comes from a receipt.
import { byteText, grouped } from '../../content/figures.ts';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { TranscriptInput } from '../../message/message.ts';
import { prepare } from '../../model/prepare.ts';
import type { Prepared } from '../../model/prepared.ts';
import { findProgram } from '../../toolbox/executable/command.ts';
import type { ExitCode } from '../exit.ts';
import { done } from '../exit.ts';
import type { Form } from '../form.ts';
import { formsOf } from '../form.ts';
import { tableLines, wrapped } from '../table.ts';
import { say, sayJson, screenWidth, styled } from '../terminal.ts';
import { converse, demoFiles, transcriptFile } from './conversation.ts';
import { excerptLines } from './excerpt.ts';

const models = [
  'anthropic/claude-sonnet-5',
  'openai/gpt-5.2',
  'openai-chat/gpt-4.1',
  'gemini/gemini-2.5-pro',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
  'ollama/llama3.1',
] as const;

const explained = 'openai-chat/gpt-4.1';

type Row = { model: string; wire: string; picture: Form; pdf: Form; tokens: number; requestBytes: number };

export async function demoCommand({ json, save }: { json?: boolean; save?: string }): Promise<ExitCode> {
  const transcript = await converse();
  if (save !== undefined) await saveFiles(save, transcript);
  // Reading words off the picture for the one that cannot see would take longer than all the rest.
  const requests = await Promise.all(models.map((model) => prepare(transcript, { model, readPictures: false })));
  const rows = requests.flatMap((request, at) => rowOf(models[at] ?? '', request));
  if (json) sayJson({ tools: transcript.tools?.map(({ name }) => name), models: rows });
  else await show(rows, await prepare(transcript, { model: explained }), save);
  return done;
}

function rowOf(model: string, { wire, receipts, contentLength }: Prepared): Row[] {
  const media = receipts.filter(({ asset }) => asset !== undefined);
  const [picture, pdf] = media.flatMap((receipt) => formsOf([receipt]));
  if (!picture || !pdf) return [];
  return [{ model, wire, picture, pdf, tokens: picture.tokens + pdf.tokens, requestBytes: contentLength }];
}

async function show(rows: readonly Row[], chat: Prepared<'openai-chat'>, save: string | undefined): Promise<void> {
  say(styled('bold', 'Sightline: every model sees what your tools see.'));
  say('');
  sayProse(
    'Two tools just ran: draw_chart returned a picture, open_report a PDF. On many APIs such results get lost, are ' +
      'refused, or are read as base64 text. Sightline gives each model the best form that it really takes:',
  );
  say('');
  const [head = '', ...lines] = tableLines(columns, rows.map(cellsOf));
  say(styled('dim', head));
  for (const line of lines) say(line);
  say('');
  sayProse(
    `On ${explained} a tool's answer can hold text only. So the picture and the PDF follow in one message, ` +
      'labelled with the call they belong to:',
  );
  say('');
  for (const line of await excerptOf(chat)) say(line.includes('from tool ') ? line : styled('dim', line));
  say('');
  showNext(save);
}

/** No wider than people read well. */
function pageWidth(): number {
  return Math.min(80, screenWidth(process.stdout));
}

function sayProse(text: string): void {
  for (const line of wrapped(text, 0, pageWidth())) say(line);
}

const columns = [
  { title: 'model', keepsEnd: true },
  { title: 'picture' },
  { title: 'PDF' },
  { title: 'tokens', right: true, spare: 1 },
  { title: 'bytes', right: true, spare: 2 },
];

function cellsOf({ model, picture, pdf, tokens, requestBytes }: Row): string[] {
  return [model, cellOf(picture), cellOf(pdf), grouped(tokens), byteText(requestBytes)];
}

/** Where it went; and as what, when not as itself. */
function cellOf({ where, as }: Form): string {
  if (as === 'words only') return 'in words';
  if (as === 'picture' || as === 'PDF') return where === 'after' ? 'after results' : 'in result';
  const form = as === 'page pictures' ? 'images' : as;
  return where === 'after' ? `after, as ${form}` : `in result, as ${form}`;
}

/** The tool messages and the message after them, as they will be sent. */
async function excerptOf(chat: Prepared<'openai-chat'>): Promise<string[]> {
  const { messages } = await chat.outline();
  const shown = messages.slice(messages.findIndex(({ role }) => role === 'tool'));
  return shown.flatMap((message, at) => excerptLines(message, pageWidth(), at < shown.length - 1 ? ',' : ''));
}

function showNext(save: string | undefined): void {
  const folder = save ?? 'demo';
  say(save === undefined ? 'Try it with these files, or with your own:' : `Saved in ${folder}. Try:`);
  const commands = [
    ...(save === undefined ? [`demo --save ${folder}`] : []),
    `read ${join(folder, 'report.pdf')} -m ollama/llama3.1,gemini/gemini-2.5-pro`,
    `wire ${join(folder, 'transcript.json')} -m anthropic/claude-sonnet-5`,
    'inspect --demo',
  ];
  const program = isOnPath(process.env['PATH'] ?? '') ? 'sightline' : 'npx sightline';
  for (const command of commands) say('  ', styled('cyan', `${program} ${command}`));
}

/** Whether a shell finds the program by its name; npm and npx put folders of a project first that a shell does not know. */
function isOnPath(path: string): boolean {
  const folders = path.split(delimiter).filter((folder) => !folder.endsWith(join('node_modules', '.bin')));
  return findProgram('sightline', folders.join(delimiter)) !== undefined;
}

async function saveFiles(folder: string, transcript: TranscriptInput): Promise<void> {
  const { chart, report } = demoFiles();
  if (!existsSync(folder)) await mkdir(folder);
  await writeFile(join(folder, 'chart.png'), chart);
  await writeFile(join(folder, 'report.pdf'), report);
  await writeFile(join(folder, 'transcript.json'), `${JSON.stringify(transcriptFile(transcript), null, 2)}\n`);
}
