// `sightline doctor`: which features are on here, and for each that is not, what to do. Only damage is a failure.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { noSettings, readSettings } from '../../config/config.ts';
import { homeFolder } from '../../config/home.ts';
import { hasPart, howToBring, partNames, parts } from '../../config/parts.ts';
import type { Settings } from '../../config/config.ts';
import { accessOf, keyVariables } from '../../config/environment.ts';
import { refusalText } from '../../content/refusal.ts';
import { read } from '../../media/index.ts';
import { discover } from '../../model/discover/discover.ts';
import { examineDatabase } from '../../session/repair/doctor.ts';
import { unwritable } from '../../session/store.ts';
import { canDriveBrowser, findBrowser } from '../../toolbox/browser/launch.ts';
import { isTrusted } from '../../toolbox/executable/place.ts';
import { executableTools } from '../../toolbox/executable/tools.ts';
import { endpoints, localServer } from '../../window/catalog.ts';
import type { EndpointName } from '../../window/catalog.ts';
import { drawingHere } from '../drawing.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { ownLimits } from '../limits.ts';
import { asRefused } from '../refusal.ts';
import { busy, hasColour, sayJson } from '../terminal.ts';
import { sayFinding } from './finding.ts';
import type { Finding } from './finding.ts';

export async function doctorCommand({ json }: { json?: true }): Promise<ExitCode> {
  const home = homeFolder();
  const { settings, finding } = settingsFound();
  const looks: Record<string, Promise<Finding | Finding[]>> = {
    decoders: decoders(),
    parts: heavyParts(),
    browser: browser(),
    terminal: graphics(),
    models: providers(),
    'your tools': tools(home, settings),
    'MCP servers': servers(home, settings),
    home: health(home),
  };
  const waiting = new Set(Object.keys(looks));
  const looking = Object.entries(looks).map(([what, look]) => look.finally(() => waiting.delete(what)));
  const findings = await busy(() => `looking at ${[...waiting].join(', ')}`, Promise.all(looking));
  const all = [finding, ...findings.flat()];
  if (json) sayJson(all);
  else all.forEach(sayFinding);
  return all.some(({ state }) => state === 'broken') ? failed : done;
}

/** The smallest of each kind, really read. */
async function decoders(): Promise<Finding[]> {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  const page =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
  const samples: [part: string, bytes: Buffer][] = [
    ['pictures', Buffer.from(dot, 'base64')],
    ['PDF', Buffer.from(page)],
  ];
  return await Promise.all(
    samples.map(async ([part, bytes]): Promise<Finding> => {
      const reading = await read(bytes, { name: `sample ${part}` });
      if (reading.ok) return { part, state: 'on', says: 'can be decoded' };
      return {
        part,
        state: 'broken',
        says: refusalText(reading.refusal),
        next: 'Install again: npm ci, or npm install sightline.',
      };
    }),
  );
}

/** What is brought when somebody needs it. Of a browser there is more to say, and that is said elsewhere. */
async function heavyParts(): Promise<Finding[]> {
  return partNames
    .filter((name) => name !== 'browser')
    .map((part): Finding => {
      const says = parts[part].gives;
      return hasPart(part) ? { part, state: 'on', says } : { part, state: 'off', says, next: howToBring(part) };
    });
}

async function browser(): Promise<Finding> {
  const found = findBrowser();
  if (found !== undefined && canDriveBrowser()) return { part: 'browser', state: 'on', says: found };
  if (found !== undefined) {
    const says = `${found} is there, but the package that drives it is not; pages cannot be shown`;
    return { part: 'browser', state: 'off', says, next: howToBring('browser') };
  }
  const next = 'Install Chromium or Chrome, or set SIGHTLINE_BROWSER to its program.';
  return { part: 'browser', state: 'off', says: 'no Chromium found; pages cannot be shown', next };
}

async function graphics(): Promise<Finding> {
  const { graphics: kind } = await drawingHere();
  if (kind !== 'none') return { part: 'terminal', state: 'on', says: `pictures are drawn by ${kind}` };
  const colour = hasColour(process.stdout, process.env) ? '' : ', without colour';
  const next =
    'Use Kitty, Ghostty, WezTerm, iTerm2 or foot, or set COLORTERM=truecolor; SIGHTLINE_GRAPHICS chooses how.';
  return { part: 'terminal', state: 'off', says: `pictures are described in words${colour}`, next };
}

/** Settings that cannot be understood are told, and the rest is looked at without them. */
function settingsFound(): { settings: Settings; finding: Finding } {
  const part = 'config';
  try {
    const settings = readSettings();
    ownLimits();
    const own = Object.keys(settings.models).length;
    const standing = settings.model === undefined ? 'no default model' : `default model ${settings.model}`;
    const isSet = settings.model !== undefined || own > 0;
    const next = isSet ? {} : { next: 'sightline models default <model>' };
    return {
      settings,
      finding: {
        part,
        state: isSet ? 'on' : 'off',
        says: own === 0 ? standing : `${standing}, ${own} of your own names`,
        ...next,
      },
    };
  } catch (error) {
    const { what: says, next } = asRefused(error);
    return { settings: noSettings(), finding: { part, state: 'broken', says, next } };
  }
}

const patienceMs = 4000;

/** Who has a key is asked; a local server is asked in any case. */
async function providers(): Promise<Finding[]> {
  const names = (Object.keys(endpoints) as EndpointName[]).filter(
    (name) => name === endpoints[name].name && (name === localServer || accessOf(name).key !== undefined),
  );
  const found = await Promise.all(
    names.map(async (name): Promise<Finding> => {
      const models = await discover(name, { signal: AbortSignal.timeout(patienceMs), refresh: true });
      if (models.ok) {
        const { length } = models.value;
        return { part: name, state: 'on', says: length === 1 ? '1 model' : `${length} models` };
      }
      const { what, next } = models.refusal;
      return { part: name, state: name === localServer ? 'off' : 'broken', says: what, next };
    }),
  );
  if (found.some(({ part }) => part !== localServer)) return found;
  const next = `Set ${['anthropic', 'openai', 'gemini'].map((name) => keyVariables(name)[0]).join(', ')} or another.`;
  return [...found, { part: 'vendors', state: 'off', says: 'no key of a vendor', next }];
}

async function tools(home: string, settings: Settings): Promise<Finding[]> {
  const { states } = await executableTools({ home, project: process.cwd(), settings: settings.tools });
  if (states.length === 0) {
    const says = `none in ${join(home, 'tools')}`;
    return [{ part: 'your tools', state: 'off', says, next: 'sightline tools new shot --lang py' }];
  }
  return states.map(({ name, state, why, next }): Finding => {
    const fine = state === 'ready' || state === 'off' || state === 'shadowed';
    const says = `${name}: ${state}${why === undefined ? '' : `, ${why}`}`;
    return {
      part: 'your tools',
      state: fine ? 'on' : state === 'untrusted' ? 'off' : 'broken',
      says,
      ...(next && { next }),
    };
  });
}

async function servers(home: string, { mcp }: Settings): Promise<Finding[]> {
  if (Object.keys(mcp).length === 0) return [{ part: 'MCP', state: 'off', says: 'no servers in the configuration' }];
  const { connectServers } = await import('../../mcp/client.ts');
  await using connected = await connectServers(mcp, {
    trusts: (project) => isTrusted(home, project),
    logins: join(home, 'mcp'),
  });
  return connected.states.map(({ name, state, tools: offered, problem }): Finding => {
    const says = problem === undefined ? `${name}: ${offered.length} tools` : `${name}: ${problem}`;
    return { part: 'MCP', state: state === 'ready' ? 'on' : state === 'untrusted' ? 'off' : 'broken', says };
  });
}

async function health(home: string): Promise<Finding> {
  const part = 'home';
  const says = unwritable(home);
  if (says !== undefined) {
    const next = 'Until then nothing is kept. Change the rights there, or set SIGHTLINE_HOME to a folder of yours.';
    return { part, state: 'broken', says, next };
  }
  if (!existsSync(home)) return { part, state: 'on', says: `${home} will be made when it is needed` };
  const [problem, ...more] = examineDatabase(home);
  if (!problem) return { part, state: 'on', says: `${home} is sound` };
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return { part, state: 'broken', says: `${problem.what}${others}`, next: 'sightline sessions doctor --repair' };
}
