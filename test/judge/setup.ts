// Vitest's global setup: brings what is installed on demand, fills the schema cache once, before any worker asks
// for it, and says who cannot judge.

import { bringAll } from '../../scripts/bring.ts';
import { missingSpecifications } from './judge.ts';
import { sdkSchema, sdkSources } from './sdk-schema.ts';
import type { SdkWire } from './sdk-schema.ts';

export default async function setup(): Promise<void> {
  bringAll();
  for (const wire of Object.keys(sdkSources) as SdkWire[]) await sdkSchema(wire);
  for (const line of missingSpecifications()) console.warn(`judge skipped: ${line}`);
}
