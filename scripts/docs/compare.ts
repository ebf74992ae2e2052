// The programs of `examples/compare/` side by side, by their length.
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Lines that say something: no blank ones, no comments. */
export function linesOf(file: string): number {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  return lines.filter((line) => line !== '' && !/^(?:\/\/|\/?\*)/.test(line)).length;
}

export function compareTable(): string {
  const rows = globSync('examples/compare/*')
    .toSorted()
    .map((folder) => {
      const cell = (side: string): string => `[${linesOf(`${folder}/${side}.ts`)}](../${folder}/${side}.ts)`;
      return `| ${basename(folder).replaceAll('-', ' ')} | ${cell('sightline')} | ${cell('ai-sdk')} |`;
    });
  return ['| program | Sightline | AI SDK |', '| --- | ---: | ---: |', ...rows].join('\n');
}
