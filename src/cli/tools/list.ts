// `sightline tools list`: every tool, how it stands, and what to do about those that do not work.
import { shippedTools } from '../../toolbox/shipped.ts';
import type { ShippedTool } from '../../toolbox/shipped.ts';
import type { ToolState } from '../../toolbox/executable/discover.ts';
import { done } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { tableLines, wrapped } from '../table.ts';
import type { Style } from '../terminal.ts';
import { say, sayJson, screenWidth, styled, tell, visibleLine } from '../terminal.ts';
import { toolsHere } from './found.ts';

export async function listToolsCommand({ json, refresh }: { json?: true; refresh?: true }): Promise<ExitCode> {
  const { states } = await toolsHere({ ...(refresh && { refresh }) });
  const { list } = shippedTools({ roots: [process.cwd()] });
  if (json) {
    sayJson([
      ...states,
      ...list.map(({ tool: { name, description }, group, reach }) => ({
        name,
        source: 'shipped',
        state: 'ready',
        group,
        reach,
        description,
      })),
    ]);
    return done;
  }
  if (states.length > 0) show(states);
  else tell('No tools of your own yet. Make one that draws a picture: sightline tools new chart');
  say('');
  showShipped(list);
  return done;
}

const styles: Record<ToolState['state'], Style> = {
  ready: 'green',
  'needs-auth': 'yellow',
  untrusted: 'yellow',
  invalid: 'red',
  failing: 'red',
  shadowed: 'dim',
  off: 'dim',
};

function show(states: readonly ToolState[]): void {
  const rows = states.map(({ name, source, state, spec }) => [name, source, state, firstSentence(spec?.description)]);
  const columns = [
    { title: 'tool' },
    { title: 'from', spare: 2 },
    { title: 'state' },
    { title: 'what it does', spare: 1 },
  ];
  const [head = '', ...lines] = tableLines(columns, rows);
  say(styled('dim', head));
  for (const [index, line] of lines.entries()) {
    const state = states[index];
    const style = state && state.state !== 'ready' ? styles[state.state] : undefined;
    say(style ? styled(style, line) : line);
    for (const words of [state?.why, state?.next])
      for (const row of words === undefined ? [] : wrapped(`  ${visibleLine(words)}`, 2, screenWidth(process.stdout)))
        say(row);
  }
}

/** Those that come with Sightline; a chat asks before one that does more than look. */
function showShipped(list: readonly ShippedTool[]): void {
  const columns = [
    { title: 'shipped' },
    { title: 'group', spare: 2 },
    { title: 'in a chat' },
    { title: 'what it does', spare: 1 },
  ];
  const rows = list.map(({ tool, group, reach }) => {
    const asks = reach === 'reads' && group !== 'screen' ? 'runs' : 'asks first';
    return [tool.name, group, asks, firstSentence(tool.description)];
  });
  const [head = '', ...lines] = tableLines(columns, rows);
  say(styled('dim', head));
  for (const line of lines) say(line);
}

function firstSentence(text = ''): string {
  const [line = ''] = text.split('\n', 1);
  const end = line.indexOf('. ');
  const sentence = end < 0 ? line : line.slice(0, end + 1);
  return sentence.length > 60 ? `${sentence.slice(0, 59)}…` : sentence;
}
