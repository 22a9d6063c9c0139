"""Code and documents use the field's words: wrapper, component, iteration, slot, offender, baseline."""

import pytest

import plain_words


@pytest.fixture(scope="module")
def found():
    return plain_words.counts()


def test_riddles_are_gone(found):
    wrong = plain_words.left(found, plain_words.allowed())
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_list_of_exceptions_is_as_short_as_can_be(found):
    assert not [pair for pair in plain_words.allowed() if not found[pair[0]][pair[1]]]


@pytest.mark.parametrize("text, word", [
    ("TRIKAL_" + "DOOR", "door"), ("kMost" + "Doors", "doors"), ("the_" + "lens_of", "lens"), ("Rank" + "Census", "census"),
    ("Many " + "rooms.", "rooms"),
    ("live_" + "place_of", "place"), ("kMost" + "Places", "places"), ("next_" + "turn()", "turn")])
def test_a_word_is_found_inside_identifiers(text, word):
    assert word in plain_words.words_of(text)


@pytest.mark.parametrize("text", ["indoors", "replace", "return", "placement", "std::" + "in_place",
                                  "std::" + "tie(a, b)", "using", "properties"])
def test_parts_of_words_do_not_count(text):
    assert not set(plain_words.words_of(text)) & set(plain_words.GONE)
