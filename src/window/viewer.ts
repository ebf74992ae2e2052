// Who is shown a medium, as far as a decision has to know: a model's profile, or a client that hands things on to one.
import { keptAtHome } from '../content/words.ts';
import { anyType, fourPictures, medium } from './catalog.ts';
import type { Profile } from './profile.ts';

/** What has to be known of whoever is shown a medium: a model, or a client that hands it on to one. */
export type Viewer = Pick<
  Profile,
  'id' | 'media' | 'details' | 'defaultDetail' | 'largeEdge' | 'manyImages' | 'contextTokens'
> &
  Partial<Pick<Profile, 'tokens' | 'maxImages' | 'files'>> & {
    /** A document goes as its text; one that has none as pictures of its first pages, so many at most. */
    textFirst?: { pages: number };
    /** Why media are kept from it, where that is somebody's wish. */
    withheld?: string;
  };

const fewBytes = { maxBase64: 10_000_000 };

/** What clients of a tool server take, as far as all of them do. Few show a document: its words go first, then itself. */
export const mcpClient: Viewer & { requestBytes: number } = {
  id: 'this client',
  media: {
    image: medium(fourPictures, 'inside', { maxBase64: 5_000_000 }),
    document: medium([anyType], 'words', fewBytes),
    audio: medium([anyType], 'inside', fewBytes),
    video: medium([anyType], 'inside', fewBytes),
  },
  details: [],
  defaultDetail: 'auto',
  contextTokens: 30_720,
  requestBytes: 18_000_000,
  textFirst: { pages: 5 },
};

/** The same for a person whose pictures stay at home. */
export const blindMcpClient: Viewer = {
  ...mcpClient,
  media: { ...mcpClient.media, image: medium([], 'words'), document: medium([], 'words'), video: medium([], 'words') },
  withheld: keptAtHome,
};
