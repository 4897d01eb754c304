"""A real Chromium, with a profile of its own, that writes down what it asks the network for."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.support.ui import WebDriverWait

from patience import PATIENCE

_FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
_PLAIN_SCHEMES = ("file:", "data:", "blob:")


@dataclass
class Browser:
    """A driver, with what the tests ask of it."""

    driver: Chrome
    downloads: Path

    def resize(self, width: int, height: int, *, dark: bool = False) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def open(self, place: Path | str) -> None:
        self.log("browser")
        self.log("performance")
        self.driver.get(place if isinstance(place, str) else place.as_uri())

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def settle(self) -> None:
        """Wait until what is to happen on the page has happened: it has drawn, and is idle."""
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done)))"
        )

    def log(self, kind: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.driver.get_log(kind)  # type: ignore[no-untyped-call]
        return entries

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in self.log("browser")]

    def requests_out(self, home: str = "") -> list[str]:
        """Give what was asked for beyond the page itself, and beyond `home` if there is one."""
        events = [json.loads(e["message"])["message"] for e in self.log("performance")]
        asked = [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]
        assert self.driver.current_url in asked, "the log saw nothing at all"
        near = (*_PLAIN_SCHEMES, home) if home else _PLAIN_SCHEMES
        return [url for url in asked if not url.startswith(near)]


@contextmanager
def chromium_browser(profile: Path, downloads: Path) -> Iterator[Browser | None]:
    """Start Chromium; give nothing where it is not installed."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    chromedriver = shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        yield None
        return
    options = ChromeOptions()
    options.binary_location = chromium
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.add_experimental_option(
        "prefs",
        {"download.default_directory": str(downloads), "download.prompt_for_download": False},
    )
    driver = Chrome(options=options, service=ChromeService(chromedriver))
    driver.set_script_timeout(PATIENCE)
    try:
        yield Browser(driver, downloads)
    finally:
        driver.quit()


def waiting(driver: Chrome) -> WebDriverWait[Chrome]:
    """Wait patiently, also while the page is replaced between a look and the next."""
    stale = [StaleElementReferenceException]
    return WebDriverWait(driver, PATIENCE, poll_frequency=0.1, ignored_exceptions=stale)
