// A gateway of the soak as a process of its own. Tells of the memory and the handles it holds after a collection.
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { openGateway } from '../../src/gateway/index.ts';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import { sampled } from './sample.ts';
import type { Told } from './player.ts';

export type GatewayInput = { options: GatewayOptions; sampleMs: number; mediaMib: number };

const tell = (told: Told): void => void process.send?.(told);

process.on('unhandledRejection', (error) => tell({ violation: `a gateway: nobody caught ${String(error)}` }));
process.on('disconnect', () => process.exit());
process.once('message', (input: GatewayInput) => void serve(input));

async function serve({ options, sampleMs, mediaMib }: GatewayInput): Promise<void> {
  await openGateway({ ...options, assets: memoryAssets({ maxBytes: mediaMib * 1024 * 1024 }) });
  tell('ready');
  setInterval(() => void sampled().then(tell), sampleMs);
}
