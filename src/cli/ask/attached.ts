// What goes with an answer besides its words: pictures that the model made, and what it chose of the conversation. Each is
// written to a file that only the person can read, and that is named to her; her own folders stay as they are.
import { extname } from 'node:path';
import { shortId } from '../../content/words.ts';
import type { AssetStore } from '../../content/asset-store.ts';
import type { Attached } from '../../message/attached.ts';
import { endingOf } from '../../session/export/export.ts';
import { fileForOthers } from '../../tui/desktop.ts';
import { attachedLine } from '../block-line.ts';
import { styled, tell, visibleLine } from '../terminal.ts';

export async function tellAttached(all: readonly Attached[], assets: AssetStore): Promise<void> {
  const each = new Map(all.map((one) => [one.asset.id, one]));
  for (const one of each.values()) {
    const bytes = await assets.get(one.asset.id);
    const where = bytes ? fileForOthers(fileName(one), bytes) : 'its bytes are no longer stored';
    tell(styled('dim', `attached: ${visibleLine(attachedLine(one))}`));
    tell(`  ${visibleLine(where)}`);
  }
}

function fileName({ asset: { id, name = shortId(id), mediaType } }: Attached): string {
  return extname(name) === '' ? `${name}${endingOf(mediaType)}` : name;
}
