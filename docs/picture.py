"""Take the picture of the decision page that the front page shows: python docs/picture.py."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PICTURE = Path(__file__).parent / "assets" / "decision-page.png"
SIZE = {"width": 1280, "height": 880}


def main() -> None:
    """Run the demo, open its report, and keep what the first screen shows."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as player:
        # The same day in every picture: only what changed on the page changes it.
        day = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}
        subprocess.run([sys.executable, "-m", "unmask", "demo", "--out", folder], check=True, env=day)
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        page.goto(f"file://{folder}/report.html")
        page.screenshot(path=PICTURE)
        browser.close()
    print(f"wrote {PICTURE}")


if __name__ == "__main__":
    main()
