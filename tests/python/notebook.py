"""Runs the blocks of a page like the cells of a notebook.

  notebook.py PAGE FOLDER     prints the page with the output that the blocks have now
"""

import ast
import contextlib
import doctest
import io
import os
import pathlib
import re
import sys

BLOCK = re.compile(r"```python\n(.*?)```\n(?:```output\n(.*?)```\n)?", re.DOTALL)


def run(code, namespace):
    """What a cell prints, and the value of its last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "<cell>", "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
            if value is not None:
                print(value if isinstance(value, str) else repr(value))
    return out.getvalue()


def same(shown, printed):
    """As doctest compares: ... is anything."""
    return doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)


def main(page, folder):
    text, namespace = pathlib.Path(page).read_text(), {}
    os.chdir(folder)

    def filled(match):
        printed = run(match[1], namespace)
        if match[2] is None or same(match[2], printed):
            return match[0]
        return f"```python\n{match[1]}```\n```output\n{printed}```\n"
    sys.stdout.write(BLOCK.sub(filled, text))


if __name__ == "__main__":
    main(*sys.argv[1:])
