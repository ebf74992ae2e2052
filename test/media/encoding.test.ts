// Texts of the time before Unicode: bytes as other programs wrote them (Python's codecs), read without being told what they are.
import { describe, expect, test } from 'vitest';
import { read } from '../../src/media/index.ts';
import { readEml } from '../../src/media/mail/eml.ts';
import { guessEncoding } from '../../src/media/text/guess.ts';
import { shown } from './document.ts';

const files: [encoding: string, name: string, base64: string, text: string][] = [
  [
    'shift_jis',
    'Shift_JIS',
    'jNqLcZTUjYYsjoGWvCyPWo+KCjEsjlKTY5G+mFksk4yLnpNzkOeR45Nji+YKMiyNspOhidSOcSyR5Y3jjnOWa4vmCg==',
    '顧客番号,氏名,住所\n1,山田太郎,東京都千代田区\n2,佐藤花子,大阪市北区\n',
  ],
  [
    'gb18030',
    'GB18030',
    '0NXD+yzE6sHkLLPHytAK1cXI/SwzMCyxsb6pCsDuy8QsMjUsyc+6owo=',
    '姓名,年龄,城市\n张三,30,北京\n李四,25,上海\n',
  ],
  [
    'big5',
    'Big5',
    'qW2mVyymfsTWLKuwpasKpP2kcKn6LDMwLKV4pV8Ks6+s/MRSLDI1LLCqtq8K',
    '姓名,年齡,城市\n王小明,30,台北\n陳美麗,25,高雄\n',
  ],
  [
    'euc-kr',
    'EUC-KR',
    'wMy4pyyzqsDMLLW1vcMKsejDtrz2LDMwLLytv+8KwMy/tcjxLDI1LLrOu+oK',
    '이름,나이,도시\n김철수,30,서울\n이영희,25,부산\n',
  ],
  [
    'windows-1251',
    'Windows-1251',
    'yOz/LMLu5/Dg8fIsw+7w7uQKyOLg7SDP5fLw7uIsMzAszO7x6uLgCsDt7eAsMjUsyujl4go=',
    'Имя,Возраст,Город\nИван Петров,30,Москва\nАнна,25,Киев\n',
  ],
  [
    'koi8-r',
    'KOI8-R',
    '6c3RLPfP2tLB09Qs58/Sz8QK6dfBziDwxdTSz9csMzAs7c/Ty9fBCuHOzsEsMjUs68nF1wo=',
    'Имя,Возраст,Город\nИван Петров,30,Москва\nАнна,25,Киев\n',
  ],
];

async function outputOf(base64: string, name: string, encoding?: string): Promise<string> {
  const options = { name, ...(encoding !== undefined && { encoding }) };
  const result = await read(Buffer.from(base64, 'base64'), options);
  return result.ok ? result.value.output : result.refusal.what;
}

describe.each(files)('%s', (encoding, name, base64, text) => {
  test('is recognised in a text, a table, a page and a mail', async () => {
    expect(await outputOf(base64, 'a.txt')).toMatch(new RegExp(`^\\[.*${name}.*encoding.*\\]\\n`));
    expect((await outputOf(base64, 'a.txt')).replace(/^.*\n/, '')).toBe(text);
    const [, first = '', second = ''] = text.split('\n').map((line) => `| ${line.replaceAll(',', ' | ')} |`);
    expect(await outputOf(base64, 'a.csv')).toContain(`${first}\n${second}`);
    const page = Buffer.concat([Buffer.from('<html><body><p>'), Buffer.from(base64, 'base64')]).toString('base64');
    expect(await outputOf(page, 'a.html')).toBe(text.trim().replaceAll('\n', ' '));
    const mail = Buffer.concat([Buffer.from('Subject: x\nFrom: a@b\n\n'), Buffer.from(base64, 'base64')]);
    expect(await shown(readEml, mail)).toContain(text.trim());
  });

  test('is read as such without a word when it is named', async () => {
    expect(await outputOf(base64, 'a.txt', encoding)).toBe(text);
    expect(await outputOf(base64, 'a.csv', encoding)).not.toContain('encoding');
  });
});

test.each([
  ['caf\u00e9 au lait, d\u00e9j\u00e0 vu', 'windows-1252'],
  ['M\u00fcller & S\u00f6hne, Stra\u00dfe 5', 'windows-1252'],
  ['S\u00e3o Jo\u00e3o, cora\u00e7\u00e3o', 'windows-1252'],
  ['12 \u00a3, 5 \u00b0C, \u00a9 2020, 3 m\u00b2', 'windows-1252'],
])('western %j stays western', (text, encoding) => {
  expect(guessEncoding(Buffer.from(text, 'latin1'))?.encoding).toBe(encoding);
});

test('what cannot be told apart is called a guess, and a name that nobody knows is refused', async () => {
  const odd = Buffer.from('a log with one odd byte: \u00ff here', 'latin1').toString('base64');
  expect(await outputOf(odd, 'a.log')).toBe(
    '[No Unicode text; Windows-1252 is a guess and may be wrong. Give encoding to read it as another.]\na log with one odd byte: ÿ here',
  );
  expect(await outputOf(odd, 'a.log', 'klingon')).toBe('There is no encoding "klingon"');
  expect(await outputOf(odd, 'a.csv', 'klingon')).toBe('There is no encoding "klingon"');
});

test('noise is no text', () => {
  const noise = Buffer.from(Array.from({ length: 4000 }, (_, at) => 0x80 + ((at * 2_654_435_761) >>> 25)));
  expect(guessEncoding(noise)).toBeUndefined();
});

const chinese = '日志：服务已启动，正在等待连接。';
const german = 'Größe, Fläche, Übergänge und Maße';
const stray = Buffer.from([0xff]);

test.each([
  ['cut inside its last character', Buffer.from(chinese).subarray(0, -2), `${chinese.slice(0, -1)}\ufffd`],
  ['that begins inside a character', Buffer.from(chinese).subarray(1), `\ufffd\ufffd${chinese.slice(1)}`],
  ['with a byte of something else in it', Buffer.concat([Buffer.from(german), stray]), `${german}\ufffd`],
])('a text in UTF-8 %s is read as that', async (_what, bytes, text) => {
  expect(await outputOf(bytes.toString('base64'), 'a.log')).toBe(text);
  const page = Buffer.concat([Buffer.from('<p>'), bytes]).toString('base64');
  expect(await outputOf(page, 'a.html')).toBe(text);
});

test.each([
  ['a mail', 'a.eml', 'Subject: x\nContent-Type: text/plain; charset=utf-8\n\n'],
  ['a page', 'a.html', '<meta charset="utf-8"><p>'],
])('%s that calls itself UTF-8 and is not is read as what it is', async (_what, name, head) => {
  const output = async (words: Buffer): Promise<string> =>
    await outputOf(Buffer.concat([Buffer.from(head), words]).toString('base64'), name);
  expect(await output(Buffer.from('Müller & Söhne, Straße 5', 'latin1'))).toContain('Müller & Söhne, Straße 5');
  expect(await output(Buffer.concat([Buffer.from(german), stray]))).toContain(`${german}\ufffd`);
});
