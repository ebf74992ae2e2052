// How the program ends. Commands give one of these numbers back; none of them ends the process itself.

export const done = 0;
/** Refused or failed, or a search that found nothing, as `grep` has it. */
export const failed = 1;
export const wrongUsage = 2;
export const interrupted = 130;

export type ExitCode = typeof done | typeof failed | typeof wrongUsage | typeof interrupted;
