// What a person allows: for one call, for the chat, for a folder; tools, and hosts on this machine.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keptHosts, rightsIn } from '../../src/cli/rights.ts';
import type { CallBlock } from '../../src/content/block.ts';
import type { Rights } from '../../src/tui/approval.ts';

beforeEach(() => void vi.stubEnv('SIGHTLINE_HOME', mkdtempSync(join(tmpdir(), 'rights-'))));
afterEach(() => void vi.unstubAllEnvs());

const tools = { looks: new Set(['read_file']), web: new Set(['fetch_url']) };

function open(folder = '/work', hosts: string[] = []): Rights & { hosts: string[] } {
  return { ...rightsIn(folder, hosts, () => tools), hosts };
}

function call(name: string, input: unknown = {}): CallBlock {
  return { type: 'call', id: '1', name, input };
}

const page = call('fetch_url', { url: 'http://localhost:5173/app' });

test.each([
  ['a tool that only looks', call('read_file', { path: 'http://localhost/' }), []],
  ['another', call('deploy'), ['deploy']],
  ['a public page', call('fetch_url', { url: 'https://example.com/' }), ['fetch_url']],
  ['a page on this machine', page, ['fetch_url', 'host localhost:5173']],
  ['an address of a private network', call('fetch_url', { url: 'http://10.0.0.7/' }), ['fetch_url', 'host 10.0.0.7']],
  ['a tool of somebody else with such an address', call('deploy', { url: 'http://localhost:1/' }), ['deploy']],
])('%s needs %j', (_what, asked, rights) => {
  expect(open().missing(asked)).toEqual(rights);
});

test('once is for this call, and its host is closed again when it ends; in the chat is for all', () => {
  const rights = open();
  const needs = ['fetch_url', 'host localhost:5173'];
  rights.allow(rights.missing(page), 'once', page);
  expect(rights.hosts).toEqual(['localhost:5173']);
  expect(rights.missing({ ...page, id: '2' })).toEqual(needs);
  rights.ended(page);
  expect([rights.hosts, rights.missing(page)]).toEqual([[], needs]);
  rights.allow(rights.missing(page), 'once', page);
  rights.allow(rights.missing(page), 'chat', { ...page, id: '2' });
  rights.ended(page);
  expect([rights.hosts, rights.missing(page)]).toEqual([['localhost:5173'], []]);
  expect(open().missing(page)).toEqual(['fetch_url', 'host localhost:5173']);
});

test('what is allowed in a folder holds there the next time, and nowhere else', () => {
  const rights = open();
  rights.allow(rights.missing(page), 'project', page);
  expect(keptHosts('/work')).toEqual(['localhost:5173']);
  expect(open('/work', keptHosts('/work')).missing(page)).toEqual([]);
  expect(open('/elsewhere', keptHosts('/elsewhere')).missing(page)).toEqual(['fetch_url', 'host localhost:5173']);
  const file = join(process.env['SIGHTLINE_HOME'] ?? '', 'allowed.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"fetch_url"', '"nothing"'));
  expect(open('/work', keptHosts('/work')).missing(page)).toEqual(['fetch_url']);
});
