"""Reads allowed_includes.txt and judges one include at a time."""

import fnmatch
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def right_side(lines):
    """'left words : right words' lines as (left words, right words)."""
    for line in lines:
        left, _, right = line.partition(":")
        yield left.split(), right.split()


class Rules:
    def __init__(self, sections):
        self.components = [(words[0], words[1:]) for words in map(str.split, sections["components"])]
        self.may = {left[0]: self.expanded(right) for left, right in right_side(sections["may include"])}
        self.tests_may = {component: self.expanded(right)
                          for left, right in right_side(sections["tests may also include"])
                          for component in self.expanded(left)}
        self.libraries = [(left[0], set(right)) for left, right in right_side(sections["libraries"])]
        self.system = {word for line in sections["system"] for word in line.split()}
        self.forbidden = {}
        for left, right in right_side(sections["forbidden"]):
            for component in self.expanded(left):
                self.forbidden.setdefault(component, set()).update(right)

    def expanded(self, names):
        """Every component that the words of a rule stand for; x/* is x and all of its sub-components."""
        found = set()
        for name in names:
            whole = name.removesuffix("/*")
            found |= {name} if whole == name else {one for one, _ in self.components if f"{one}/".startswith(f"{whole}/")}
        return found

    def component_of(self, path):
        """Component of a path below src/, or None."""
        for component, patterns in self.components:
            if any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns):
                return component
        return None

    def judge(self, path, quote, header):
        """None when the file may include the header, else the reason why not."""
        component = self.component_of(path)
        if component is None:
            return "the file is in no component of allowed_includes.txt"
        is_test = path.endswith(("_test.cpp", "_test.hpp"))
        for pattern, allowed in self.libraries:
            if fnmatch.fnmatchcase(header, pattern):
                ok = "*" in allowed or component in allowed or (is_test and "tests" in allowed)
                return None if ok else f"only {', '.join(sorted(allowed))} may use it, this is {component}"
        if quote == '"':
            return self.judge_own(component, is_test, header)
        return self.judge_system(component, is_test, header)

    def judge_own(self, component, is_test, header):
        target = self.component_of(header)
        if target is None:
            return "not a path from src/ into a known component"
        allowed = self.may[component] | {component}
        if is_test:
            allowed |= self.tests_may.get(component, set())
        return None if target in allowed else f"{component} may not include {target}"

    def judge_system(self, component, is_test, header):
        if header in self.forbidden.get(component, ()) and not is_test:
            return f"{component} may not include it"
        if re.fullmatch(r"[a-z_]+", header) or header in self.system:
            return None
        return "not in the tables of libraries and system headers"


def includes(text):
    return [(quote, header) for quote, header in INCLUDE.findall(text)]
