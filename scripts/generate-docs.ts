// Writes the parts of the documents that are made from the code: the tables from the catalog and the limits, the
// snippets from the examples. `--check` changes nothing and fails when a document is out of date.
// A part stands between `<!-- name argument -->` and `<!-- end -->`.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import type { MediaKind } from '../src/content/block.ts';
import { limits } from '../src/media/limits.ts';
import { shippedTools } from '../src/toolbox/shipped.ts';
import { catalogDate, endpoints } from '../src/window/catalog.ts';
import { capabilitiesOf, profileFor } from '../src/window/profile.ts';
import type { Placement, Profile } from '../src/window/profile.ts';

const models = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.2',
  'openai-chat/gpt-4.1',
  'azure/my-deployment',
  'azure-chat/my-deployment',
  'gemini/gemini-3-pro-preview',
  'gemini/gemini-2.5-pro',
  'ollama/qwen3-vl',
  'ollama/llava',
  'ollama/llama3.1',
  'compatible/some-model',
];

const placed: Record<Placement, string> = {
  inside: 'inside the result',
  after: 'after the results',
  words: 'as words',
};

/** Where a medium goes; a PDF that cannot go as itself goes as page pictures where the model sees, else as text. */
function whereTo(profile: Profile, kind: MediaKind): string {
  const { result } = profile.media[kind];
  if (kind !== 'document' || result !== 'words') return placed[result];
  const image = profile.media.image.result;
  return image === 'words' ? 'as its text' : `page pictures, ${placed[image]}`;
}

function placementTable(): string {
  const rows = models.map((model) => {
    const profile = profileFor(model);
    const cells = (['image', 'document', 'audio', 'video'] as const).map((kind) => whereTo(profile, kind));
    return `| \`${model}\` | ${cells.join(' | ')} |`;
  });
  return ['| model | picture | PDF | audio | video |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function endpointTable(): string {
  const rows = Object.entries(endpoints).map(([name, row]) => {
    const assumed = row.assume === undefined ? '' : `, planned as ${row.assume} unless you say otherwise`;
    return `| \`${name}/…\` | ${row.wire}${assumed} |`;
  });
  return ['| prefix | wire |', '| --- | --- |', ...rows].join('\n');
}

const mark = (on: boolean): string => (on ? 'yes' : 'no');

function capabilityTable(): string {
  const rows = models.map((model) => {
    const profile = profileFor(model);
    const { vision, nativePdf, thinking, audioInput, videoInput, toolMedia } = capabilitiesOf(profile);
    const cells = [vision, toolMedia, nativePdf, audioInput, videoInput, thinking].map(mark);
    const window = profile.contextTokens.toLocaleString('en-US');
    return `| \`${model}\` | ${cells.join(' | ')} | ${window} |`;
  });
  const head = '| model | sees | media in results | PDF | audio | video | thinks | window |';
  return [head, '| --- | --- | --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function limitTable(): string {
  const rows = Object.entries(limits).map(([name, value]) => `| \`${name}\` | ${value.toLocaleString('en-US')} |`);
  return ['| limit | default |', '| --- | --- |', ...rows].join('\n');
}

/** Every shipped tool, with the arguments it must have first. */
function toolTable(): string {
  const rows = shippedTools({ roots: [] }).list.map(({ tool, group, reach }) => {
    const required = (tool.inputSchema['required'] ?? []) as string[];
    const names = Object.keys(tool.inputSchema['properties'] ?? {});
    const optional = names.filter((name) => !required.includes(name));
    const given = [...required.map((name) => `**${name}**`), ...optional].join(', ');
    return `| \`${tool.name}\` | ${group} | ${reach} | ${given} | ${tool.description.replaceAll('|', '\\|')} |`;
  });
  const head = '| tool | group | what it does to the world | arguments | what the model is told |';
  return [head, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function snippet(file: string): string {
  const language = file.split('.').at(-1) ?? '';
  return `\`\`\`${language}\n${readFileSync(`examples/${file}`, 'utf8').trim()}\n\`\`\``;
}

const parts: Record<string, (argument: string) => string> = {
  placements: placementTable,
  endpoints: endpointTable,
  capabilities: capabilityTable,
  limits: limitTable,
  tools: toolTable,
  date: () => `Facts as of ${catalogDate}.`,
  example: snippet,
};

const checking = process.argv.includes('--check');
const stale: string[] = [];
for (const file of ['README.md', ...globSync('docs/*.md')]) {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(
    /<!-- (\w+) ?(\S*) -->\n[\s\S]*?<!-- end -->/g,
    (whole, name: string, argument: string) => {
      const make = parts[name];
      return make ? `<!-- ${name}${argument && ` ${argument}`} -->\n${make(argument)}\n<!-- end -->` : whole;
    },
  );
  if (after === before) continue;
  stale.push(file);
  if (!checking) writeFileSync(file, after);
}
if (checking && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run \`npm run docs\`.`);
  process.exitCode = 1;
}
