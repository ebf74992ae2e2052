// Tests in a form that takes long.
//   npm run kills         every test that kills: 1,000 writers of logs, 100 runs, 100 runs in DBOS, which it installs
//   npm run day           a newcomer's day with the packed tarball in an empty home, Claude Code as the client
//   npm run judge:mcp     other people's MCP judges, which it installs
import { spawnSync } from 'node:child_process';
import { argumentsOf } from './arguments.ts';
import { bringAll } from './bring.ts';

type Step = { program: string; words: string[]; variables?: Record<string, string> };

const built: Step[] = [
  { program: 'tsdown', words: ['--log-level', 'warn'] },
  { program: 'node', words: ['scripts/build-web.ts'] },
];

function tests(variables: Record<string, string>, ...files: string[]): Step {
  return { program: 'vitest', words: ['run', ...files], variables };
}

const forms: Record<string, () => Step[]> = {
  kills: () => [
    { program: 'npm', words: ['install', '--no-save', '--ignore-scripts', '--prefix', 'examples/durable'] },
    ...built,
    tests({ SIGHTLINE_KILLS: '100', SIGHTLINE_DBOS_KILLS: '100' }, 'test/durable', 'test/agent/resume.test.ts'),
    tests({ SIGHTLINE_KILLS: '1000' }, 'test/session/kill.test.ts', 'test/session/writers.test.ts'),
  ],
  day: () => [...built, tests({ SIGHTLINE_DAY: '1' }, 'test/cli/newcomer.test.ts')],
  'judge:mcp': () => {
    bringAll(['test/mcp/judges']);
    return [...built, tests({ SIGHTLINE_JUDGES: '1' }, 'test/mcp/judge.test.ts')];
  },
};

const [name = ''] = argumentsOf(import.meta.filename, {}, { words: true }).positionals;
const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
if (form === undefined) {
  console.error(`There is no long form "${name}"; there are ${Object.keys(forms).join(', ')}.`);
  process.exit(2);
}
for (const { program, words, variables } of form()) {
  const { status, error } = spawnSync(program, words, { stdio: 'inherit', env: { ...process.env, ...variables } });
  if (error) console.error(`${program} cannot be started (${error.message}): "npm ci" installs it.`);
  if (status !== 0) process.exit(status ?? 1);
}
