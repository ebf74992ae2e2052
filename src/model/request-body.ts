// A plan → its body in every form a client may want: JSON, the vendor's own shape, an outline for people, a stream.
import type { AssetStore } from '../asset/store.ts';
import type { Access } from '../config/environment.ts';
import { endpoints } from '../window/catalog.ts';
import type { EndpointName } from '../window/catalog.ts';
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
  const { versionInBody } = endpoints[profile.endpoint as EndpointName];
  const { versioned } = wire.route;
  /** The REST body; what the vendor's own SDK takes may differ. */
  const sent = (): Skeleton<Bodies[Wire]> => {
    if (versionInBody === undefined || !versioned) return skeleton();
    return { skeleton: versioned({ ...skeleton().skeleton }, versionInBody) as unknown as Bodies[Wire], memo };
  };
  const streaming = (): Skeleton<unknown> =>
    (streamed ??= { skeleton: { ...sent().skeleton, ...wire.streamFields(profile) }, memo });
  const own: Encoders<Wire> = {
    json: () => inline(sent(), bytesOf),
    sdk: async () => wire.sdk(await inline(skeleton(), bytesOf), planned),
    outline: () => outline(sent()),
    stream: () => stream(sent(), encoded),
    get contentLength() {
      return contentLength(sent());
    },
    outgoing: (access) => ({
      ...addressOf(planned, { ...access, ...given(options) }, true),
      stream: (how = {}) => stream(streaming(), encoded, how),
      chunks: (how = {}) => bodyChunks(streaming(), encoded, how),
      get contentLength() {
        return contentLength(streaming());
      },
      skeleton: streaming,
      assets,
    }),
  };
  return { encoders: own, skeleton };
}

/** What the caller said about the address goes over what the environment says. */
function given({ baseUrl, apiVersion }: Access): Access {
  return { ...(baseUrl !== undefined && { baseUrl }), ...(apiVersion !== undefined && { apiVersion }) };
}
