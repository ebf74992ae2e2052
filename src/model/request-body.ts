// A plan → its body in every form a client may want: JSON, the vendor's own shape, an outline for people, a stream.
import type { AssetStore } from '../asset/store.ts';
import type { Access } from '../config/environment.ts';
import type { Plan } from '../window/plan-types.ts';
import type { WireName } from '../window/profile.ts';
import { bodyChunks, contentLength, inline, outline, stream } from '../wire/body.ts';
import type { BytesOf, Skeleton } from '../wire/body.ts';
import type { Bodies } from '../wire/registry.ts';
import { wires } from '../wire/registry.ts';
import type { ItemMemo } from '../wire/item-memo.ts';
import { addressOf } from './address.ts';
import type { Prepared } from './prepared.ts';

type Encoders<Wire extends WireName> = Pick<
  Prepared<Wire>,
  'json' | 'sdk' | 'outline' | 'stream' | 'contentLength' | 'outgoing'
>;

/** The ways to get at the body of a plan; nothing is encoded until one of them is asked. */
export function encoders<Wire extends WireName>(
  name: Wire,
  planned: Plan,
  assets: AssetStore,
  options: Access,
  memo: ItemMemo,
): { encoders: Encoders<Wire>; skeleton: () => Skeleton<Bodies[Wire]> } {
  const wire = wires[name];
  const bytesOf: BytesOf = (id) => assets.stream(id);
  const encoded: BytesOf = (id) => assets.stream(id, { reuse: true }); // each chunk is encoded before the next is read
  const { profile } = planned;
  let made: Skeleton<Bodies[Wire]> | undefined;
  let streamed: Skeleton<unknown> | undefined;
  const skeleton = (): Skeleton<Bodies[Wire]> => {
    if (made) return made;
    memo.turn();
    return (made = { ...wire.encode(planned, memo), memo });
  };
  const streaming = (): Skeleton<unknown> =>
    (streamed ??= { skeleton: { ...skeleton().skeleton, ...wire.streamFields(profile) }, memo });
  const own: Encoders<Wire> = {
    json: () => inline(skeleton(), bytesOf),
    sdk: async () => wire.sdk(await inline(skeleton(), bytesOf), planned),
    outline: () => outline(skeleton()),
    stream: () => stream(skeleton(), encoded),
    get contentLength() {
      return contentLength(skeleton());
    },
    outgoing: (access) => ({
      ...addressOf(planned, { ...access, ...given(options) }, true),
      stream: (how = {}) => stream(streaming(), encoded, how),
      chunks: (how = {}) => bodyChunks(streaming(), encoded, how),
      get contentLength() {
        return contentLength(streaming());
      },
      skeleton: streaming,
    }),
  };
  return { encoders: own, skeleton };
}

/** What the caller said about the address goes over what the environment says. */
function given({ baseUrl, apiVersion }: Access): Access {
  return { ...(baseUrl !== undefined && { baseUrl }), ...(apiVersion !== undefined && { apiVersion }) };
}
