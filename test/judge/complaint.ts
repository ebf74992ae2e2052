// The one sentence form all rules share.

/** The complaint, unless the condition holds. */
export function unless(holds: boolean, complaint: string): string[] {
  return holds ? [] : [complaint];
}
