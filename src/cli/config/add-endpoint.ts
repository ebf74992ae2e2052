// `sightline config add-endpoint`: a server of one's own in three questions. It is tried with a real picture before it is
// written down, so that what stands in config.toml works.
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { readSettings } from '../../config/config.ts';
import { ownEnvironment } from '../../config/environment.ts';
import { homeFolder } from '../../config/home.ts';
import { addModelTable } from '../../config/write.ts';
import { SightlineError } from '../../content/refusal.ts';
import { discover } from '../../model/discover/discover.ts';
import { isEndpoint } from '../../window/catalog.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { tryPicture } from '../live.ts';
import type { LiveTrial } from '../live.ts';
import { asRefused, tellRefusal } from '../refusal.ts';
import { busy, say, styled, tell, tellPart } from '../terminal.ts';

type Server = { baseUrl: string; variable?: string; name: string };

type ServerModels = { baseUrl: string; models: string[] };

const endpoint = 'compatible';

export async function addEndpoint(): Promise<ExitCode> {
  const answers = questions();
  try {
    const server = await asked(answers.ask);
    const { baseUrl, models } = await busy(`asking ${server.baseUrl} for its models`, found(server));
    const [first = await needed(answers.ask, 'It lists no models. The name of one: ')] = models;
    const { variable, name } = server;
    const key = variable === undefined ? undefined : ownEnvironment()[variable];
    const choice = { model: `${endpoint}/${first}`, baseUrl, ...(key !== undefined && { key }) };
    const trial = await busy(`showing ${first} a picture`, tryPicture(choice));
    if (trial.seen === undefined) throw unanswered(first, trial);
    const file = join(homeFolder(), 'config.toml');
    const seen = { ...server, model: choice.model, baseUrl, vision: trial.seen };
    addModelTable(file, seen);
    tellAdded(name, first, models.length, trial.seen);
    tell(styled('dim', `Written to ${file}.`));
    return done;
  } catch (error) {
    tellRefusal(asRefused(error));
    return failed;
  } finally {
    answers.close();
  }
}

function tellAdded(name: string, model: string, count: number, seen: boolean): void {
  say(
    styled('green', '✓ '),
    `${model} answers${seen ? ' and sees pictures' : ', and does not see pictures: they go to it as words'}.`,
  );
  if (count > 1) tell(`It has ${count} models: "sightline models" lists them, -m ${name}/MODEL asks another.`);
  tell(`Ask it: sightline ask -m ${name} "hello"`);
  if (readSettings().model === undefined) tell(`Make it the default: sightline models default ${name}`);
}

function unanswered(model: string, { error = '' }: LiveTrial): SightlineError {
  return new SightlineError(
    'config',
    `${model} gave no answer: ${error.replace(/\.$/, '')}. Nothing was written; check the address and the key, and try again.`,
  );
}

async function asked(ask: Ask): Promise<Server> {
  const address = await needed(ask, 'Address of the server, such as http://localhost:8000/v1: ');
  const url = URL.parse(/^\w+:\/\//.test(address) ? address : `http://${address}`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new SightlineError('input', `"${address}" is no address. Write one such as http://localhost:8000/v1.`);
  const variable = await ask('Variable that holds its key (nothing when it needs none): ');
  if (variable !== '' && !/^[A-Za-z_]\w*$/.test(variable))
    throw new SightlineError(
      'input',
      'That is no name of a variable. Keys stay in the environment: export one, such as LAB_KEY, and name it here.',
    );
  if (variable !== '' && !ownEnvironment()[variable])
    throw new SightlineError('input', `${variable} is not set here. Set it first: export ${variable}=…`);
  const usual = usualName(url);
  const name = (await ask(`Name for it [${usual}]: `)) || usual;
  checkName(name);
  return { baseUrl: url.href.replace(/\/$/, ''), name, ...(variable !== '' && { variable }) };
}

function usualName({ hostname }: URL): string {
  const isNumber = /^[\d.[\]:]+$/.test(hostname);
  return isNumber || hostname === 'localhost' ? 'local' : (hostname.split('.').at(-2) ?? 'own').replaceAll(/\W/g, '-');
}

function checkName(name: string): void {
  if (!/^[\w-]+$/.test(name)) throw new SightlineError('input', `"${name}" is no name. Use letters, digits, - and _.`);
  if (isEndpoint(name)) throw new SightlineError('input', `"${name}" is the name of an endpoint. Give it another one.`);
  if (Object.hasOwn(readSettings().models, name))
    throw new SightlineError(
      'input',
      `There is a model "${name}" already. Give this one another name, or change [models.${name}] in config.toml.`,
    );
}

/** People give the address of a server with and without the part of its path that never changes. */
async function found({ baseUrl, variable }: Server): Promise<ServerModels> {
  const key = variable === undefined ? undefined : ownEnvironment()[variable];
  const places = new URL(baseUrl).pathname === '/' ? [`${baseUrl}/v1`, baseUrl] : [baseUrl];
  for (const place of places) {
    const listed = await discover(endpoint, { baseUrl: place, refresh: true, ...(key !== undefined && { key }) });
    if (listed.ok && listed.value.length > 0) return { baseUrl: place, models: listed.value.map(({ id }) => id) };
  }
  return { baseUrl: places[0] ?? baseUrl, models: [] };
}

type Ask = (question: string) => Promise<string>;

async function needed(ask: Ask, question: string): Promise<string> {
  const answer = await ask(question);
  if (answer === '')
    throw new SightlineError('input', 'Nothing was answered. Begin again: sightline config add-endpoint');
  return answer;
}

/** Questions beside the result; the answers come line by line, from a person or a pipe. */
function questions(): { ask: Ask; close: () => void } {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const answers = lines[Symbol.asyncIterator]();
  return {
    ask: async (question) => {
      tellPart(question);
      const { value, done: over } = await answers.next();
      if (!process.stdin.isTTY) tellPart('\n');
      return over ? '' : value.trim();
    },
    close: () => lines.close(),
  };
}
