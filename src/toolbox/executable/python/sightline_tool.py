"""Tools in Python: a function with a docstring becomes a tool that a model can call.

    from sightline_tool import tool, run

    @tool
    def greet(name: str, times: int = 1):
        '''Greet somebody.

        Args:
            name: Whom to greet
        '''
        return {"message": f"Hello {name}! " * times}

    run()

What a function returns is shown to the model: text, bytes (a picture, a PDF), a picture of Pillow, a figure of
Matplotlib, or JSON with these anywhere in it. An exception becomes an error that the model can read. What is printed
or yielded goes to the person who watches.
"""

import base64
import contextlib
import enum
import inspect
import io
import json
import sys
import traceback
import types
import typing
from pathlib import Path

_tools = {}

_simple = {str: "string", int: "integer", float: "number", bool: "boolean", bytes: "string", Path: "string"}


def tool(function=None, *, name=None, timeout=None, authorize=None, category=None, tags=None):
    """Make a tool of a function. `timeout` is in seconds; `authorize` is called by `sightline tools auth`."""

    def register(target):
        spec = {**generate_schema(target, name or target.__name__), "input": "json"}
        more = {"timeout": timeout, "category": category, "tags": tags, "requires_auth": bool(authorize) or None}
        spec.update({key: value for key, value in more.items() if value is not None})
        _tools[spec["name"]] = (target, spec, authorize)
        return target

    return register if function is None else register(function)


def run(arguments=None):
    """Answer the command line: --toolspec, --authorize, or a call with JSON on stdin. Ends the program."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not _tools:
        sys.exit("There is no tool: write @tool above a function.")
    if "--toolspec" in words:
        several = len(_tools) > 1
        specs = [{**spec, "_subcommand": spec["name"]} if several else spec for _, spec, _ in _tools.values()]
        print(json.dumps(specs if several else specs[0]))
        sys.exit(0)
    if "--authorize" in words:
        sys.exit(_authorize())
    chosen = words.pop(0) if words and words[0] in _tools else next(iter(_tools))
    function, spec, _ = _tools[chosen]
    sys.exit(_call(function, spec, words))


def _call(function, spec, words):
    try:
        given = _by_hand(words, spec) if words else json.loads(_stdin() or "{}")
        # What a function prints is for people; the model gets what it returns.
        with contextlib.redirect_stdout(sys.stderr):
            payload = _payload(_done(function(**_fitted(function, given))))
    except Exception as error:
        traceback.print_exc()
        payload = json.dumps({"success": False, "error": f"{type(error).__name__}: {error}"}).encode()
        return _write(payload, 1)
    return _write(payload, 0)


def _done(result):
    """What a function came to. A generator works in steps: what it returns is the result, or else what it yielded last."""
    if inspect.iscoroutine(result) or inspect.isasyncgen(result):
        import asyncio

        return asyncio.run(_last_of(result) if inspect.isasyncgen(result) else result)
    if not inspect.isgenerator(result):
        return result
    last = None
    while True:
        try:
            last = _told(next(result))
        except StopIteration as end:
            return last if end.value is None else end.value


async def _last_of(steps):
    last = None
    async for step in steps:
        last = _told(step)
    return last


def _told(step):
    if isinstance(step, str):
        print(step, flush=True)
    return step


def _stdin():
    return "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.read()


def _payload(result):
    """What a function returned as what is printed of it."""
    result = _file(result)
    if result is None:
        return b""
    if isinstance(result, str):
        return result.encode("utf-8", "surrogateescape")
    return result if isinstance(result, bytes) else json.dumps(result, default=_plain).encode()


def _write(payload, code):
    sys.stdout.flush()  # what was printed before comes before
    sys.stdout.buffer.write(payload)
    sys.stdout.buffer.flush()
    return code


def _file(value):
    """Bytes, and what is a picture or a file to other libraries, as bytes; everything else as it is."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, (io.BytesIO, io.StringIO)):
        return value.getvalue()
    if isinstance(value, type):
        return value
    if hasattr(value, "_repr_png_"):  # a picture of Pillow
        return value._repr_png_() or value
    if hasattr(value, "savefig"):  # a figure of Matplotlib
        file = io.BytesIO()
        value.savefig(file, format="png")
        return file.getvalue()
    return value


def _plain(value):
    """What JSON does not know: bytes and pictures become base64, everything else its text."""
    file = _file(value)
    if isinstance(file, bytes):
        return base64.b64encode(file).decode()
    if file is not value:
        return file
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "_asdict"):
        return value._asdict()
    if hasattr(value, "__dataclass_fields__"):
        return vars(value)
    return list(value) if isinstance(value, (set, frozenset, tuple)) else str(value)


def _authorize():
    asked = [authorize for _, _, authorize in _tools.values() if authorize]
    try:
        for authorize in asked:
            if authorize() is False:
                print(json.dumps({"success": False, "message": "not authorised"}))
                return 1
    except Exception as error:
        print(json.dumps({"success": False, "message": str(error)}))
        return 1
    print(json.dumps({"success": True}))
    return 0


def _by_hand(words, spec):
    """Flags, so that a person can try a tool: --width 3 --title Hi --no-border."""
    properties = spec["input_schema"]["properties"]
    given = {}
    words = list(words)
    while words:
        key, tied, value = words.pop(0).partition("=")
        name = key[2:].replace("-", "_")
        if not key.startswith("--"):
            raise ValueError(f"{key!r} is no flag; write --name value")
        if name not in properties and name.startswith("no_") and name[3:] in properties:
            given[name[3:]] = False
        elif name not in properties:
            raise ValueError(f"there is no parameter {name!r}; there are {', '.join(properties) or 'none'}")
        elif properties[name].get("type") == "boolean" and not tied:
            given[name] = True
        else:
            text = value if tied else (words.pop(0) if words else "")
            given[name] = text if properties[name].get("type") == "string" else _json(text)
    return given


def _json(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def _fitted(function, given):
    """The arguments a function declares as a path, a tuple, an Enum and so on come as what it declares."""
    hints = _hints(function)
    return {key: _as(hints.get(key), value) for key, value in given.items()}


def _as(hint, value):
    if hint is Path and isinstance(value, str):
        return Path(value)
    if hint is float and isinstance(value, int):
        return float(value)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(value)
    if typing.get_origin(hint) in (tuple, set, frozenset) and isinstance(value, list):
        return typing.get_origin(hint)(value)
    return value


# --- specs ---


def generate_schema(function, name=None, skip_params=("toolspec", "authorize")):
    """The spec of a function: its signature gives the parameters, its docstring the words."""
    summary, words = _docs(function)
    hints = _hints(function)
    properties, required = {}, []
    for key, parameter in inspect.signature(function).parameters.items():
        if key in skip_params or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        hint = hints.get(key, str)
        schema = _schema(hint)
        if key in words:
            schema["description"] = words[key]
        default = _default(parameter.default)
        if default is not None:
            schema["default"] = default
        if parameter.default is parameter.empty and type(None) not in typing.get_args(hint):
            required.append(key)
        properties[key] = schema
    input_schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name or function.__name__, "description": summary, "input_schema": input_schema}


def generate_schemas_for_commands(commands, prefix=""):
    """The specs of several commands of one file; each is started by its own name."""
    specs = []
    for function, name in commands:
        spec = generate_schema(function, f"{prefix}_{name}" if prefix else name)
        specs.append({**spec, "_subcommand": name})
    return specs


def _hints(function):
    """The types of the parameters, by what is written there or else by their defaults."""
    given = {key: one.default for key, one in inspect.signature(function).parameters.items()}
    known = (str, bool, int, float, list, dict, tuple, set, Path, enum.Enum)
    hints = {key: type(value) for key, value in given.items() if isinstance(value, known)}
    hints.update({key: Path for key, value in given.items() if isinstance(value, Path)})
    try:
        return {**hints, **typing.get_type_hints(function)}
    except Exception:
        return hints


def _default(value):
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    return value if isinstance(value, (str, bool, int, float, list, dict)) else None


def _schema(hint):
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return {"type": _simple.get(type(inner[0]), "string"), "enum": list(inner)}
    if origin is typing.Union or origin is getattr(types, "UnionType", None):
        rest = [_schema(one) for one in inner if one is not type(None)]
        kinds = list(dict.fromkeys(one["type"] for one in rest))
        return rest[0] if len(rest) == 1 else {"type": kinds if len(kinds) > 1 else kinds[0]}
    if hint in (list, tuple, set, frozenset) or origin in (list, tuple, set, frozenset):
        items = [one for one in inner if one is not Ellipsis]
        return {"type": "array", "items": _schema(items[0]) if items else {}}
    if hint is dict or origin is dict:
        return {"type": "object"}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        values = [member.value for member in hint]
        return {"type": _simple.get(type(values[0]), "string"), "enum": values}
    return {"type": _simple.get(hint, "string")}


def _docs(function):
    """The text before `Args:` says what a tool does; the lines `name: words` below say what its parameters are."""
    text = inspect.getdoc(function) or ""
    before, _, after = text.partition("\nArgs:")
    words, last = {}, None
    margin = None
    for line in after.split("\n"):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        margin = indent if margin is None else margin
        if indent < margin:
            break
        key, colon, said = line.strip().partition(":")
        key = key.split("(")[0].strip()
        if indent == margin and colon and key.isidentifier():
            last = key
            words[key] = said.strip()
        elif last:
            words[last] = f"{words[last]} {line.strip()}".strip()
    return before.strip() or function.__name__.replace("_", " "), words


# --- pictures without a library ---


def png(width, height, pixel):
    """A PNG of `width` × `height`; `pixel(x, y)` gives (red, green, blue), each from 0 to 255."""
    import struct
    import zlib

    rows = b"".join(b"\0" + bytes(part for x in range(width) for part in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
