// Ceilings that no model changes: what one result shows, whoever it is for. The only place of these numbers.

/** How many characters of text one result, or one reading, shows; the whole is kept as an asset. */
export const maxText = 30_720;

/** How many media one result shows. */
export const maxMedia = 100;

/** How many bytes of a stream are read that a tool returns. */
export const maxStream = 256_000_000;

/** How long an unbroken run of base64 letters may be before it is looked at, whatever it begins with. */
export const maxRun: number = 16 * 1024;
