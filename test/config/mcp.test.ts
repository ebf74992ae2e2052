import { expect, test } from 'vitest';
import { mcpTable } from '../../src/config/mcp.ts';

test('servers are programs or sites; those that are switched off are left out', () => {
  const table = {
    files: { command: 'npx', args: ['-y', 'server'], env: ['TOKEN'], cwd: '/x', timeout: 2.5, tools: ['read'] },
    keyed: { command: 'serve', env: { KEY: '${OTHER}' } },
    site: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${T}' } },
    off: { command: 'x', enabled: false },
  };
  expect(mcpTable(table, 'f.toml', '/project')).toEqual({
    files: { project: '/project', command: 'npx', args: ['-y', 'server'], env: { TOKEN: '${TOKEN}' }, cwd: '/x', timeoutMs: 2500, tools: ['read'] },
    keyed: { project: '/project', command: 'serve', args: [], env: { KEY: '${OTHER}' } },
    site: { project: '/project', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${T}' } },
  }); // prettier-ignore
});

const wrong: [row: unknown, message: string][] = [
  [5, '"mcp.x" must be a table.'],
  [{}, '"mcp.x" must be a table with either command = "…" or url = "…".'],
  [{ command: 'a', url: 'https://b' }, '"mcp.x" must be a table with either command = "…" or url = "…".'],
  [{ url: 'ftp://x' }, '"mcp.x.url" must be an http or https URL.'],
  [{ command: 'a', args: 'b' }, '"mcp.x.args" must be a list of strings.'],
  [{ command: 'a', env: { A: 5 } }, '"mcp.x.env.A" must be a string.'],
  [{ command: 'a', timeout: 0 }, '"mcp.x.timeout" must be a number of seconds above 0.'],
  [{ command: 'a', arg: [] }, 'unknown key "mcp.x.arg". Did you mean "args"?'],
];

test.each(wrong)('%o is refused with the place and what belongs there', (row, message) => {
  expect(() => mcpTable({ x: row }, 'f.toml')).toThrow(`f.toml: ${message}`);
});
