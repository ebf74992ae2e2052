// The files of `examples/deploy` are documentation that is read: they parse, name each other, and their settings mean something.
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../src/config/config.ts';
import { newFolder } from './cli/run.ts';

const folder = 'examples/deploy';
const compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, { image?: string; build?: string; volumes?: string[]; environment?: Record<string, string>; depends_on?: object }>;
  volumes: Record<string, unknown>;
}; // prettier-ignore

test('the compose file names services, volumes and files that are there, and no secret stands in it', () => {
  expect(Object.keys(compose.services)).toEqual(['database', 's3', 'gateway-1', 'gateway-2', 'balancer']);
  for (const { image, build, volumes = [], environment = {}, depends_on: needs = {} } of Object.values(
    compose.services,
  )) {
    expect(image ?? build).toBeDefined();
    for (const name of Array.isArray(needs) ? (needs as string[]) : Object.keys(needs))
      expect(compose.services).toHaveProperty([name]);
    for (const volume of volumes) {
      const [from = ''] = volume.split(':');
      if (from.startsWith('./')) expect(readFileSync(join(folder, from), 'utf8')).not.toBe('');
      else expect(compose.volumes).toHaveProperty([from]);
    }
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|KEY|SECRET/.test(name)) expect(value).toMatch(/^\$\{\w+:[?-]\}$/);
  }
});

test('the settings of the gateways are settings, and agree with the services', () => {
  const home = newFolder();
  copyFileSync(join(folder, 'config.toml'), join(home, 'config.toml'));
  const { store, serve } = readSettings({ SIGHTLINE_HOME: home }, home);
  const { hostname, username, pathname } = new URL(store.sessions ?? '');
  expect(compose.services[hostname]?.environment).toMatchObject({
    POSTGRES_USER: username,
    POSTGRES_DB: pathname.slice(1),
  });
  expect(store).toMatchObject({ assets: 's3://agents/media', cacheBytes: 2 * 1024 ** 3 });
  expect(serve.keys?.['team']?.hash).toBe(`sha256:${createHash('sha256').update('change me').digest('hex')}`);
  expect(serve.routes?.['house']).toHaveLength(2);
});

test('the image has no root, and listens where the compose file looks', () => {
  const lines = readFileSync(join(folder, 'Dockerfile'), 'utf8').split('\n').filter((line) => /^[A-Z]/.test(line)); // prettier-ignore
  const words = new Map(lines.map((line) => [line.split(' ')[0], line] as const));
  expect([words.get('FROM'), words.get('USER'), words.get('EXPOSE')]).toEqual([
    'FROM node:24-slim',
    'USER node',
    'EXPOSE 4141',
  ]);
  expect(words.get('COPY')).toBe('COPY sightline-*.tgz /tmp/'); // no registry has it
  expect(lines.filter((line) => / sightline(?: |$)/.test(line))).toEqual([]);
  expect(words.get('CMD')).toContain('"serve", "--host", "0.0.0.0"');
  // A folder that a mount makes belongs to root, and the gateway could not write beside its settings.
  expect(lines.indexOf('RUN mkdir "$SIGHTLINE_HOME"')).toBeGreaterThan(lines.indexOf('USER node'));
});
