// Files inside of files: attachments of mails and entries of archives, read like any other; Outlook's own mails.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { read } from '../../src/media/index.ts';
import { readEml, readMsg } from '../../src/media/mail/eml.ts';
import { archive, docx, paragraph } from './archive.ts';
import { shown, survives } from './document.ts';

const contract = docx(paragraph('The fee is 180 euros.'));
const mail = (name: string, bytes: Uint8Array): Buffer =>
  Buffer.from(
    `Subject: papers\r\nFrom: ann@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee below.\r\n--b\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n--b--\r\n`,
  );

async function said(bytes: Uint8Array, name: string, part?: string): Promise<string> {
  const result = await read(bytes, { name, ...(part !== undefined && { part }) });
  return result.ok ? result.value.output : `refused: ${result.refusal.what}. ${result.refusal.next}`;
}

/** An OLE2 container of these streams, as small as one can be; all of them lie in the small sectors. */
function compound(streams: Readonly<Record<string, Buffer>>): Buffer {
  type Entry = { name: string; type: number; child: number; right: number; start: number; size: number };
  const entries: Entry[] = [{ name: 'Root Entry', type: 5, child: 0xffffffff, right: 0xffffffff, start: 0, size: 0 }];
  const small: Buffer[] = [];
  const table: number[] = [];
  const folders = new Map<string, number>([['', 0]]);
  const add = (path: string, entry: Omit<Entry, 'right' | 'child'>): number => {
    const parent = folders.get(path.slice(0, path.lastIndexOf('/') + 1)) ?? 0;
    const holder = entries[parent];
    const at = entries.push({ ...entry, child: 0xffffffff, right: holder?.child ?? 0xffffffff }) - 1;
    if (holder !== undefined) holder.child = at;
    return at;
  };
  for (const [path, data] of Object.entries(streams)) {
    const steps = path.split('/').slice(0, -1);
    for (const [at] of steps.entries()) {
      const folder = `${steps.slice(0, at + 1).join('/')}/`;
      if (!folders.has(folder))
        folders.set(folder, add(folder.slice(0, -1), { name: steps[at] ?? '', type: 1, start: 0, size: 0 }));
    }
    const sectors = Math.ceil(data.length / 64);
    const start = table.length;
    for (let one = 0; one < sectors; one += 1) table.push(one === sectors - 1 ? 0xfffffffe : start + one + 1);
    small.push(Buffer.concat([data, Buffer.alloc(sectors * 64 - data.length)]));
    add(path, { name: path.slice(path.lastIndexOf('/') + 1), type: 2, start, size: data.length });
  }
  const directory = Buffer.alloc(Math.ceil(entries.length / 4) * 512);
  const shared = Buffer.concat(small);
  const mini = Buffer.alloc(Math.ceil((table.length * 4) / 512) * 512, 0xff);
  for (const [at, next] of table.entries()) mini.writeUInt32LE(next, at * 4);
  const body = Buffer.concat([shared, Buffer.alloc((512 - (shared.length % 512)) % 512)]);
  const parts = [directory, mini, body];
  const fat = Buffer.alloc(512, 0xff);
  fat.writeUInt32LE(0xfffffffd, 0);
  const starts: number[] = [];
  let sector = 1;
  for (const part of parts) {
    starts.push(sector);
    for (let left = part.length / 512; left > 0; left -= 1) {
      fat.writeUInt32LE(left === 1 ? 0xfffffffe : sector + 1, sector * 4);
      sector += 1;
    }
  }
  for (const [at, entry] of entries.entries()) {
    const place = at * 128;
    directory.write(entry.name, place, 'utf16le');
    directory.writeUInt16LE(entry.name.length * 2 + 2, place + 64);
    directory[place + 66] = entry.type;
    for (const [offset, value] of [
      [68, 0xffffffff],
      [72, entry.right],
      [76, entry.child],
      [116, at === 0 ? (starts[2] ?? 0) : entry.start],
      [120, at === 0 ? shared.length : entry.size],
    ] as const)
      directory.writeUInt32LE(value, place + offset);
  }
  const head = Buffer.alloc(512, 0xff);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head);
  head.fill(0, 8, 76);
  for (const [offset, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    head.writeUInt16LE(value, offset);
  for (const [offset, value] of [
    [44, 1],
    [48, starts[0] ?? 0],
    [56, 4096],
    [60, starts[1] ?? 0],
    [64, mini.length / 512],
    [68, 0xfffffffe],
    [76, 0],
  ] as const)
    head.writeUInt32LE(value, offset);
  return Buffer.concat([head, fat, ...parts]);
}

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const times = Buffer.alloc(48);
times.writeUInt32LE(0x0039_0040, 32);
times.writeBigUInt64LE((BigInt(Date.UTC(2026, 2, 1, 9, 30)) + 11_644_473_600_000n) * 10_000n, 40);
const outlook = compound({
  '__properties_version1.0': times,
  '__substg1.0_0037001F': wide('Grüße'),
  '__substg1.0_0C1A001F': wide('Ann'),
  '__substg1.0_0C1F001F': wide('ann@example.com'),
  '__substg1.0_0E04001F': wide('Bob'),
  '__substg1.0_1000001F': wide('See the notes.'),
  '__attach_version1.0_#00000000/__substg1.0_3707001F': wide('notes.txt'),
  '__attach_version1.0_#00000000/__substg1.0_37010102': Buffer.from('remember the milk'),
  '__attach_version1.0_#00000001/__substg1.0_3701000D/__substg1.0_0037001F': wide('Inner'),
  '__attach_version1.0_#00000001/__substg1.0_3701000D/__substg1.0_1000001F': wide('forwarded words'),
});

describe('a mail of Outlook', () => {
  test('is read like any other, with what is attached', async () => {
    expect(await said(outlook, 'a.msg')).toBe(
      '# Grüße\n\nFrom: Ann <ann@example.com>\nTo: Bob\nDate: Sun, 01 Mar 2026 09:30:00 GMT\n\nSee the notes.\n\n## Inner\n\nforwarded words\n\nAttachments:\n\n- notes.txt (application/octet-stream, 17 bytes; part="notes.txt" reads it)',
    );
    expect(await said(outlook, 'a.msg', 'notes.txt')).toBe('remember the milk');
  });

  test('that is older than Unicode is read in the encoding that is given, and its page in its own', async () => {
    const words = compound({
      '__properties_version1.0': Buffer.alloc(32),
      '__substg1.0_0037001E': Buffer.from([0xc4, 0xe0]),
      '__substg1.0_1000001E': Buffer.from([0xcd, 0xe5, 0xf2]),
      '__attach_version1.0_#00000000/__substg1.0_3707001E': Buffer.from([0xc4, 0xe0, 0x2e, 0x74, 0x78, 0x74]),
      '__attach_version1.0_#00000000/__substg1.0_37010102': Buffer.from('yes'),
    });
    const result = await read(words, { name: 'a.msg', encoding: 'windows-1251' });
    expect(result.ok && result.value.output).toBe(
      '# Да\n\nНет\n\nAttachments:\n\n- Да.txt (application/octet-stream, 3 bytes; part="Да.txt" reads it)',
    );
    const part = await read(words, { name: 'a.msg', encoding: 'windows-1251', part: 'Да.txt' });
    expect(part.ok && part.value.output).toBe('yes');
    const page = compound({
      '__properties_version1.0': Buffer.alloc(32),
      '__substg1.0_10130102': Buffer.concat([
        Buffer.from('<meta http-equiv=Content-Type content="text/html; charset=iso-8859-2"><p>'),
        Buffer.from([0xb1, 0xb6, 0xbc]),
      ]),
    });
    expect(await said(page, 'b.msg')).toBe('# (no subject)\n\nąśź');
  });

  test('that is damaged is read or refused', async () => {
    expect(await survives(readMsg, outlook, 60, 'a.msg')).toBeGreaterThan(0);
  });
});

describe('a part', () => {
  const zip = archive({ 'in/contract.docx': contract, 'note.txt': 'plain words' });
  test.each([
    ['an attachment', mail('contract.docx', contract), 'a.eml', 'contract.docx', 'The fee is 180 euros.'],
    ['a file of an archive', zip, 'a.zip', 'note.txt', 'plain words'],
    ['one in a folder', zip, 'a.zip', 'in/contract.docx', 'The fee is 180 euros.'],
    ['one of an archive in a mail', mail('a.zip', zip), 'a.eml', 'a.zip/in/contract.docx', 'The fee is 180 euros.'],
  ])('is read like any other file: %s', async (_what, bytes, name, part, words) => {
    expect(await said(bytes, name, part)).toBe(words);
  });

  test('that is not there is refused with those that are, and so is an archive by itself', async () => {
    expect(await said(zip, 'a.zip', 'x')).toBe(
      'refused: a.zip has no part "x". Give one of in/contract.docx, note.txt.',
    );
    expect(await said(zip, 'a.zip')).toBe(
      'refused: a.zip is a zip archive. Give part to read one of its files: in/contract.docx, note.txt.',
    );
    expect(await said(gzipSync('words'), 'a.tar.gz', 'x')).toBe(
      'refused: a.tar.gz has no parts. Read it without part.',
    );
    expect(await said(archive({}), 'a.zip')).toBe(
      'refused: a.zip is a zip archive without any file. Check how it was made.',
    );
    expect(await said(zip.subarray(0, 60), 'a.zip')).toMatch(/^refused: a\.zip is damaged: .*Get the file again/);
    expect(await said(Buffer.from('words'), 'a.txt', 'x')).toBe('refused: a.txt has no parts. Read it without part.');
  });

  test('of a part of a part, and so on, is refused in bounds; and so is one that grows too much', async () => {
    let deep: Buffer = Buffer.from('bottom');
    let way = 'x';
    deep = archive({ x: deep });
    for (let level = 0; level < 6; level += 1) {
      deep = level % 2 === 0 ? mail('y', deep) : archive({ y: deep });
      way = `y/${way}`;
    }
    expect(await said(deep, 'deep.zip', way)).toContain('parts inside each other');
    const bomb = archive({ big: Buffer.alloc(40_000_000) });
    expect(await said(mail('bomb.zip', bomb), 'a.eml', 'bomb.zip/big')).toMatch(/^refused: /);
  });
});

const letter = (date: string, words: string): string =>
  `From a@b Mon Mar  2 10:00:00 2026\nSubject: ${words}\nFrom: a@b\nDate: ${date}\n\n${words} it is.\n`;

test('the mails of a mailbox come in the order in which they were written', async () => {
  const box = `${letter('Tue, 3 Mar 2026 10:00:00 +0000', 'second')}\n${letter('Mon, 2 Mar 2026 10:00:00 +0000', 'first')}`;
  const text = await shown(readEml, box);
  expect(text.indexOf('first it is.')).toBeGreaterThan(0);
  expect(text.indexOf('first it is.')).toBeLessThan(text.indexOf('second it is.'));
});

const named = (words: string): string =>
  `--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename="notes.txt"\n\n${words}\n`;

test('each file of a mailbox is read by the name that the note has for it', async () => {
  const box = ['first', 'second']
    .map(
      (words) =>
        `From a@b Mon Mar  2 10:00:00 2026\nSubject: ${words}\nFrom: a@b\nContent-Type: multipart/mixed; boundary=b\n\n${named(`${words} of two`)}${named(`${words} again`)}--b--\n\n`,
    )
    .join('');
  const shownNames = Array.from(
    (await said(Buffer.from(box), 'a.mbox')).matchAll(/part="([^"]+)" reads it/g),
    ([, one = '']) => one,
  );
  expect(shownNames).toEqual(['notes.txt', 'notes-2.txt', 'notes-3.txt', 'notes-4.txt']);
  const words = await Promise.all(shownNames.map((one) => said(Buffer.from(box), 'a.mbox', one)));
  expect(words).toEqual(['first of two', 'first again', 'second of two', 'second again']);
});

test('a file with signs in its name that stand in no note is read by the name that the note has for it', async () => {
  const bytes = mail('report [final] \\"v2\\".txt', Buffer.from('the words'));
  const [, name = ''] = /part="([^"]+)" reads it/.exec(await said(bytes, 'a.eml')) ?? [];
  expect(name).toBe("report 'final' 'v2'.txt");
  expect(await said(bytes, 'a.eml', name)).toBe('the words');
});

test.each([
  ['a.ipynb', '{}', 'a.ipynb is damaged: it has no cells'],
  [
    'a.docx',
    archive({ 'word/styles.xml': '<a/>', '[Content_Types].xml': '<a/>' }),
    'a.docx is damaged: its main part is missing',
  ],
])('what is damaged is told alike: %s', async (name, bytes, what) => {
  const next = 'Get the file again, or open it in its program and save it anew.';
  expect(await said(Buffer.from(bytes), name)).toBe(`refused: ${what}. ${next}`);
});

const pastedPicture = (head: string): string =>
  `--b\r\nContent-Type: image/png${head}\r\nContent-Transfer-Encoding: base64\r\n\r\n${'iVBORw0K'.repeat(4)}\r\n`;

test('who asks for a part that is not there is told all parts of a mail, and of an Office file its pictures alone', async () => {
  const bytes = Buffer.from(
    mail('terms.docx', contract)
      .toString('latin1')
      .replace('--b--', `${pastedPicture('; name="a.png"')}${pastedPicture('\r\nContent-ID: <logo>')}--b--`),
    'latin1',
  );
  expect(await said(bytes, 'a.eml', 'b.pdf')).toBe(
    'refused: a.eml has no part "b.pdf". Give one of terms.docx, a.png, logo.png.',
  );
  expect(await said(contract, 'a.docx', 'b.pdf')).toBe(
    'refused: a.docx has no part "b.pdf". Nothing lies inside of it.',
  );
});
