// `sightline/script`: a model that says what you wrote, for tests, demos and docs.
export { script } from './script.ts';
export type { Answer, Asked, Fault, Saying, Script, ScriptedCall, Step, ScriptedRequest } from './script.ts';
export type { Accepted } from '../../wire/accepted.ts';
export { scriptedSend } from './send.ts';
export type { ScriptedSend, SentRequest } from './send.ts';
export { scriptedServer } from './server.ts';
export type { ScriptedServer, ServerOptions } from './server.ts';
