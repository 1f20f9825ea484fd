"""The battles that `warlog demo` plays over HTTP, as any virtual tabletop would."""
