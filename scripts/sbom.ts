// What is in the package, as a CycloneDX document: all that it installs, and as optional what its parts bring on demand.
//   npm run sbom              writes sbom.json
//   npm run sbom -- --to FILE
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { argumentsOf } from './arguments.ts';

type Component = { 'bom-ref': string; name: string; scope?: string };
type Bom = { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] };
type Manifest = Record<string, unknown>;
type Lock = { packages: Record<string, Manifest & { dev?: true; devOptional?: true }> };

const { values } = argumentsOf(import.meta.filename, { to: { type: 'string', default: 'sbom.json' } });

const own = new Set([
  'devDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'overrides',
  'scripts',
  'allowScripts',
]);
const run = promisify(execFile);

function jsonOf(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function published(manifest: Manifest): Manifest {
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => !own.has(field)));
}

/** As somebody installs it: where tools of development lie beside it, npm leaves out whatever they need as well. */
async function bomOf(from: string): Promise<Bom> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-sbom-'));
  const { packages, ...lock } = jsonOf(join(from, 'package-lock.json')) as Lock;
  const kept = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
  const whole = { ...lock, packages: { ...Object.fromEntries(kept), '': published(packages[''] ?? {}) } };
  const manifest = published(jsonOf(join(from, 'package.json')) as Manifest);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '0.0.0', ...manifest }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(whole));
  try {
    const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
    return JSON.parse((await run('npm', words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })).stdout) as Bom;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const bom = await bomOf('.');
for (const manifest of globSync('parts/*/package.json').toSorted()) {
  const { components, dependencies } = await bomOf(dirname(manifest));
  const known = new Set(bom.components.map((one) => one['bom-ref']));
  const fresh = components.filter((one) => !known.has(one['bom-ref']));
  const refs = new Set(fresh.map((one) => one['bom-ref']));
  bom.components.push(...fresh.map((one) => ({ ...one, scope: 'optional' })));
  bom.dependencies.push(...dependencies.filter(({ ref }) => refs.has(ref)));
}
writeFileSync(values.to, `${JSON.stringify(bom, undefined, 2)}\n`);
console.log(`${values.to}: ${bom.components.length} packages`);
