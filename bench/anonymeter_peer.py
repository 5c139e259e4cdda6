"""The side of anonymeter in `bench.anonymeter`: it runs where anonymeter is, and needs nothing of unmask.

`python -m bench.anonymeter_peer FOLDER` reads `job.json` and the files of each case, and writes `found.json`:
for each case and attack one result per seed. A seed sets numpy's global one (by which people are drawn), that
of the predicates, and the order of the released records.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

Frames = dict[str, pd.DataFrame]
NEIGHBOURS = ("linkability", "inference")


class Said(logging.Handler):
    """Whether anonymeter warned that its number may be too low, or cannot be trusted."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard = False

    def emit(self, record: logging.LogRecord) -> None:
        """Take note."""
        self.heard = True


def evaluator(attack: dict[str, Any], files: Frames, seed: int) -> Any:
    """The attack, done."""
    common = {
        "ori": files["original"],
        "syn": files["released"].sample(frac=1, random_state=seed, ignore_index=True),
        "control": files["control"],
        "n_attacks": attack["wanted"],
    }
    if attack["kind"] == "linkability":
        groups = tuple(map(list, attack["groups"]))
        return LinkabilityEvaluator(aux_cols=groups, n_neighbors=attack["k"], **common).evaluate(n_jobs=-1)
    if attack["kind"] == "inference":
        secret = attack["secret"]
        known = [name for name in files["original"].columns if name != secret]
        number = pd.api.types.is_numeric_dtype(files["original"][secret])
        return InferenceEvaluator(aux_cols=known, secret=secret, regression=number, **common).evaluate(
            n_jobs=-1
        )
    single = SinglingOutEvaluator(n_cols=attack["attributes"], seed=seed, max_attempts=20_000, **common)
    return single.evaluate(mode=attack["kind"])


def result(attack: dict[str, Any], files: Frames, seed: int) -> dict[str, Any]:
    """Rates, and the risk with its interval; or why there is none."""
    np.random.seed(seed)  # noqa: NPY002 - anonymeter draws people by the global one
    if attack["kind"] in NEIGHBOURS:
        # Whom it draws are then the very people whom the other tool tries: it looks at no others.
        tried = ("original", "control")
        files = {name: file[: attack["wanted"]] if name in tried else file for name, file in files.items()}
    said = Said()
    logging.getLogger("anonymeter").addHandler(said)
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", UserWarning)
            found = evaluator(attack, files, seed).results()
            risk = found.risk()
    except (ValueError, ZeroDivisionError, RuntimeError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    finally:
        logging.getLogger("anonymeter").removeHandler(said)
    return {
        "success": found.attack_rate.value,
        "control": found.control_rate.value,
        "risk": [risk.value, *risk.ci],
        "warned": said.heard or any(issubclass(one.category, UserWarning) for one in told),
    }


def main(folder: Path) -> None:
    """Run the job in a folder."""
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    found = []
    for case in job["cases"]:
        names = ("original", "control", "released")
        files = {name: pd.read_csv(folder / case["folder"] / f"{name}.csv") for name in names}
        for attack in case["attacks"]:
            seen = {name: file[attack["columns"]] for name, file in files.items()}
            found.append([result(attack, seen, seed) for seed in job["seeds"]])
            print(f"  anonymeter: {case['name']}, {attack['kind']}", file=sys.stderr, flush=True)
    (folder / "found.json").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
