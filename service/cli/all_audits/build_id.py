"""Which build judged: another one might judge otherwise."""

from hashlib import sha256
from pathlib import Path

import service
from service import __version__


def build_id() -> str:
    """The version of the service and a digest of its code, `1.2.3+0123456789abcdef`."""
    folder = Path(service.__file__).parent
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder).as_posix()}\n".encode())
        digest.update(sha256(path.read_bytes()).digest())
    return f"{__version__}+{digest.hexdigest()[:16]}"
