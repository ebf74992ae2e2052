// The picture of `docs/architecture.md`: every folder of `src/`, in the order in which they may import each other.
import { readdirSync } from 'node:fs';

type Stage = { name: string; does: string };

/** Without a file, a network, a clock or a dependency. */
const pure: Stage[] = [
  { name: 'content', does: 'blocks, words, refusals' },
  { name: 'tool', does: 'what tools return' },
  { name: 'message', does: 'calls and results paired' },
  { name: 'window', does: 'every decision: the plan' },
  { name: 'wire', does: 'the dialects' },
  { name: 'record', does: 'what was sent, as deltas' },
  { name: 'page', does: 'how it is drawn' },
];

const edges: Stage[] = [
  { name: 'config', does: 'settings, environment' },
  { name: 'asset', does: 'bytes by their hash' },
  { name: 'media', does: 'files to checked blocks' },
  { name: 'toolbox', does: 'tools that come with it' },
  { name: 'model', does: 'sends, hears, heals' },
  { name: 'session', does: 'what is kept' },
  { name: 'agent', does: 'the loop' },
];

const doors: Stage[] = [
  { name: 'fetch', does: 'under an SDK' },
  { name: 'ai-sdk', does: 'inside the AI SDK' },
  { name: 'mcp', does: 'servers and clients' },
  { name: 'gateway', does: 'any client, any model' },
  { name: 'inspect', does: 'what a model saw' },
  { name: 'tui', does: 'the chat' },
  { name: 'cli', does: 'the program' },
];

/** The folders of `src/` in the order in which they may import each other; the first `pureStages` are pure. */
export const stages: readonly string[] = [...pure, ...edges, ...doors].map(({ name }) => name);
export const pureStages: number = pure.length;

/** The page of the inspector runs in a browser and stands beside the order. */
const beside = ['web'];

const [wide, high, gap, left] = [150, 54, 14, 20] as const;

function row(list: readonly Stage[], top: number, kind: string, title: string): string {
  const boxes = list.map(({ name, does }, at) => {
    const x = left + at * (wide + gap);
    const arrow =
      at === 0 ? '' : `<path class="arrow" d="M${x - gap + 1} ${top + high / 2}h${gap - 4}m-4 -4l4 4l-4 4"/>`;
    const middle = x + wide / 2;
    return `${arrow}<rect class="${kind}" x="${x}" y="${top}" width="${wide}" height="${high}" rx="8"/><text class="name" x="${middle}" y="${top + 23}">${name}</text><text class="does" x="${middle}" y="${top + 42}">${does}</text>`;
  });
  return `<text class="title" x="${left}" y="${top - 12}">${title}</text>${boxes.join('')}`;
}

/** Draws the stages; throws when a folder of `src/` has no box or a box no folder. */
export function stagePicture(): string {
  const folders = readdirSync('src', { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [each.name] : [],
  );
  const odd = [...folders, ...stages, ...beside].filter(
    (name) => ![...stages, ...beside].includes(name) || !folders.includes(name),
  );
  if (odd.length > 0)
    throw new Error(`scripts/docs/stages.ts: ${odd.join(', ')} is drawn and not there, or there and not drawn.`);
  const width = left * 2 + pure.length * wide + (pure.length - 1) * gap;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 356" role="img" aria-label="The stages of Sightline: pure ones, those with a machine under them, and the doors">
<style>
text{font-family:ui-sans-serif,system-ui,sans-serif;text-anchor:middle;fill:#1d2430}
.title{text-anchor:start;font-size:14px;fill:#57606a}.name{font-size:17px;font-weight:600}.does{font-size:11.5px;fill:#57606a}
rect{stroke:#8b949e;stroke-width:1}.pure{fill:#e7f3ec}.edge{fill:#eef1f8}.door{fill:#fbf1e3}
.arrow{stroke:#8b949e;stroke-width:1.5;fill:none}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.title,.does{fill:#9aa5b1}rect{stroke:#57606a}.pure{fill:#17301f}.edge{fill:#1b2236}.door{fill:#33270f}}
</style>
${row(pure, 40, 'pure', 'pure: no file, no network, no clock, no dependency')}
${row(edges, 156, 'edge', 'with a machine under them')}
${row(doors, 272, 'door', 'doors')}
</svg>
`;
}
