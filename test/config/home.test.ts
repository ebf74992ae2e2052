// In processes of their own: a worker of the tests has a copy of the variables, and the system does not look at that.
import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const program = `import { homeFolder } from ${JSON.stringify(resolve('src/config/home.ts'))}; console.log(homeFolder())`;

function homeWith(env: Record<string, string>, uid?: number): string {
  const as = uid === undefined ? {} : { uid, cwd: '/' };
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env,
    stdio: 'pipe',
    ...as,
  }).trim();
}

test.each(['', '.', 'ada'])(
  'a HOME of "%s" names no place: what is a person’s own lies in no working folder',
  (home) => {
    expect(homeWith({ HOME: home })).toBe(join(userInfo().homedir, '.sightline'));
  },
);

test('a HOME that is a place is where it lies, unless SIGHTLINE_HOME names another', () => {
  expect(homeWith({ HOME: '/home/ada' })).toBe('/home/ada/.sightline');
  expect(homeWith({ HOME: '/home/ada', SIGHTLINE_HOME: '/srv/sightline' })).toBe('/srv/sightline');
});

const nobody = 54_321;

/** Only root becomes another, and only where the other reaches these files. */
function becomesAnother(): boolean {
  try {
    execFileSync('test', ['-r', resolve('src/config/home.ts'), '-a', '-x', process.execPath], {
      uid: nobody,
      cwd: '/',
    });
    return true;
  } catch {
    return false;
  }
}

// as in a container that is started for a number of which its system knows nothing
test.runIf(becomesAnother())('where nobody knows a folder, a sentence says what to set', () => {
  expect(() => homeWith({}, nobody)).toThrow(/HOME is not set, and the system knows no folder of yours\. Set HOME\./);
  expect(homeWith({ HOME: '/srv' }, nobody)).toBe('/srv/.sightline');
});
