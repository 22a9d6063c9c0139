"""Runs a command, its output thrown away, and prints its exit code and the largest memory it had, in KiB.

Call it as a program of its own (python3 -I -S): a process takes over the peak of the one it was started from, until
it runs something else, so whoever measures has to be small.
"""

import os
import sys

nowhere = os.open(os.devnull, os.O_RDWR)
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1)])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
