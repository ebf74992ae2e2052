// `sightline ask`: one question, answered on stdout; what the model does on the way goes to stderr.
import { attach } from '../../agent/attach.ts';
import { namedFiles } from '../../agent/mentions.ts';
import type { Attachment } from '../../agent/mentions.ts';
import { runAgent } from '../../agent/run.ts';
import { grouped } from '../../content/figures.ts';
import { isMedia } from '../../content/block.ts';
import type { Attached } from '../../message/attached.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { progressWords } from '../../media/context.ts';
import type { Progress } from '../../media/context.ts';
import { damageLines } from '../../session/reader.ts';
import { activity } from '../../tui/activity.ts';
import { hiddenDeltas } from '../../tui/hidden-deltas.ts';
import type { Effort } from '../../window/rules.ts';
import { adviceFor, inAsk } from '../advice.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed, interrupted, wrongUsage } from '../exit.ts';
import { modelsFor } from '../continued.ts';
import { ownLimits } from '../limits.ts';
import { checkHasKey, checkModels } from '../model.ts';
import type { ToldRefusal } from '../refusal.ts';
import { asRefused, tellNext, tellRefusal } from '../refusal.ts';
import { nameOf, sourceOf } from '../source.ts';
import { alive, busy, sayLine, styled, tell } from '../terminal.ts';
import { openWorkspace } from '../workspace.ts';
import { tellAttached } from './attached.ts';
import { answerOnly, eventLine, forPeople } from './report.ts';

type AskArguments = {
  models: string[];
  files: string[];
  tools?: string;
  system?: string;
  session?: string;
  maxSteps?: number;
  maxCost?: number;
  citations?: true;
  json?: true;
  quiet?: true;
  allowHost?: string[];
  thinking?: Effort;
  uploads?: true;
};

export async function askCommand(words: string, options: AskArguments): Promise<ExitCode> {
  const piped = await pipedIn(options.files);
  if (!piped.ok) return refused(piped.refusal, options);
  const { files: named, notices: unnamed } = namedFiles(words);
  const files: Attachment[] = [
    ...options.files.map((path) => ({ source: sourceOf(path), name: nameOf(path) })),
    ...named,
    ...piped.value,
  ];
  if (words.trim() === '' && files.length === 0) {
    tell(styled('red', 'error: '), 'there is no question. Write it after the command.');
    tell('Try: sightline ask "what does @chart.png show?"');
    return wrongUsage;
  }
  for (const text of unnamed) tell(styled('yellow', text));
  try {
    const models = await modelsFor(options);
    if (models === undefined) return failed;
    checkModels(models);
    checkHasKey(models);
    return await answered(words, files, { ...options, models });
  } catch (error) {
    return refused(asRefused(error), options);
  }
}

async function answered(words: string, files: readonly Attachment[], options: AskArguments): Promise<ExitCode> {
  const { models, system, maxSteps, maxCost, thinking, citations = false } = options;
  const limits = ownLimits();
  const doing = activity();
  await using workspace = await openWorkspace({
    tools: options.tools ?? 'look',
    session: options.session,
    allowHosts: options.allowHost,
    uploads: options.uploads,
    notify: tell,
    onUpload: doing.far,
  });
  const session = await workspace.session(models[0]);
  const notices = options.session === undefined ? [] : await damageLines(session);
  const notice = (text: string): void => void notices.push(text);
  const hasTool = async (name: string): Promise<boolean> =>
    ((await workspace.agent(models)).tools ?? []).some((tool) => tool.name === name);
  doing.begin(files.length === 0 ? 'reading' : `reading ${files.map(({ name }) => name).join(', ')}`);
  const onProgress = (told: Progress): void => doing.far(progressWords(told));
  const quiet = alive(doing.words);
  const asked = { assets: session.assets, limits, notice, hasTool, onProgress };
  const content = await attach(words, files, asked).finally(quiet);
  for (const text of notices) tell(styled('yellow', text));
  if (!content.ok) return refused(content.refusal, options);
  const agent = await busy('getting the tools ready', workspace.agent(models));
  const stop = new AbortController();
  // Until here an interrupt ends the program. The first one from now on ends the run and keeps what was said, the second ends the program.
  process.once('SIGINT', () => stop.abort());
  const run = runAgent({
    ...agent,
    ...(system !== undefined && { system }),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(maxCost !== undefined && { maxCost }),
    ...(citations && { citations }),
    ...(thinking !== undefined && { thinking }),
    session,
    prompt: content.value,
    resume: true,
    signal: stop.signal,
  });
  const report = options.json
    ? eventLine
    : options.quiet
      ? answerOnly(citations)
      : forPeople(process.stdout.isTTY, citations, workspace.keeps);
  const silent = alive(doing.words);
  const given: Attached[] = [];
  for await (const event of hiddenDeltas(run)) {
    if (event.type === 'message-added' && event.message.role === 'assistant')
      given.push(...event.message.content.filter(isMedia));
    doing.event(event);
    report(event);
  }
  silent();
  const { stop: how, error, attachments } = await run.result();
  if (!options.json && !options.quiet) await tellAttached([...given, ...attachments], session.assets);
  const next = error && adviceFor(error, models.at(-1) ?? '', inAsk);
  if (next !== undefined) tellNext(next);
  if (how === 'aborted') return interrupted;
  return how === 'end' ? done : failed;
}

function refused(refusal: ToldRefusal, { json }: AskArguments): ExitCode {
  const next = refusal.next.replace('read some of its lines with offset and limit', 'attach that with -f');
  if (json) sayLine(JSON.stringify({ type: 'refused', refusal: { ...refusal, next } }), true);
  else tellRefusal({ ...refusal, next });
  return failed;
}

const mostPiped = 64 * 1024 * 1024;

/** What a pipe brings: a picture, a document, or text. A terminal brings nothing. */
async function pipedIn(files: readonly string[]): Promise<Read<Attachment[]>> {
  if (process.stdin.isTTY || files.includes('-')) return { ok: true, value: [] };
  const chunks: Buffer[] = [];
  let size = 0;
  const taken = async (): Promise<boolean> => {
    for await (const chunk of process.stdin) {
      size += (chunk as Buffer).length;
      if (size > mostPiped) return false;
      chunks.push(chunk as Buffer);
    }
    return true;
  };
  if (!(await busy('waiting for stdin', taken())))
    return refuse(
      'too-large',
      'What the pipe brings is too large',
      'Name a file with -f.',
      `${grouped(mostPiped)} bytes`,
    );
  return { ok: true, value: size === 0 ? [] : [{ source: Buffer.concat(chunks), name: 'stdin' }] };
}
