"""trikal: logs of Darshan 3.x and of trikal as job, modules, DataFrames, traces, heatmaps and findings.

>>> log = trikal.open("job.darshan")            # doctest: +SKIP
>>> log.df("POSIX")                             # doctest: +SKIP
>>> log.findings                                # doctest: +SKIP

docs/python.md shows all of it.
"""

from ._compare import compare
from ._find import library_path, tool_path
from ._version import VERSION as __version__
from .errors import LibraryError, LogError, NotInLog, PackageMissing, StoreError, ToolError, TrikalError
from .heatmap import Heatmap
from .log import Log, open
from .model import Counter, Damage, Finding, FindingFile, Findings, Job, Module
from .panels import panel
from .pydarshan import to_darshan_report
from .store import Store, open_store
from .table import Table

__all__ = ["Counter", "Damage", "Finding", "FindingFile", "Findings", "Heatmap", "Job", "LibraryError", "Log",
           "LogError", "Module", "NotInLog", "PackageMissing", "Store", "StoreError", "Table", "ToolError", "TrikalError", "__version__", "compare",
           "library_path", "open", "open_store", "panel", "to_darshan_report", "tool_path"]
