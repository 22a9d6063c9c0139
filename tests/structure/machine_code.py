"""What a library's machine code says of itself: the stack each function takes, and which functions it calls.

Calls through pointers are not seen: the real functions behind wrappers, hooks of modules, the encoder of a writer.
"""

import collections
import re
import subprocess

# Bytes that an instruction takes from the stack, where it says so itself.
X86 = {
    "sub": re.compile(r"\tsub\s+\$0x([0-9a-f]+),%rsp"),
    # 128 bytes are taken by adding -128 and given back by subtracting it: the shorter code.
    "add": re.compile(r"\tadd\s+\$0x(f{8,}[0-9a-f]+),%rsp"),
    "push": re.compile(r"\tpush\s+(%\w+)"),
    "call": re.compile(r"\t(?:call|j\w+)\s+[0-9a-f]+ <([^>+]+)(?:\+0x[0-9a-f]+)?>"),
}
ARM = {
    "sub": re.compile(r"\tsub\s+sp, sp, #0x([0-9a-f]+)"),
    "add": re.compile(r"(?!)"),
    "push": re.compile(r"\tst[pr]\s+.*\[sp, #-(\d+)\]!"),
    "call": re.compile(r"\tb(?:l|\.\w+)?\s+[0-9a-f]+ <([^>+]+)(?:\+0x[0-9a-f]+)?>"),
}
RETURN_ADDRESS = 8
WORD = 1 << 64


class MachineCode:
    def __init__(self, library):
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(library)], check=True, capture_output=True, text=True).stdout
        self.arm = "aarch64" in text[:500]
        self.frame, self.calls = {}, collections.defaultdict(set)
        self.depths = {}
        for name, lines in self.functions(text):
            self.frame[name] = self.frame_of(lines)
            found = (self.patterns["call"].search(line) for line in lines)
            self.calls[name] = {match[1] for match in found if match} - {name}

    @property
    def patterns(self):
        return ARM if self.arm else X86

    @staticmethod
    def functions(text):
        for block in re.split(r"\n(?=[0-9a-f]+ <[^>]+>:\n)", text):
            head, _, rest = block.partition("\n")
            match = re.match(r"[0-9a-f]+ <([^>]+)>:$", head)
            if match:
                yield match[1], rest.split("\n")

    def frame_of(self, lines):
        largest = {kind: [match[1] for match in map(self.patterns[kind].search, lines) if match]
                   for kind in ("sub", "add", "push")}
        subtracted = [int(one, 16) for one in largest["sub"]]
        added = [WORD - int(one, 16) for one in largest["add"]]
        taken = max([one for one in subtracted if one < WORD // 2] + added, default=0)
        if self.arm:
            return taken + max(map(int, largest["push"]), default=0)
        return taken + RETURN_ADDRESS * len(set(largest["push"])) + RETURN_ADDRESS

    def reached_from(self, name):
        seen, ahead = set(), [name]
        while ahead:
            one = ahead.pop()
            if one not in seen:
                seen.add(one)
                ahead += self.calls[one]
        return seen

    def depth(self, name, above=()):
        """(bytes, functions) of the deepest way down from it. A function that comes by again ends it."""
        if name in self.depths:
            return self.depths[name]
        if name in above:
            return 0, ()
        deepest = max((self.depth(one, (*above, name)) for one in self.calls[name]), default=(0, ()))
        self.depths[name] = self.frame.get(name, 0) + deepest[0], (name, *deepest[1])
        return self.depths[name]
