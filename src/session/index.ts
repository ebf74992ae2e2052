// The public surface of `sightline/session`.
export { lossLine } from './assets.ts';
export type { Loss } from './assets.ts';
export type { Entry, EntryId, EntryInput } from './entry.ts';
export { examineDatabase, examineSession, repairDatabase, repairSession } from './repair/doctor.ts';
export type { Problem } from './repair/doctor.ts';
export { exportSession, formatOf } from './export/export.ts';
export type { ExportFormat } from './export/export.ts';
export { importSession } from './export/import.ts';
export type { Imported } from './export/import.ts';
export type { Collected, Tally } from './gc.ts';
export type { Found, SessionInfo } from './log/port.ts';
export type { SessionReader } from './reader.ts';
export type { Session } from './session.ts';
export { memorySessions, openJsonLines, openSessions } from './store.ts';
export type { GcOptions, SessionsOptions, SessionStore } from './store.ts';
