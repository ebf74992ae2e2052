// What `ask` and `chat` work with, as they open and close it.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openWorkspace } from '../../src/cli/workspace.ts';
import { writeProgram } from '../program.ts';
import { newFolder } from './run.ts';

afterEach(() => void vi.unstubAllEnvs());

test('whoever leaves waits for no tool that does not say what it is', async () => {
  const home = newFolder();
  const noted = join(home, 'asked');
  mkdirSync(join(home, 'tools'));
  writeProgram(join(home, 'tools', 'stuck'), `#!/bin/sh\ntouch ${noted}\nsleep 900 & wait\n`);
  vi.stubEnv('SIGHTLINE_HOME', home);
  const told: string[] = [];
  const workspace = await openWorkspace({ tools: 'all', notify: (text) => told.push(text) });
  const asking = workspace.agent(['openai/gpt-5.2']).catch(() => undefined);
  await expect.poll(() => existsSync(noted)).toBe(true);
  await workspace[Symbol.asyncDispose]();
  await asking;
  expect(told).toEqual([]); // not that its time was over
});
