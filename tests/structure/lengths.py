"""Measures functions: C++, C and TypeScript by matching braces, Python by its own parser, shell by column zero."""

import ast
import re

TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/'                                  # comments
    r'|R"([^()\\ ]{0,16})\(.*?\)\1"'                       # raw strings
    r'|"(?:\\.|[^"\\\n])*"'                                # strings
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"                # characters, not digit separators
    r'|^[ \t]*\#(?:\\\n|[^\n])*',                          # preprocessor lines
    re.DOTALL | re.MULTILINE)

# After the closing parenthesis of a parameter list: what may stand before the body.
BODY_FOLLOWS = re.compile(
    r"\)\s*(?:(?:const|noexcept|override|final|mutable|constexpr|consteval|try|&&?)\s*|noexcept\s*\(.*\)\s*)*"
    r"(?:(?:->|requires\b).*)?$", re.DOTALL)
NAME = re.compile(r"((?:[\w~]+::)*(?:operator\s*(?:\(\)|\[\]|[^\w\s(]+|\w+)|~?\w+))\s*\(")
ACCESS = re.compile(r"^(?:\s|(?:public|private|protected)\s*:)*")


def blank(match):
    """Keeps lines and columns; strings stay visible as words, comments and directives vanish."""
    text = match.group()
    filler = " " if text.lstrip()[0] in "/#" else "_"
    return "".join("\n" if char == "\n" else filler for char in text)


def opens_body(head):
    """Whether a brace after this text opens a function's body: not a type, a namespace, an initialiser."""
    stripped = head.rstrip()
    if not stripped:
        return False
    # '}' stays in a head only where a constructor initialises members with braces.
    return stripped[-1] == "}" or bool(BODY_FOLLOWS.search(stripped))


def cpp_functions(text):
    """(name, first line, number of lines) of every outermost function or named lambda."""
    code = TOKENS.sub(blank, text)
    found, stack, head_start, inside = [], [], 0, 0
    for at, char in enumerate(code):
        if char == "{":
            head = code[head_start:at]
            body = inside == 0 and opens_body(head)
            stack.append((head_start, body))
            inside += bool(body or inside)
            if not inside:
                head_start = at + 1
        elif char == "}" and stack:
            start, body = stack.pop()
            inside -= bool(inside)
            if body:
                found.append(measured(code, start, at))
            # The brace of an initialiser in the middle of a head: the head goes on.
            goes_on = not body and not inside and re.match(r"\s*[,{)]", code[at + 1:at + 200])
            head_start = start if goes_on else at + 1
        elif char == ";" and not inside:
            head_start = at + 1
    return found


def measured(code, start, end):
    start += ACCESS.match(code[start:end]).end()
    first, last = code.count("\n", 0, start) + 1, code.count("\n", 0, end) + 1
    name = NAME.search(code[start:end])
    return (name.group(1) if name else "lambda", first, last - first + 1)


# In TypeScript a result's type stands between the parameters and the body, and texts in backquotes hold braces.
TEMPLATES = re.compile(r"`(?:\\.|[^`\\])*`")
RESULT = re.compile(r"\)(: [^={}()\n;]+)(?=\{)")


def typescript_functions(text):
    text = TEMPLATES.sub(lambda match: re.sub(r"[^\n]", "_", match.group()), text)
    return cpp_functions(RESULT.sub(lambda match: ")" + " " * len(match.group(1)), text))


def python_functions(text):
    return [(node.name, node.lineno, node.end_lineno - node.lineno + 1)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def shell_functions(text):
    found, start = [], None
    for number, line in enumerate(text.splitlines(), 1):
        opened = re.match(r"(\w[\w-]*)\s*\(\)\s*\{", line)
        if opened and not line.rstrip().endswith("}"):
            start = (opened.group(1), number)
        elif line.startswith("}") and start:
            found.append((*start, number - start[1] + 1))
            start = None
    return found


def functions(name, text):
    if name.endswith((".cpp", ".hpp", ".c", ".h")):
        return cpp_functions(text)
    if name.endswith(".ts"):
        return typescript_functions(text)
    if name.endswith(".py"):
        return python_functions(text)
    first = text.split("\n", 1)[0]
    if first.startswith("#!") and "python" in first:
        return python_functions(text)
    return shell_functions(text) if first.startswith("#!") else []
