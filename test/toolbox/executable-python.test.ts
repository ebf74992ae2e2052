// Tools in Python with the module that comes with the package, and those written for Silica.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { executableTools } from '../../src/toolbox/executable/tools.ts';
import { sharedFile } from '../judge/shared-folder.ts';
import { newHome, textOf } from './executable-home.ts';

const several = `
import asyncio, enum, sys
from pathlib import Path
from typing import Literal, Optional, Union
from sightline_tool import png, run, tool

class Size(enum.Enum):
    small = "s"
    large = "l"

@tool(timeout=5, category="art", tags=["a", "b"])
def everything(text: str, count: int, ratio: float = 0.5, on: bool = True, off: bool = False, names: list[str] = [],
               table: dict = {}, kind: Literal["a", "b"] = "a", size: Size = Size.small, where: Path = Path("."),
               maybe: Optional[str] = None, needed: Optional[int] = ..., either: Union[int, str] = 1):
    """Take everything there is.

    It has a second paragraph.

    Args:
        text: Some text: with a colon
            and a second line
        count (int): How many

    Returns:
        what it got
    """
    return {"got": [text, count, ratio, on, off, names, table, kind, size.name, where.name, maybe, either]}

@tool
def picture():
    "A picture."
    print("drawing")
    return {"message": "drawn", "pictures": [{"image": png(3, 2, lambda x, y: (x, y, 0))}, png(1, 1, lambda x, y: (0, 0, 0))]}

@tool
def raw():
    "Bytes."
    return png(4, 4, lambda x, y: (9, 9, 9))

@tool
async def later():
    "Async."
    await asyncio.sleep(0)
    return "words"

@tool
def broken():
    "Breaks."
    raise RuntimeError("no camera")

run()
`;

const { write, call, options } = newHome();
write('home/tools/several.py', several);

test('the signature becomes the schema and the docstring its words', async () => {
  const { states } = await executableTools(options);
  expect(states.map(({ name, state }) => `${name} ${state}`)).toEqual(
    ['everything', 'picture', 'raw', 'later', 'broken'].map((name) => `${name} ready`),
  );
  expect(states[0]?.spec).toEqual({
    name: 'everything',
    description: 'Take everything there is.\n\nIt has a second paragraph.',
    input: 'json',
    subcommand: 'everything',
    seconds: 5,
    category: 'art',
    tags: ['a', 'b'],
    inputSchema: {
      type: 'object',
      required: ['text', 'count'],
      properties: {
        text: { type: 'string', description: 'Some text: with a colon and a second line' },
        count: { type: 'integer', description: 'How many' },
        ratio: { type: 'number', default: 0.5 },
        on: { type: 'boolean', default: true },
        off: { type: 'boolean', default: false },
        names: { type: 'array', items: { type: 'string' }, default: [] },
        table: { type: 'object', default: {} },
        kind: { type: 'string', enum: ['a', 'b'], default: 'a' },
        size: { type: 'string', enum: ['s', 'l'], default: 's' },
        where: { type: 'string', default: '.' },
        maybe: { type: 'string' },
        needed: { type: 'integer' },
        either: { type: ['integer', 'string'], default: 1 },
      },
    },
  });
});

test('arguments arrive as what the function declares', async () => {
  const input = {
    text: '--x',
    count: 2,
    ratio: 1,
    on: false,
    names: ['a'],
    table: { b: null },
    size: 'l',
    where: '/c',
    maybe: null,
  };
  const { details } = await call('everything', input);
  expect(details).toEqual({ got: ['--x', 2, 1, false, false, ['a'], { b: null }, 'a', 'large', 'c', null, 1] });
});

test('bytes in what is returned are pictures, and what is printed is progress', async () => {
  const lines: string[] = [];
  const { content } = await call('picture', {}, { onProgress: (line) => lines.push(line) });
  expect(content).toMatchObject([
    { type: 'text' },
    { type: 'image', width: 3, height: 2 },
    { type: 'image', width: 1 },
  ]);
  expect(lines).toEqual(['drawing']);
});

test('bytes alone are a picture, and a coroutine is awaited', async () => {
  expect((await call('raw')).content).toMatchObject([{ type: 'text' }, { type: 'image', width: 4, height: 4 }]);
  expect(textOf(await call('later'))).toBe('words');
});

test('an exception is an error in one sentence', async () => {
  const result = await call('broken');
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('RuntimeError: no camera');
  expect(textOf(result)).not.toContain('Traceback');
});

test('a tool with authorize needs it', async () => {
  const { write: put, options: here } = newHome();
  put(
    'home/tools/mail.py',
    'from sightline_tool import run, tool\ndef login():\n    raise RuntimeError("no token")\n@tool(authorize=login)\ndef mail():\n    "Mail."\nrun()\n',
  );
  expect((await executableTools(here)).states).toMatchObject([{ name: 'mail', state: 'needs-auth' }]);
});

test('what the docstring of a script for Silica states holds for its spec', async () => {
  const { write: put, options: here } = newHome();
  const code = `"""Reads mail.

Metadata:
    category: mail
    tags: inbox, imap
    creator_persona: somebody
    long_running: true
    requires_auth: true
"""
import json, sys
if "--toolspec" in sys.argv:
    print(json.dumps({"name": "mail", "description": "Mail.", "input_schema": {"type": "object", "properties": {}}}))
else:
    sys.exit(1)
`;
  put('silica/mail.py', code);
  expect((await executableTools(here)).states).toMatchObject([
    { state: 'needs-auth', spec: { category: 'mail', tags: ['inbox', 'imap'], seconds: 600, needsAuth: true } },
  ]);
});

test('a script for Silica finds its helper, which makes the spec of a function', async () => {
  const { write: put, options: here, call: callHere } = newHome();
  const code = `import json, sys
from _silica_toolspec import generate_schema
def greet(name: str, loud: bool = False, toolspec: bool = False):
    """Greets somebody.

    Args:
        name: Who is greeted
        loud: Whether everybody hears it
    """
if "--toolspec" in sys.argv:
    print(json.dumps(generate_schema(greet, "greet")))
else:
    print(json.dumps({"success": True, "message": "Hello " + sys.argv[2]}))
`;
  put('silica/greet.py', code);
  const { states } = await executableTools(here);
  expect(states).toMatchObject([{ name: 'greet', state: 'ready', spec: { description: 'Greets somebody.' } }]);
  expect(states[0]?.spec?.inputSchema).toMatchObject({ required: ['name'] });
  expect(states[0]?.spec?.inputSchema['properties']).toEqual({
    name: { type: 'string', description: 'Who is greeted' },
    loud: { type: 'boolean', description: 'Whether everybody hears it', default: false },
  });
  expect(JSON.parse(textOf(await callHere('greet', { name: 'Ada' })))).toEqual({ success: true, message: 'Hello Ada' });
});

/** Just enough of the library that Silica's tools are written with: a function called with flags. */
const cyclopts = `
import inspect, sys
class App:
    def default(self, function):
        self.function = function
        return function
    def __call__(self):
        given, words = {}, sys.argv[1:]
        while words:
            key, tied, value = words.pop(0)[2:].partition("=")
            hint = inspect.signature(self.function).parameters[key].annotation
            given[key] = True if hint is bool else value if tied else words.pop(0)
        self.function(**given)
`;

const page = sharedFile('seeds/001_6e10da45493452d2.txt');

test.skipIf(page === undefined)('the reference tool of Silica runs unchanged', async () => {
  const silica = newHome();
  const script = /```python\n(#!\/usr\/bin\/env -S uv run[\s\S]*?)```/.exec(readFileSync(page ?? '', 'utf8'))?.[1];
  silica.write('silica/capture_image.py', script ?? '');
  silica.write('silica/cyclopts/__init__.py', cyclopts, 0o644);
  const { states } = await executableTools(silica.options);
  expect(states).toMatchObject([
    {
      name: 'capture_image',
      state: 'ready',
      spec: {
        description: 'Capture and return an image.',
        inputSchema: {
          properties: { output: { type: 'string', description: 'Optional file path to save the image' } },
        },
      },
    },
  ]);
  const saved = await silica.call('capture_image', { output: 'out.png' });
  expect(JSON.parse(textOf(saved))).toEqual({ success: true, path: 'out.png', message: 'Image saved' });
  expect(readFileSync(join(silica.project, 'out.png')).subarray(1, 4).toString()).toBe('PNG');
  expect(textOf(await silica.call('capture_image'))).toContain('Image captured');
});

const newcomers = `
print("Hello from a library")
import io
from pathlib import Path
from sightline_tool import png, run, tool

dot = png(2, 2, lambda x, y: (9, 9, 9))

class Figure:
    "What a figure of Matplotlib can do."
    def savefig(self, file, format):
        file.write(dot)

class Picture:
    "What a picture of Pillow can do."
    def _repr_png_(self):
        return dot

@tool
def plain(values=[3, 7], height=120, scale=1.5, on=True, name="x", table={}, where=Path("."), maybe=None):
    "Types by their defaults."
    return [type(one).__name__ for one in (values, height, scale, on, name, table)]

@tool
def figure():
    "A figure."
    return Figure()

@tool
def picture():
    "Pictures in a record."
    return {"pictures": [Picture(), io.BytesIO(dot)], "n": 1}

@tool
def steps():
    "Steps."
    yield "one"
    yield "two"
    return "done"

@tool
async def later():
    "Steps, later."
    yield "one"
    yield {"two": 2}

@tool
def keys():
    "No JSON."
    return {(1, 2): 3}

run()
`;

test('parameters without types have those of their defaults', async () => {
  write('home/tools/newcomers.py', newcomers);
  const { states } = await executableTools(options);
  expect(states.find(({ name }) => name === 'plain')?.spec?.inputSchema).toEqual({
    type: 'object',
    required: [],
    properties: {
      values: { type: 'array', items: {}, default: [3, 7] },
      height: { type: 'integer', default: 120 },
      scale: { type: 'number', default: 1.5 },
      on: { type: 'boolean', default: true },
      name: { type: 'string', default: 'x' },
      table: { type: 'object', default: {} },
      where: { type: 'string', default: '.' },
      maybe: { type: 'string' },
    },
  });
  expect(textOf(await call('plain', { values: [1], height: 2 }))).toContain('"list",\n  "int",\n  "float"');
});

test('what plotting and picture libraries make is a picture, also after words that a library prints', async () => {
  write('home/tools/newcomers.py', newcomers);
  const hello = { type: 'text', text: 'Hello from a library' };
  const shown = { type: 'image', width: 2, height: 2 };
  expect((await call('figure')).content).toMatchObject([hello, { type: 'text' }, shown]);
  expect((await call('picture')).content).toMatchObject([hello, { type: 'text' }, shown, shown]);
});

test('what a generator yields is progress, and its result is what it returns or yielded last', async () => {
  write('home/tools/newcomers.py', newcomers);
  const lines: string[] = [];
  const onProgress = (line: string): void => void lines.push(line);
  expect(textOf(await call('steps', {}, { onProgress }))).toBe('Hello from a library\ndone');
  expect(lines.at(-1)).toBe('two');
  expect(textOf(await call('later'))).toBe('Hello from a library\n{\n  "two": 2\n}');
});

test('a result that is no JSON is an error that names why', async () => {
  write('home/tools/newcomers.py', newcomers);
  const result = await call('keys');
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('"error": "TypeError: keys must be str');
});
