// Bytes that are no Unicode in, the encoding they are most likely written in out, with how sure that is. Each encoding is
// tried on the bytes beyond ASCII; the one whose reading looks most like the language it is for wins. Pure and bounded.

export type Guess = { encoding: string; sure: boolean };

const sampleBytes = 64 * 1024;

/** Letters that make up most of a text in each language, with words of tables and letters among the characters of the East. */
const simplified =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日月元号名称单价数量金额合计总产品客户公司订编电话地址姓年龄城市北京海广东江南西山张王李刘陈杨黄赵周吴型备注备册类别第二三四五六七八九十万千百两报告项目工作管理系统服务信息技术业务请您文件表测试';
const traditional =
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日月元號名稱單價數量金額合計總產品客戶公司訂編電話地址姓年齡城市台北灣高雄新竹中南東張王李劉陳楊黃趙周吳型備註冊類別第二三四五六七八九十萬千百兩報告項目工作管理系統服務資訊技術業務請您文件表測試';
const korean =
  '이다는을의에가하고지한은를로기사대나그아어도시자인있수등정보일리서들해라게면과만여습니까요제것부년월원전주스공성장동상구조국내생연경관유비소금번호명단수량합계총제품고객회사주문화주날짜이름서울부산김박최정강윤임오신표모무안선식개';

const kana = /[\u3041-\u3096\u30a1-\u30fa\u30fc]/;
const kanji = new Set(
  '日本人大年一国会中同時者社事自分上手東京出見間地場合名前生方今後数量金額計月円品番号式株電話住所県市町村部長新高子行学業務員用文書表的者内外件',
);
const [simple, old, hangul] = [new Set(simplified), new Set(traditional), new Set(korean)];

const cyrillic = letters('оеаинтсрвл', 'кмдпуяыьгзбчйхжшюцщэфъёіїєґ');
const greek = letters('αοιετσνηυρ', 'πκμλςωδγχθφβξζψάέήίόύώ');
const hebrew = letters('יוהלאתרשבמ', 'נעדקחפגכטסצזםןךףץ');
const arabic = letters('اليمنورتبة', 'عدسفهكقحجشطصخذغثزضظءآأإئؤى');
const thai = letters('านรกอเมทลง', 'วยสดตคปชหบพะแโไใขจผถซธศญณภัิีืุู่้็์าำ');

/** What a byte reads as: how much it speaks for the encoding, or undefined when no such byte exists in it. */
type Weigh = (text: string) => number;

const candidates: readonly (readonly [encoding: string, weigh: Weigh])[] = [
  ['shift_jis', (text) => japanese(text)],
  ['euc-jp', (text) => japanese(text)],
  ['gb18030', (text) => han(text, simple)],
  ['big5', (text) => han(text, old)],
  ['euc-kr', (text) => share(text, (sign) => (hangul.has(sign) ? 1 : /[\uac00-\ud7a3]/.test(sign) ? 0.2 : -0.6))],
  ['windows-1251', (text) => alphabet(text, cyrillic)],
  ['koi8-r', (text) => alphabet(text, cyrillic)],
  ['ibm866', (text) => alphabet(text, cyrillic)],
  ['iso-8859-5', (text) => alphabet(text, cyrillic) - 0.02],
  ['windows-1253', (text) => alphabet(text, greek)],
  ['windows-1255', (text) => alphabet(text, hebrew)],
  ['windows-1256', (text) => alphabet(text, arabic)],
  ['windows-874', (text) => alphabet(text, thai)],
  ['windows-1250', (text) => western(text, /[ąćęłóśżáčéěířšůýž]/i, 0.1) - 0.05],
  ['windows-1252', (text) => western(text, /[éèàâêôçüöäßñóáíúãõåæøœîûëïò]/i, 0.5)],
];

const enough = 0.3;
/** Fewer letters than this tell nothing of an alphabet. */
const fewest = 5;
/** In a western text letters beyond ASCII are the exception. */
const mostHigh = 0.3;
/** So far ahead of the next one nobody needs to be told to look. */
const ahead = 0.15;

/** The most likely encoding; nothing when the bytes look like no text that is known. */
export function guessEncoding(bytes: Uint8Array): Guess | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  if (hasEscapes(sample)) return { encoding: 'iso-2022-jp', sure: true };
  const scored = candidates.flatMap(([encoding, weigh]) => {
    const text = decoded(sample, encoding);
    return text === undefined ? [] : [{ encoding, score: weigh(text) }];
  });
  const [best, next] = scored.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score < enough) return undefined;
  return { encoding: best.encoding, sure: next === undefined || best.score - next.score > ahead };
}

/** Japanese mail switches its alphabets by escapes and has no byte beyond ASCII. */
function hasEscapes(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const begins = text.includes('\u001b$B') || text.includes('\u001b$@');
  return begins && text.includes('\u001b(') && !/[\u0080-\u00ff]/.test(text);
}

/** Strictly; a character cut at the end of the sample is no fault. */
function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    // oxlint-disable-next-line no-control-regex -- control characters are what tells bytes from words
    return /[\u0000-\u0008\u000e-\u001a\u007f-\u009f\ue000-\uf8ff]/.test(text) ? undefined : text;
  } catch {
    return undefined; // not valid in this encoding, which is the answer
  }
}

/** The mean weight of the characters beyond ASCII. */
function share(text: string, weight: (sign: string, before: string, after: string) => number): number {
  let [sum, count] = [0, 0];
  const signs = Array.from(text);
  for (const [at, sign] of signs.entries()) {
    if (sign <= '\u007f') continue;
    count += 1;
    sum += weight(sign, signs[at - 1] ?? ' ', signs[at + 1] ?? ' ');
  }
  return count === 0 ? 0 : sum / count;
}

const eastern = /[\u3000-\u3015\uff01-\uff5e·—‘’“”…]/;

function han(text: string, common: ReadonlySet<string>): number {
  return share(text, (sign) => {
    if (common.has(sign)) return 1;
    if (eastern.test(sign)) return 0.4;
    return /[\u4e00-\u9fa5]/.test(sign) ? 0.25 : -1;
  });
}

function japanese(text: string): number {
  return share(text, (sign) => {
    if (kana.test(sign)) return 1;
    if (kanji.has(sign)) return 0.9;
    if (eastern.test(sign)) return 0.4;
    if (/[\uff61-\uff9f]/.test(sign)) return -0.6; // half as wide: what other encodings read as
    return /[\u4e00-\u9fa5]/.test(sign) ? 0.3 : -1;
  });
}

type Letters = { common: ReadonlySet<string>; other: ReadonlySet<string> };

function letters(common: string, other: string): Letters {
  return { common: new Set(common), other: new Set(other) };
}

/** Small letters in words; a capital after a small letter, or a sign within a word, speaks against it. */
function alphabet(text: string, { common, other }: Letters): number {
  // oxlint-disable-next-line no-control-regex -- everything but ASCII
  if (text.replaceAll(/[\u0000-\u007f]/g, '').length < fewest) return 0;
  return share(text, (sign, before, after) => {
    const small = sign.toLowerCase();
    const isLetter = common.has(small) || other.has(small);
    if (!isLetter) return inWord(before, after) ? -1.2 : /[\p{P}\p{S}\u00a0]/u.test(sign) ? -0.1 : -0.6;
    if (sign !== small && before !== before.toUpperCase()) return -1;
    if (/[a-z]/i.test(before) || /[a-z]/i.test(after)) return -0.8;
    return common.has(small) ? 1 : 0.5;
  });
}

/** Letters with accents stand among plain ones, seldom three together; a sign within a word speaks against it. */
function western(text: string, usual: RegExp, signs: number): number {
  // oxlint-disable-next-line no-control-regex -- everything but ASCII
  if (text.replaceAll(/[\u0000-\u007f]/g, '').length > text.length * mostHigh) return 0;
  return share(text, (sign, before, after) => {
    if (!/\p{L}/u.test(sign)) return inWord(before, after) && !/[’'·­]/.test(sign) ? -1 : signs;
    if (before > '\u007f' && after > '\u007f' && /\p{L}/u.test(before) && /\p{L}/u.test(after)) return -1;
    if (!/[\p{L}’']/u.test(before) && !/[\p{L}’']/u.test(after)) return /[àâéèóáíúôöåø]/i.test(sign) ? 0.6 : -0.2;
    const isCapital = sign !== sign.toLowerCase() && /\p{Ll}/u.test(before);
    return isCapital ? -1 : usual.test(sign) ? 0.9 : 0.2;
  });
}

function inWord(before: string, after: string): boolean {
  return /\p{L}/u.test(before) && /\p{L}/u.test(after);
}
