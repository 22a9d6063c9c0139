"""The only place where the package's version is written; a test compares it with the library's."""

VERSION = "0.1.0"
