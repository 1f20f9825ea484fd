"""Files of receipts that a client kept, as it happened to write them down.

How this works. A file is a JSON array or one JSON object to a line. An object is a receipt, or
whatever brought one under `receipt`: the answer to an action, a `hello` or a heartbeat of a stream,
the last line of a bundle. Of those everything else is left unread.
"""

from pathlib import Path

import msgspec

from service.encounters.requests import convert
from service.errors import Malformed, WarlogError
from service.replay.audit.receipt_check import KeptReceipt


class UnreadableReceipts(WarlogError):
    """What is in a file is no receipt: `where` names the line or the place in the array."""

    code = "unreadable_receipts"

    def __init__(self, where: str, why: str) -> None:
        super().__init__(None, where=where, why=why)
        self.where = where
        self.why = why


def receipts_in(path: Path) -> tuple[KeptReceipt, ...]:
    """The receipts of a file, in order. Raises OSError, UnreadableReceipts."""
    text = path.read_bytes()
    if text.lstrip().startswith(b"["):
        trees = _decoded(text, "the file")
        items = [(f"[{index}]", tree) for index, tree in enumerate(_listed(trees))]
    else:
        lines = enumerate(text.splitlines(), start=1)
        items = [(f"line {n}", _decoded(line, f"line {n}")) for n, line in lines if line.strip()]
    if not items:
        raise UnreadableReceipts("the file", "it is empty")
    return tuple(_receipt(tree, where) for where, tree in items)


def _decoded(text: bytes, where: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableReceipts(where, f"no JSON ({error})") from error


def _listed(tree: object) -> list[object]:
    return tree if isinstance(tree, list) else [tree]


def _receipt(tree: object, where: str) -> KeptReceipt:
    if isinstance(tree, dict) and "sig" not in tree and "receipt" in tree:
        tree = tree["receipt"]
    try:
        return convert(tree, KeptReceipt)
    except Malformed as error:
        path, why = str(error.params["path"]), str(error.params["allowed"])
        raise UnreadableReceipts(where, f"no receipt ({path}: {why})") from error
