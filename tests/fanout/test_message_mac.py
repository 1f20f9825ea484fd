"""A message arrives as it was sent, or not at all."""

import hmac
from datetime import UTC
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.fanout.message_mac import (
    LONGEST,
    LONGEST_BODY,
    MAC_BYTES,
    MessageSealer,
    TooLong,
    Unsound,
)
from service.fanout.messages import EncounterMessage, News, Presence
from tests.fanout.receivers import KEY, news

HERE = MessageSealer(KEY, "here")
THERE = MessageSealer(KEY, "there")
ENCOUNTER = UUID(int=7)

names = st.text(max_size=40)
told: st.SearchStrategy[EncounterMessage] = st.one_of(
    st.builds(
        News,
        encounter=st.uuids(),
        seq=st.integers(1, 2**53 - 1),
        base=st.integers(0, 2**53 - 1),
        hash=st.binary(min_size=32, max_size=32),
        recorded_at=st.datetimes(timezones=st.just(UTC)),
        body=st.binary(max_size=400),
        commits=st.binary(max_size=200),
        parts=st.lists(st.tuples(names, names), max_size=5).map(tuple),
    ),
    st.builds(
        Presence,
        encounter=st.uuids(),
        process=names,
        seats=st.lists(names, max_size=5).map(tuple),
    ),
)


@given(told)
def test_another_process_opens_what_was_sealed(message: EncounterMessage) -> None:
    assert THERE.open(HERE.seal(message)) == message


@given(told)
def test_nobody_hears_himself(message: EncounterMessage) -> None:
    assert HERE.open(HERE.seal(message)) is None


@given(told, st.data())
def test_a_message_with_another_bit_is_none(message: EncounterMessage, data: st.DataObject) -> None:
    sealed = bytearray(HERE.seal(message))
    bit = data.draw(st.integers(0, 8 * len(sealed) - 1))
    sealed[bit // 8] ^= 1 << bit % 8
    with pytest.raises(Unsound):
        THERE.open(bytes(sealed))


@given(told, st.data())
def test_half_a_message_and_more_than_one_are_none(
    message: EncounterMessage, data: st.DataObject
) -> None:
    sealed = HERE.seal(message)
    with pytest.raises(Unsound):
        THERE.open(sealed[: data.draw(st.integers(0, len(sealed) - 1))])
    with pytest.raises(Unsound):
        THERE.open(sealed + data.draw(st.binary(min_size=1)))


@given(st.binary(max_size=300))
def test_what_anybody_writes_is_no_message(sealed: bytes) -> None:
    with pytest.raises(Unsound):
        THERE.open(sealed)


def test_another_service_is_not_heard() -> None:
    with pytest.raises(Unsound):
        THERE.open(MessageSealer(bytes(32), "here").seal(news(ENCOUNTER, 1)))


@given(st.binary(max_size=100))
def test_what_a_later_release_may_say_is_no_message(packed: bytes) -> None:
    mac = hmac.digest(KEY, b"warlog/fanout/1\0" + packed, "sha256")
    with pytest.raises(Unsound):
        THERE.open(mac + packed)


def test_text_that_is_no_text_is_no_message() -> None:
    packed = msgspec.msgpack.encode(("there", None)).replace(b"there", b"\xff\xfe\xfd\xfc\xfb")
    mac = hmac.digest(KEY, b"warlog/fanout/1\0" + packed, "sha256")
    with pytest.raises(Unsound):
        HERE.open(mac + packed)


def test_a_body_that_is_too_long_stays_behind() -> None:
    longest = news(ENCOUNTER, 1, bytes(LONGEST_BODY))
    assert THERE.open(HERE.seal(longest)) == longest
    longer = news(ENCOUNTER, 1, bytes(LONGEST_BODY + 1))
    assert THERE.open(HERE.seal(longer)) == news(ENCOUNTER, 1, b"")


def test_what_does_not_fit_without_its_body_is_not_sent() -> None:
    message = msgspec.structs.replace(news(ENCOUNTER, 1), commits=bytes(LONGEST))
    with pytest.raises(TooLong):
        HERE.seal(message)


def test_what_is_too_long_is_not_looked_at() -> None:
    packed = msgspec.msgpack.Encoder(uuid_format="bytes").encode(
        ("here", msgspec.structs.replace(news(ENCOUNTER, 1), commits=bytes(LONGEST - MAC_BYTES)))
    )
    mac = hmac.digest(KEY, b"warlog/fanout/1\0" + packed, "sha256")
    with pytest.raises(Unsound):
        THERE.open(mac + packed)
