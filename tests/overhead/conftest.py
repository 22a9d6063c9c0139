"""Where the build is, and the measuring code of bench/."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
sys.path.insert(0, str(ROOT / "bench" / "capture"))
