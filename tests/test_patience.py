"""One setting scales every limit of the tests."""

import pytest

from tests.patience import PATIENCE, PATIENCE_SECONDS, SETTING, factor_in


def test_one_setting_scales_every_limit() -> None:
    given: list[dict[str, str]] = [{}, {SETTING: ""}, {SETTING: "2.5"}]
    assert [factor_in(each) for each in given] == [1, 1, 2.5]
    assert PATIENCE_SECONDS == 120 * PATIENCE


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "1001", "long"])
def test_a_factor_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"WARLOG_TEST_PATIENCE is .* from 0\.01 to 1000"):
        factor_in({SETTING: text})
