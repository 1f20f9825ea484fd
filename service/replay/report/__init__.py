"""The report of an audit: verdicts, statistics, first differences."""
