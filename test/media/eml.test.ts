import { describe, expect, test } from 'vitest';
import { read } from '../../src/media/index.ts';
import { readEml } from '../../src/media/mail/eml.ts';
import { cpuMs } from '../cpu.ts';
import { extracted, shown, survives } from './document.ts';

const head =
  'From: =?UTF-8?Q?J=C3=B6rg_M?= <j@x.y>\r\nTo: a@b.c,\r\n b@b.c\r\nSubject: =?utf-8?B?R3LDvA==?= =?utf-8?B?w59l?=\r\nDate: Mon, 1 Jan 2024 10:00:00 +0100\r\nMIME-Version: 1.0\r\n';
const shownHead = '# Grüße\n\nFrom: Jörg M <j@x.y>\nTo: a@b.c, b@b.c\nDate: Mon, 1 Jan 2024 10:00:00 +0100';
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64');

const mail = (type: string, body: string): string => `${head}Content-Type: ${type}\r\n${body}`;
const parts = (kind: string, mark: string, ...all: string[]): string =>
  mail(
    `multipart/${kind}; boundary="${mark}"`,
    `\r\npreamble\r\n${all.map((part) => `--${mark}\r\n${part}\r\n`).join('')}--${mark}--\r\nepilogue`,
  );
const plain = 'Content-Type: text/plain; charset=utf-8\r\n\r\nplain words';
const html = 'Content-Type: text/html\r\n\r\n<p>html <b>words</b></p>';
const image = `Content-Type: image/png; name="a b.png"\r\nContent-ID: <pic@x>\r\nContent-Transfer-Encoding: base64\r\n\r\n${png.toString('base64')}`;
const file =
  'Content-Type: application/pdf\r\nContent-Disposition: attachment;\r\n filename*0*=utf-8\'\'gr%C3%BC;\r\n filename*1="n.pdf"\r\n\r\n%PDF';

describe('a mail becomes Markdown:', () => {
  test.each([
    ['plain text', mail('text/plain; charset=utf-8', '\r\nhé'), 'hé'],
    [
      'another encoding',
      mail('text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable', '\r\ncaf=E9 =\r\nau lait'),
      'café au lait',
    ],
    [
      'base64',
      mail('text/plain\r\nContent-Transfer-Encoding: base64', `\r\n${Buffer.from('ünder').toString('base64')}`),
      'ünder',
    ],
    ['HTML alone', mail('text/html', '\r\n<h1>Hi</h1><p>there'), '# Hi\n\nthere'],
    ['the plain form of two', parts('alternative', 'b', plain, html), 'plain words'],
    [
      'HTML when the plain form is empty',
      parts('alternative', 'b', 'Content-Type: text/plain\r\n\r\n ', html),
      'html **words**',
    ],
    ['a part without a head', parts('mixed', 'b', '\r\njust words'), 'just words'],
    ['a mark that never ends', mail('multipart/mixed; boundary=b', `\r\n--b\r\n${plain}`), 'plain words'],
    [
      'a mark that begins like another',
      parts('mixed', 'b', `Content-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n${plain}\r\n--bb--`),
      'plain words',
    ],
    [
      'attachments',
      parts('mixed', 'b', plain, file),
      'plain words\n\nAttachments:\n\n- grün.pdf (application/pdf, 4 bytes; part="grün.pdf" reads it)',
    ],
    [
      'a mail inside',
      parts('mixed', 'b', plain, 'Content-Type: message/rfc822\r\n\r\nSubject: Inner\r\nFrom: c@d.e\r\n\r\ndeep'),
      'plain words\n\n## Inner\n\nFrom: c@d.e\n\ndeep',
    ],
  ])('%s', async (_what, text, body) => {
    expect(await shown(readEml, Buffer.from(text))).toBe(`${shownHead}\n\n${body}`);
  });
});

test('pictures of a mail stand where its page shows them and come when asked for', async () => {
  const page = 'Content-Type: text/html\r\n\r\n<p>see <img src="cid:pic@x" alt="it"></p>';
  const {
    markdown,
    pictures,
    parts: counted,
  } = await extracted(readEml, parts('related', 'r', page, image), { pictures: true });
  expect(markdown).toBe(
    `${shownHead}\n\nsee ![it](a_b.png)\n\nAttachments:\n\n- ![a b.png](a_b.png) (image/png, 16 bytes)`.replace(
      '![a b.png]',
      '![a_b.png]',
    ),
  );
  expect(pictures).toEqual([{ name: 'a_b.png', bytes: new Uint8Array(png) }]);
  expect(counted).toEqual({ count: 1, unit: 'messages' });
});

const pasted = (id: string, bytes: Buffer): string =>
  `Content-Type: image/png; name="image.png"\r\nContent-ID: <${id}>\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64')}`;

const inside = (kind: string, mark: string, ...all: string[]): string =>
  `Content-Type: multipart/${kind}; boundary="${mark}"\r\n\r\n${all.map((part) => `--${mark}\r\n${part}\r\n`).join('')}--${mark}--`;

test('pictures pasted into a mail are there beside its plain form, each under a name of its own', async () => {
  const [one, two] = [1, 2].map((at) => Buffer.concat([png, Buffer.from([at])]));
  if (one === undefined || two === undefined) throw new Error('no pictures');
  const page = 'Content-Type: text/html\r\n\r\n<p><img src="cid:a"> and <img src="cid:b"></p>';
  const related = inside('related', 'r', page, pasted('a', one), pasted('b', two));
  const list =
    'Attachments:\n\n- ![image.png](image.png) (image/png, 17 bytes)\n- ![image-2.png](image-2.png) (image/png, 17 bytes)';
  const found = [
    { name: 'image.png', bytes: new Uint8Array(one) },
    { name: 'image-2.png', bytes: new Uint8Array(two) },
  ];
  const both = await extracted(readEml, parts('alternative', 'a', plain, related), { pictures: true });
  expect(both.markdown).toBe(`${shownHead}\n\nplain words\n\n${list}`);
  expect(both.pictures).toEqual(found);
  const alone = await extracted(readEml, parts('alternative', 'a', related), { pictures: true });
  expect(alone.markdown).toBe(`${shownHead}\n\n![](image.png) and ![](image-2.png)\n\n${list}`);
  expect(alone.pictures).toEqual(found);
});

const named = (type: string, name: string, words: string, how = 'attachment'): string =>
  `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: ${how}; filename="${name}"\r\n\r\n${words}`;
const forwarded = named('message/rfc822', 'fwd.eml', 'Subject: Inner\r\nFrom: c@d.e\r\n\r\ndeep');
const entry = 'Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR';

test.each([
  [
    'files of words',
    [inside('mixed', 'm', html, named('text/csv', 'a.csv', 'a,b'), named('text/plain', 'n.txt', 'notes', 'inline'))],
    'Attachments:\n\n- a.csv (text/csv, 3 bytes; part="a.csv" reads it)\n- n.txt (text/plain, 5 bytes; part="n.txt" reads it)',
  ],
  ['a mail', [inside('mixed', 'm', html, forwarded)], '## Inner\n\nFrom: c@d.e\n\ndeep'],
  ['a mail that is one of the forms', [html, forwarded], '## Inner\n\nFrom: c@d.e\n\ndeep'],
  [
    'a calendar entry',
    [html, entry],
    'Attachments:\n\n- part.calendar (text/calendar, 15 bytes; part="part.calendar" reads it)',
  ],
])('%s beside the plain form of a mail is not lost', async (_what, others, body) => {
  expect(await shown(readEml, Buffer.from(parts('alternative', 'a', plain, ...others)))).toBe(
    `${shownHead}\n\nplain words\n\n${body}`,
  );
});

test('a form of a mail for other programs is no file in it', async () => {
  const others = ['x-amp-html', 'watch-html'].map((kind) => `Content-Type: text/${kind}\r\n\r\n<p>words</p>`);
  expect(await shown(readEml, Buffer.from(parts('alternative', 'a', plain, ...others, html)))).toBe(
    `${shownHead}\n\nplain words`,
  );
});

test('a picture that only its name tells stands in the page under the name by which it is read', async () => {
  const page = 'Content-Type: text/html\r\n\r\n<p><img src="cid:a"></p>';
  const pasted2 = pasted('a', png)
    .replace('image/png', 'application/octet-stream')
    .replace('image.png', 'my image (1).png');
  const markdown = await shown(readEml, Buffer.from(parts('related', 'r', page, pasted2)));
  expect(markdown).toContain('![](my_image__1_.png)');
  expect(markdown).toContain('part="my_image__1_.png" reads it');
});

test.each([
  ['words', 'hello world, this is no mail'],
  ['nothing', ''],
])('%s is refused as a mail', async (_what, text) => {
  expect(await shown(readEml, text)).toBe('refused: corrupt');
});

test.each([
  [
    'parts in parts',
    Array.from({ length: 20_000 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join(''),
  ],
  ['parts', `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(300_000)}`],
  [
    'pages beside each other',
    inside(
      'related',
      'b',
      ...Array.from(
        { length: 2000 },
        (_, at) =>
          `Content-Type: text/html\nContent-Location: http://a.b/${'c/'.repeat(400)}${at}\nContent-ID: <${at}@b>\n\n<img src="x">`,
      ),
    ),
  ],
  ['lines of one field', `Subject: a\n${' b\n'.repeat(500_000)}`],
  ['encoded words', `Subject: ${'=?utf-8?q?a?= '.repeat(100_000)}`],
])('many %s take little time', async (_what, text) => {
  expect(await cpuMs(() => shown(readEml, text))).toBeLessThan(8000);
});

test('damaged mails are read or refused', async () => {
  const bytes = Buffer.from(parts('mixed', 'b', plain, html, image, file).repeat(3));
  expect(await survives(readEml, bytes, 60, 'x.eml')).toBeGreaterThan(0);
});

function dated(subject: string, hour: string): string {
  return `From ann@example.com Mon May  3 ${hour}:00:00 2004\nFrom: ann@example.com\nSubject: ${subject}\nDate: Mon, 3 May 2004 ${hour}:00:00 +0000\n\nHello.\n\n`;
}

test.each(['box.mbox', 'box.mbx', 'box.eml'])(
  'a mailbox called %s is read as mails, in the order of their dates',
  async (name) => {
    const result = await read(Buffer.from(dated('Second', '10') + dated('First', '09')), { name });
    expect(result.ok && result.value.output).toMatch(/^# First\n[^]*# Second\n/);
  },
);

test('of a mailbox with very many mails the first are read, and how many there are is said', async () => {
  const all = Array.from({ length: 1002 }, (_, at) => dated(`Mail ${at + 1}`, '09')).join('');
  const { markdown, parts: counted } = await extracted(readEml, all);
  expect(markdown).toMatch(
    /^\[The mailbox has 1,002 mails\. Only the first 1,000 of the file are read: divide it to read the others\.\]\n\n# Mail 1\n[^]*# Mail 1000\n/,
  );
  expect(markdown).not.toContain('Mail 1001');
  expect(counted).toEqual({ count: 1000, unit: 'messages' });
});

test('a file is called by all words of its name, also where a program forgot to quote them', async () => {
  const unquoted =
    'Content-Type: application/pdf; name=Annual Report 2023.pdf\r\nContent-Disposition: attachment; filename=Annual Report 2023.pdf; size=4\r\n\r\n%PDF';
  const markdown = await shown(readEml, Buffer.from(parts('mixed', 'b', plain, unquoted)));
  expect(markdown).toContain('part="Annual Report 2023.pdf" reads it');
  const odd = 'Content-Type: text/plain; charset=iso-8859-1 (Western)\r\n\r\ncaf\u00e9';
  expect(await shown(readEml, Buffer.from(parts('mixed', 'b', odd), 'latin1'))).toContain('café');
});

test('a picture that a page names from its own place, as in a page saved by Word, stands there', async () => {
  const folder = 'file:///C:/0E8D990C/letter';
  const page = `Content-Location: ${folder}.htm\r\nContent-Type: text/html\r\n\r\n<p>see <img src="letter_files/image001.png" alt="it"></p>`;
  const shot = `Content-Location: ${folder}_files/image001.png\r\nContent-Transfer-Encoding: base64\r\nContent-Type: image/png\r\n\r\n${png.toString('base64')}`;
  const { markdown, pictures } = await extracted(readEml, parts('related', 'r', page, shot), { pictures: true });
  expect(markdown).toContain('see ![it](part.png)');
  expect(pictures).toEqual([{ name: 'part.png', bytes: new Uint8Array(png) }]);
});
