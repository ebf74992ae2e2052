// The environment a tool gets: what programs need to work at all, and what the user granted that tool by name. Keys of
// model APIs are not in it.
import { delimiter } from 'node:path';
import type { Environment } from '../../config/environment.ts';
import { folderOf } from '../../config/package.ts';

const allowed = new Set(
  (
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM COLORTERM NO_COLOR TMPDIR TEMP TMP DISPLAY WAYLAND_DISPLAY ' +
    'XAUTHORITY DBUS_SESSION_BUS_ADDRESS SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE ' +
    'SystemRoot SystemDrive ComSpec PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA'
  ).split(' '),
);
const allowedKinds = /^(?:LC_|XDG_)/;

/** Where the modules for tools in Python lie, in the source and in the package alike. */
export const pythonFolder: string = folderOf('toolbox/executable/python/');

/** What any program may see of our environment, and what was granted to this one. */
export function openVariables(outer: Environment, granted: readonly string[] = []): Record<string, string> {
  const names = Object.keys(outer).filter(
    (name) => allowed.has(name) || allowedKinds.test(name) || granted.includes(name),
  );
  return Object.fromEntries(names.flatMap((name) => (outer[name] === undefined ? [] : [[name, outer[name]]])));
}

/** The environment of a tool with these grants. */
export function surroundingsOf(outer: Environment, granted: readonly string[] = []): Record<string, string> {
  const kept = openVariables(outer, granted);
  const python = [pythonFolder.replace(/[/\\]$/, ''), kept['PYTHONPATH']].filter((place) => place !== undefined);
  // Python would leave a folder of compiled files beside the tools.
  return { ...kept, PYTHONPATH: python.join(delimiter), PYTHONDONTWRITEBYTECODE: '1', SIGHTLINE_TOOL: '1' };
}
