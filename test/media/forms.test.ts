// What is ticked, chosen and written in the controls of forms. The files were written by LibreOffice, the others are made here as
// Word and Excel write them.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDocx } from '../../src/media/office/docx.ts';
import { readOdf } from '../../src/media/office/odf.ts';
import { readSheet } from '../../src/media/sheet/read.ts';
import { archive, relations } from './archive.ts';
import { shown, survives } from './document.ts';

const form = (name: string): Buffer => readFileSync(new URL(`../fixtures/forms/${name}`, import.meta.url));

const boxes = ['[x] Insured', '[ ] Abroad', '[x] Yearly', '[ ] Monthly'];

/** A control as Excel keeps it: the number of its class, then the same bytes that others put into a container. */
const kept = Buffer.from(
  '00000000000000000000000000000000' +
    '00023c004501c084000000001b08002c0000000004000000020000000e000000010000009f0f0000bb0200003100000049006e00730075007200650064000000',
  'hex',
);
const classId = (kind: string): string => `ax:classid="{8BD21D${kind}-EC42-11CE-9E0D-00AA006002F3}"`;

const shape = (number: number, kind: string, inside: string): string =>
  `<v:shape id="_x0000_s${number}"><v:textbox><div>Box ${number}</div></v:textbox><x:ClientData ObjectType="${kind}"><x:Anchor>1, 5, ${number}, 5, 3, 0, 9, 0</x:Anchor>${inside}</x:ClientData></v:shape>`;
const book = (sheet: string, links: string, shapes: string, parts: Record<string, string> = {}): Buffer =>
  archive({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    '_rels/.rels': relations(['b', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="s"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(['s', 'worksheet', 'worksheets/sheet1.xml']),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Berlin</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Bonn</t></is></c></row></sheetData>${sheet}</worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': links,
    'xl/drawings/vml1.vml': `<xml xmlns:v="v" xmlns:x="x">${shapes}</xml>`,
    ...parts,
  });

describe('a text', () => {
  test.each([
    ['form.docx', readDocx, ['Name: Ada Lovelace']],
    ['form.fodt', readOdf, ['Name: Ada Lovelace', 'Town: Hamburg']],
  ] as const)('has what is filled into its form, in %s', async (name, reader, more) => {
    const markdown = await shown(reader, form(name), { name });
    expect(markdown).toContain([...boxes.map((box, at) => `Q${at + 1} ${box}`), ...more].join('\n\n'));
    await survives(reader, form(name), 60, name);
  });

  test.each([
    ['[x] Insured', `<ax:ocx ${classId('40')} ax:persistence="persistStreamInit" r:id="b"/>`],
    [
      '[ ] Paid',
      `<ax:ocx ${classId('50')}><ax:ocxPr ax:name="Caption" ax:value="Paid"/><ax:ocxPr ax:name="Value" ax:value="0"/></ax:ocx>`,
    ],
    ['Ada', `<ax:ocx ${classId('10')}><ax:ocxPr ax:name="Value" ax:value="Ada"/></ax:ocx>`],
    [
      '![](a.png)',
      `<ax:ocx ${classId('10')}><ax:ocxPr ax:name="Value" ax:value="s3cret"/><ax:ocxPr ax:name="PasswordChar" ax:value="42"/></ax:ocx>`,
    ],
    ['![](a.png)', '<ax:ocx ax:classid="{00000000-EC42-11CE-9E0D-00AA006002F3}"/>'],
    ['![](a.png)', `<ax:ocx ${classId('40')} r:id="none"/><`],
  ])('has %s of a control', async (words, control) => {
    const r = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
    const bytes = archive({
      '_rels/.rels': relations(['d', 'officeDocument', 'word/document.xml']),
      'word/document.xml': `<w:document xmlns:w="w" xmlns:v="v" ${r}><w:body><w:p><w:r><w:object><v:shape><v:imagedata r:id="i"/></v:shape><w:control r:id="c" w:name="Box"/></w:object></w:r></w:p></w:body></w:document>`,
      'word/_rels/document.xml.rels': relations(['c', 'control', 'activeX/a.xml'], ['i', 'image', 'media/a.png']),
      'word/activeX/a.xml': control.replace('<ax:ocx', `<ax:ocx xmlns:ax="ax" ${r}`),
      'word/activeX/_rels/a.xml.rels': relations(['b', 'activeXControlBinary', 'a.bin']),
      'word/activeX/a.bin': kept,
      'word/media/a.png': 'png',
    });
    expect(await shown(readDocx, bytes)).toContain(words);
    await survives(readDocx, bytes, 20, 'control.docx');
  });
});

describe('a sheet', () => {
  test.each([
    // LibreOffice keeps no state of choices in xlsx.
    ['form.xlsx', ['At C3: [x] Insured', 'At C6: [ ] Abroad']],
    ['form.xls', ['At C3: [x] Insured', 'At C6: [ ] Abroad', 'At C8: [x] Yearly', 'At C11: [ ] Monthly']],
    ['form.ods', [...boxes, 'Ada Lovelace', 'Hamburg'].map((one) => `At no cell: ${one}`)],
    ['form.fods', [...boxes, 'Ada Lovelace', 'Hamburg'].map((one) => `At no cell: ${one}`)],
  ])('has the boxes that lie on it with their state, in %s', async (name, said) => {
    expect(await shown(readSheet, form(name), { name })).toContain(said.join('\n\n'));
    await survives(readSheet, form(name), 60, name);
  });

  test('of Excel 2007 has the state of its boxes and what is chosen in its lists', async () => {
    const shapes = [
      shape(3, 'Checkbox', '<x:Checked>1</x:Checked>'),
      shape(4, 'Radio', ''),
      shape(5, 'Drop', '<x:FmlaRange>$A$1:$A$2</x:FmlaRange><x:Sel>2</x:Sel>'),
      shape(6, 'Note', ''),
    ];
    const bytes = book('', relations(['v', 'vmlDrawing', '../drawings/vml1.vml']), shapes.join(''));
    const markdown = await shown(readSheet, bytes);
    expect(markdown.slice(markdown.indexOf('At '))).toBe('At B4: [x] Box 3\n\nAt B5: [ ] Box 4\n\nAt B6: Bonn');
  });

  test('of newer ones has the state that stands in parts of their own', async () => {
    const list =
      '<controls><control shapeId="4" r:id="p"/><control shapeId="3" r:id="q"/><control shapeId="5" r:id="o"/></controls>';
    const links = relations(
      ['v', 'vmlDrawing', '../drawings/vml1.vml'],
      ['p', 'ctrlProp', '../ctrlProps/p.xml'],
      ['q', 'ctrlProp', '../ctrlProps/q.xml'],
      ['o', 'control', '../activeX/o.xml'],
    );
    const shapes = shape(3, 'Checkbox', '<x:Checked>1</x:Checked>') + shape(4, 'Checkbox', '') + shape(5, 'Pict', '');
    const bytes = book(list, links, shapes, {
      'xl/ctrlProps/p.xml': '<formControlPr objectType="CheckBox" checked="Checked"/>',
      'xl/ctrlProps/q.xml': '<formControlPr objectType="CheckBox"/>',
      'xl/activeX/o.xml': `<ax:ocx xmlns:ax="ax" ax:classid="{8BD21D40-EC42-11CE-9E0D-00AA006002F3}"><ax:ocxPr ax:name="Caption" ax:value="Paid"/><ax:ocxPr ax:name="Value" ax:value="1"/></ax:ocx>`,
    });
    const markdown = await shown(readSheet, bytes);
    expect(markdown.slice(markdown.indexOf('At '))).toBe('At B4: [ ] Box 3\n\nAt B5: [x] Box 4\n\nAt B6: [x] Paid');
  });
});
