// `sightline sessions export` and `import`.
import { hide } from '../../config/secrets.ts';
import { byteText, countOf, grouped } from '../../content/figures.ts';
import { statSync } from 'node:fs';
import { exportSession, formatOf } from '../../session/export/export.ts';
import type { ExportFormat } from '../../session/export/export.ts';
import { importFrom, importSession } from '../../session/export/import.ts';
import type { ExitCode } from '../exit.ts';
import { done } from '../exit.ts';
import { nameOf } from '../source.ts';
import { say, sayJson, tell, visibleLine } from '../terminal.ts';
import type { Flags } from './home.ts';
import { changing, looking } from './home.ts';
import { refused } from '../refusal.ts';

const endings: Record<ExportFormat, string> = { html: '.html', markdown: '.md', json: '.json' };

export function exportCommand(
  id: string,
  given: string | undefined,
  flags: Flags & { format?: ExportFormat },
): Promise<ExitCode> {
  return looking(flags, async (store) => {
    const session = await store.read(await store.resolve(id));
    const file = given ?? `session-${session.id}${endings[flags.format ?? 'html']}`;
    const format = flags.format ?? formatOf(file);
    await exportSession(session, file, format, { hide });
    const { size } = statSync(file);
    if (flags.json) sayJson({ file, format, size });
    else say(`${visibleLine(file)}, ${byteText(size)}`);
    return done;
  });
}

export function importCommand(file: string, flags: Flags): Promise<ExitCode> {
  return changing(flags, async (store) => {
    const imported = await (file === '-'
      ? importFrom(store, { name: nameOf(file), chunks: process.stdin })
      : importSession(store, file));
    if (!imported.ok) return refused(imported.refusal, flags.json);
    const { id, instead, messages, media, damaged, refused: missed } = imported.value;
    if (flags.json) sayJson(imported.value);
    else {
      say(id);
      tell(`Imported ${countOf(messages, 'message')} and ${countOf(media, 'medium', 'media')}.`);
      if (instead !== undefined) tell(`The id ${visibleLine(instead)} is in use here; this session has another one.`);
      if (damaged > 0)
        tell(
          `${damaged === 1 ? '1 medium failed its' : `${grouped(damaged)} media failed their`} hash: bytes were altered.`,
        );
      if (missed > 0) tell(`${countOf(missed, 'medium', 'media')} of messages could not be read; words there say why.`);
    }
    return done;
  });
}
