"""A second, independent reading of the log format, used only to check trikal's own."""
