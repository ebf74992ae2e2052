// Reads files that end their child or keep it busy, and ends itself at once.
import { read } from '../../../src/media/index.ts';
import { claimedPng, plain } from '../make.ts';
import { children, report } from './program.ts';

const brush = '<filter id="f"><feMorphology operator="dilate" radius="900"/></filter>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000">${brush}<rect width="2000" height="2000" filter="url(#f)"/></svg>`;
const sources = [Buffer.from(svg), claimedPng(32, 32), claimedPng(50_000, 50_000), await plain(9, 9).png().toBuffer()];
const results = await Promise.all(sources.map((source) => read(source, { limits: { svgMs: 500 } })));
report({ ends: results.map(({ ok }) => ok), pids: children() });
