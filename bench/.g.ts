import loop from './growth/loop.ts';
import { fileAssets } from '../src/index.ts';
import { mkdtempSync } from 'node:fs'; import { randomBytes } from 'node:crypto';
const folder = mkdtempSync('/tmp/s/proof/g-'); const st = fileAssets(folder); const assets: any[]=[]; for (let i=0;i<400;i++) assets.push(await st.put(randomBytes(2048),{mediaType:'image/png'}));
console.log(await loop({model: process.argv[2] ?? 'anthropic/claude-sonnet-4-5', folder, assets, marks:[10,40,100,200,300,400]}));
