"""The mutator: repeatable, varied, and the decoder survives everything it makes."""

import itertools

import corpus
import decoder
import mutate
from encoder import encode
from ground.model import LogError

COUNT = 1500
SEEDS = [(name, encode(log, physical)) for name, log, physical in itertools.islice(
    corpus.good_logs(), 0, None, 3) if "mebibyte" not in name and "two-meb" not in name]


def test_same_seed_same_mutants():
    first = list(mutate.mutants("a", 200, SEEDS))
    assert first == list(mutate.mutants("a", 200, SEEDS))
    assert first != list(mutate.mutants("b", 200, SEEDS))
    assert first[137] == mutate.mutant("a", 137, mutate.prepare(SEEDS))


def test_every_kind_appears_and_changes_the_log():
    originals = dict(SEEDS)
    changed = {}
    for name, data in mutate.mutants("kinds", COUNT, SEEDS):
        _, kind, seed_name = name.split("-", 2)
        same = data == originals[seed_name]
        changed.setdefault(kind, []).append(not same)
    assert set(changed) >= {kind.__name__ for kind in mutate.KINDS}
    for kind, outcomes in changed.items():
        assert sum(outcomes) > len(outcomes) / 2, kind


def test_decoder_survives():
    opened = hurt = 0
    for name, data in mutate.mutants("survive", COUNT, SEEDS):
        try:
            _, damage, _ = decoder.decode(data, limit=1 << 20)
        except LogError:
            continue
        opened += 1
        hurt += bool(damage)
    # Enough must still open, and enough must be seen to be damaged, for this to mean anything.
    assert opened > COUNT / 2 and hurt > COUNT / 3


def test_a_file_that_is_no_log_can_be_a_seed():
    made = list(mutate.mutants("blind", 50, [("text", b"not a log at all" * 10)]))
    assert len(made) == 50


def test_command_writes_files(tmp_path):
    log = tmp_path / "small.darshan"
    log.write_bytes(SEEDS[0][1])
    out = tmp_path / "out"
    assert mutate.main(["--seed", "7", "--count", "30", "--out", str(out), str(log)]) == 0
    assert len(list(out.iterdir())) == 30
