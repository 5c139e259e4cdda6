"""Run the notebooks of this folder, and store in them what their cells print and show.

    python examples/notebooks.py

No notebook server is needed: the cells of a notebook are run in order, in one namespace. A test runs them
again and compares what they print.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

#: A cell or a notebook, as its JSON has it (nbformat 4).
Json = dict[str, Any]


def notebooks() -> list[Path]:
    """The notebooks of this folder."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Json:
    """A notebook as its JSON has it."""
    document: Json = json.loads(path.read_text(encoding="utf-8"))
    return document


def executed(notebook: Json) -> Json:
    """The notebook with the outputs of a fresh run."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = outcome("".join(cell["source"]), namespace, count)
            cell = {**cell, "execution_count": count, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}


def outcome(source: str, namespace: dict[str, Any], count: int) -> list[Json]:
    """What a cell prints, and what its last line is if that is an expression."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
    outputs: list[Json] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        result = {"data": shown(value), "execution_count": count, "metadata": {}}
        outputs.append({**result, "output_type": "execute_result"})
    return outputs


def shown(value: object) -> Json:
    """A value as text; a frame as a table, too, and a chart as a picture."""
    if (picture := png(value)) is not None:
        return {"image/png": picture, "text/plain": ["a chart"]}
    data: Json = {"text/plain": lines(repr(value))}
    if callable(html := getattr(value, "_repr_html_", None)) and (text := html()):
        data["text/html"] = lines(text)
    return data


def png(value: object) -> str | None:
    """The picture of an Altair chart in base64, and None of anything else."""
    if type(value).__module__.partition(".")[0] != "altair":
        return None
    import vl_convert

    chart: Any = value
    return base64.b64encode(vl_convert.vegalite_to_png(chart.to_json(), scale=1)).decode("ascii")


def texts(notebook: Json) -> list[str]:
    """What the cells print or are, as text, in order."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    return ["".join(o["text"] if "text" in o else o["data"]["text/plain"]) for o in outputs]


def lines(text: str) -> list[str]:
    """The lines of a text, each with its end, as notebooks store it."""
    return text.splitlines(keepends=True)


def main() -> None:
    """Run every notebook and store its outputs."""
    for path in notebooks():
        document = json.dumps(executed(read(path)), indent=1, ensure_ascii=False, sort_keys=True)
        path.write_text(document + "\n", encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
