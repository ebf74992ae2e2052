// Uploads to the providers' own file stores: each asset once for an account, with an expiry of ours, written down before it is
// sent, so that what is left behind by a crash is known and bounded.
import { newHash } from '../../asset/hash.ts';
import type { Asset } from '../../content/block.ts';
import { fewAtOnce } from '../../content/few-at-once.ts';
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import { endpoints, isEndpoint } from '../../window/catalog.ts';
import { wires } from '../../wire/registry.ts';
import { baseOf } from '../address.ts';
import { accessGiven, authHeaders } from '../auth.ts';
import { pause, systemClock } from '../http/clock.ts';
import type { Clock } from '../http/clock.ts';
import { redact } from '../redact.ts';
import type { Secret } from '../send-options.ts';
import { claimMs, isGood, isUnderWay, memoryUploadTable } from './port.ts';
import type { BytesAgain, Uploaded, UploadRow, FileUploads, UploadTable } from './port.ts';
import { fileStores, isUnknown, StoreRefusal } from './stores.ts';
import type { StoreAccess } from './stores.ts';

/** Whose account the files go to, and for how long they stay there. */
export type FileUploadOptions = {
  /** The key of the account that owns the files; the environment's by default. */
  key?: Secret;
  baseUrl?: string;
  /** How long files stay at the provider, 24 hours unless set. Google keeps them for 48, whatever is set. */
  keepHours?: number;
  /** Where uploads are written down; by default in memory. */
  table?: UploadTable;
  clock?: Clock;
  /** Told as each piece of a file leaves; from its beginning again where it is sent again. */
  onProgress?: (progress: { name?: string; sent: number; size: number }) => void;
};

const [tries, atOnce, pollMs] = [3, 4, 50];

/** The same bytes; whoever wants to know hears how many have left. */
function heard({ name, size }: Asset, bytes: BytesAgain, { onProgress }: FileUploadOptions): BytesAgain {
  if (!onProgress) return bytes;
  return async function* () {
    let sent = 0;
    for await (const chunk of bytes()) {
      yield chunk;
      sent += chunk.length;
      onProgress({ ...(name !== undefined && { name }), sent, size });
    }
  };
}

/**
 * Uploads media to the files of Anthropic, OpenAI, Gemini or xAI, so that each travels once: give it as `uploads`.
 *
 * @example
 * const uploads = fileUploads({ keepHours: 2 });
 * await runAgent({ model: 'anthropic/claude-sonnet-5', prompt: 'Look.', tools, uploads }).result();
 * await uploads.withdraw();
 */
export function fileUploads(options: FileUploadOptions = {}): FileUploads {
  const { keepHours = 24, table = memoryUploadTable(), clock = systemClock } = options;
  const turn = fewAtOnce(atOnce);

  const accessFor = async (endpoint: string, signal?: AbortSignal): Promise<StoreAccess | undefined> => {
    if (!isEndpoint(endpoint) || !fileStores[endpoint]) return undefined;
    const access = {
      ...(await accessGiven(endpoint, options)),
      ...(options.baseUrl !== undefined && { baseUrl: options.baseUrl }),
    };
    const base = baseOf(endpoint, access);
    const auth = authHeaders(endpoint, new URL(base), access);
    if (Object.keys(auth).length === 0) return undefined;
    const headers = { ...wires[endpoints[endpoint].wire].route.headers?.(), ...auth };
    return {
      base,
      headers,
      keepMs: keepHours * 3_600_000,
      signal: signal ?? new AbortController().signal,
      clock,
    };
  };
  const account = async (endpoint: string): Promise<string | undefined> => {
    const access = await accessFor(endpoint);
    if (!access) return undefined;
    const words = JSON.stringify([endpoint, access.base, Object.values(access.headers)]);
    return newHash().update(words).digest('hex').slice(0, 16);
  };

  const give = async (
    asset: Asset,
    endpoint: string,
    bytes: BytesAgain,
    signal?: AbortSignal,
  ): Promise<Read<Uploaded>> => {
    const [owner, access, store] = [await account(endpoint), await accessFor(endpoint, signal), fileStores[endpoint]];
    if (owner === undefined || !access || !store)
      return refuse('not-allowed', `${endpoint} has no file store here`, 'Send it inline.');
    if (asset.size > store.most)
      return refuse('too-large', 'The file is too large for the store', 'Send less of it.', `${store.most} bytes`);
    for (;;) {
      const [known, now] = [await table.find(owner, asset.id), clock.now()];
      if (isGood(known, now)) return { ok: true, value: { file: known.file, expires: known.expires } };
      const row: UploadRow = {
        account: owner,
        asset: asset.id,
        endpoint,
        file: '',
        size: asset.size,
        created: now,
        expires: now + access.keepMs,
        state: 'sending',
      };
      if (await table.claim(row))
        return await turn(() => claimed(row, () => store.upload(asset, heard(asset, bytes, options), access), access));
      if (access.signal.aborted) return refuse('cancelled', 'The upload was cancelled', 'Ask again when it is needed.');
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  /** Uploads what was claimed, and says so for as long as it takes. */
  const claimed = async (
    row: UploadRow,
    upload: () => Promise<Uploaded>,
    { signal }: StoreAccess,
  ): Promise<Read<Uploaded>> => {
    const again = setInterval(
      () => void table.keep({ ...row, created: clock.now() }).catch(() => undefined),
      claimMs / 4,
    );
    const sent = await sendUp(upload, clock, signal).finally(() => clearInterval(again));
    await (sent.ok ? table.keep({ ...row, ...sent.value, state: 'ready' }) : table.drop(row.account, row.asset));
    return sent;
  };

  return {
    account,
    give: onceForAll(give),
    stale: async (endpoint, files) => {
      const owner = await account(endpoint);
      const good = new Set(
        (await table.rows()).filter((row) => row.account === owner && isGood(row, clock.now())).map(({ file }) => file),
      );
      return new Set(files.filter((file) => !good.has(file)));
    },
    forget: async (endpoint, files, complaint) => {
      const [owner, access] = [await account(endpoint), await accessFor(endpoint)];
      const own = (await table.rows()).filter(({ account: by, file }) => by === owner && files.includes(file));
      const gone = await Promise.all(
        own.map((row) =>
          turn(async () => isNamed(row, complaint) || (access !== undefined && (await isGone(row, access)))),
        ),
      );
      const lost = own.filter((_, at) => gone[at]);
      for (const row of lost) await table.drop(row.account, row.asset);
      return lost.length;
    },
    withdraw: async (assets) => {
      let [deleted, left] = [0, 0];
      for (const row of await table.rows()) {
        if (assets && !assets.has(row.asset)) continue;
        const isOver = row.expires <= clock.now() && !isUnderWay(row, clock.now());
        const access = row.account === (await account(row.endpoint)) ? await accessFor(row.endpoint) : undefined;
        const isDeleted = !isOver && row.file !== '' && access !== undefined && (await removed(row, access));
        if (isOver || isDeleted) await table.drop(row.account, row.asset);
        if (isDeleted) deleted++;
        if (!isOver && !isDeleted) left++;
      }
      return { deleted, left };
    },
  };
}

/** One upload for all who ask for the same at once. Whoever began it may be stopped, which is nothing to the others. */
function onceForAll(give: FileUploads['give']): FileUploads['give'] {
  const under: Map<string, Promise<Read<Uploaded>>> = new Map();
  const together: FileUploads['give'] = async (asset, endpoint, bytes, signal) => {
    const key = `${endpoint} ${asset.id}`;
    const running = under.get(key) ?? give(asset, endpoint, bytes, signal).finally(() => under.delete(key));
    under.set(key, running);
    const given = await running;
    const wasOthers = !given.ok && given.refusal.code === 'cancelled' && !signal?.aborted;
    return wasOthers ? await together(asset, endpoint, bytes, signal) : given;
  };
  return together;
}

/** Whether the words of a provider name a file: by its id, or by the end of its address. */
function isNamed({ file }: UploadRow, words: string): boolean {
  return words.includes(file.slice(file.lastIndexOf('/') + 1));
}

/** Whether the provider says that it does not have a file, as far as it can be asked. */
async function isGone({ endpoint, file }: UploadRow, access: StoreAccess): Promise<boolean> {
  return (await fileStores[endpoint]?.has(file, access).catch(() => true)) === false;
}

/** Whether a file is no longer at its provider. */
async function removed({ endpoint, file }: UploadRow, access: StoreAccess): Promise<boolean> {
  return (await fileStores[endpoint]?.remove(file, access).then(() => true, isUnknown)) ?? false;
}

/** Tries again what may pass. Never throws: what could not be uploaded is a refusal. */
async function sendUp(upload: () => Promise<Uploaded>, clock: Clock, signal: AbortSignal): Promise<Read<Uploaded>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return { ok: true, value: await upload() };
    } catch (error) {
      if (signal.aborted) return refuse('cancelled', 'The upload was cancelled', 'Ask again when it is needed.');
      const status = error instanceof StoreRefusal ? error.status : undefined;
      const mayPass = status === undefined || status === 408 || status === 429 || status >= 500;
      const words = redact(error instanceof Error ? error.message : String(error));
      const failed = status ? `was refused (${status})` : 'failed';
      if (!mayPass || attempt >= tries)
        return refuse('not-allowed', `The upload ${failed}: ${words}`, 'Send it inline.');
      await pause(clock, 500 * 2 ** (attempt - 1), signal);
    }
  }
}
