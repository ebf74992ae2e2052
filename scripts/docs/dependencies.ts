// What is installed with the package, and with each part that is brought on demand: names, versions and licences as the
// lock files have them. A licence that nobody agreed to is an error, and so is a package without a checksum.
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { table } from './tables.ts';

type Locked = { version?: string; license?: string; integrity?: string; dev?: true; devOptional?: true };

const permissive = /^(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense)$/;

/** Libraries under LGPL-3.0 that are used as they are, each a file of its own that people can replace. */
const agreed = /^(?:@img\/sharp-|libheif-js$)/;

/** `@img/sharp-linux-x64` and its siblings are one row: only that of the machine is installed. */
const manyMachines = /^(@img\/sharp(?:-libvips)?)-.*/;

function rowsOf(lock: string): string[][] {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, Locked> };
  const rows = new Map<string, string[]>();
  for (const [path, { version = '', license = '', integrity, dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional) continue;
    const name = path.replace(/^.*node_modules\//, '');
    const isFine = license.split(' AND ').every((one) => permissive.test(one) || agreed.test(name));
    if (!isFine) throw new Error(`${lock}: ${name} is under ${license || 'no licence'}, which nobody agreed to.`);
    if (integrity === undefined) throw new Error(`${lock}: ${name} has no checksum.`);
    const shown = name.replace(manyMachines, '$1-…');
    const licences = new Set([...(rows.get(shown)?.[2]?.split(', ') ?? []), ...license.split(' AND ')]);
    rows.set(shown, [`\`${shown}\``, version, [...licences].toSorted().join(', ')]);
  }
  return [...rows.values()];
}

/** `package`, or the name of a part: everything that it installs. */
export function dependencyTable(of: string): string {
  return table(
    ['package', 'version', 'licence'],
    rowsOf(of === 'package' ? 'package-lock.json' : `parts/${of}/package-lock.json`),
  );
}

/** The parts that there are. */
export function partTables(): string {
  const parts = globSync('parts/*/package-lock.json').map((file) => dirname(file).replace('parts/', ''));
  return parts
    .toSorted()
    .map((part) => `### ${part}\n\n${dependencyTable(part)}`)
    .join('\n\n');
}
