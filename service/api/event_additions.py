"""What a request asks the records of events to carry besides."""

from service.api.call import NARRATE, NOTES, SCENE, STATE
from service.api.negotiation import LANGUAGES
from service.api.query_parameters import Query, Text
from service.encounters.requests import Additions
from service.engine.vocabulary.catalogue import Language


def additions_in(query: Query) -> Additions:
    """What is asked for."""
    return Additions(
        state=query.text_or_none(STATE) is not None,
        scene=query.text_or_none(SCENE) is not None,
        narrate=stated_language(query, NARRATE),
        notes=query.whole_or_none(NOTES),
    )


def stated_language(query: Query, parameter: Text) -> Language | None:
    """The language that a parameter names, if it names one."""
    stated = query.text_or_none(parameter)
    return next((language for language in LANGUAGES if language == stated), None)
