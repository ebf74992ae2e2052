// The public surface of `sightline/session`.
export { lossLine } from './assets.ts';
export type { Loss } from './assets.ts';
export type { Entry, EntryBody, EntryId, EntryInput, EntryType, EntryFrame } from './entry.ts';
export { examineDatabase, examineSession, repairDatabase, repairSession } from './repair/doctor.ts';
export type { Problem } from './repair/doctor.ts';
export type { Salvaged } from './repair/salvage.ts';
export type { BodyDelta, Delta } from '../record/delta.ts';
export { exportSession, formatOf } from './export/export.ts';
export type { ExportFormat, ExportOptions } from './export/export.ts';
export { importSession } from './export/import.ts';
export type { Imported } from './export/import.ts';
export type { Collected, Tally } from './gc.ts';
export { memoryLog } from './log/memory.ts';
export { postgresLog } from './log/postgres.ts';
export type { PostgresOptions } from './log/postgres.ts';
export type {
  Change,
  Claims,
  Cursor,
  EntryLog,
  SearchHit,
  LeaseHolder,
  IdleAssets,
  Lease,
  NewRow,
  EntryRange,
  Referred,
  SessionInfo,
} from './log/port.ts';
export type { EntryRow } from './log/migrations.ts';
export { alteredLine } from './reader.ts';
export type { SessionReader } from './reader.ts';
export { s3Assets } from './s3-assets.ts';
export type { S3Options } from './s3-assets.ts';
export type { AwsKeys } from '../asset/sigv4.ts';
export type { S3Access } from './s3-place.ts';
export type { RecordedRequest } from './sent.ts';
export type { RecordOptions } from './recording.ts';
export type {
  ConversationRow,
  RecordMode,
  RequestRow,
  RequestTable,
  RowBreak,
  StoredRequest,
} from '../record/table.ts';
export type { Session } from './session.ts';
export { memorySessions, openJsonLines, openSessions, sessionsOver } from './store.ts';
export type {
  FolderSessions,
  GcOptions,
  SessionBounds,
  SessionsOptions,
  SessionsOver,
  SessionStore,
  SharedSessions,
} from './store.ts';
export type { BreakKind, PrefixBreak } from '../record/prefix.ts';
