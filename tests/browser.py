"""Drives Chromium without a window through chromedriver: the little of WebDriver that tests need.

    with Browser() as browser:
        browser.open(path)
        browser.run("return document.title")
"""
import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

DRIVER = "chromedriver"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Two busy cores may take their time; what needs more than this hangs.
TIMEOUT_SECONDS = 240
# A page that is read from a file needs no network, so whatever Chromium itself would like to fetch
# is turned off and cannot be taken for a request of the page.
FLAGS = ("--headless", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-extensions", "--disable-default-apps", "--disable-dev-shm-usage",
         "--hide-scrollbars", "--force-color-profile=srgb")


class Browser:
    def __init__(self):
        self._closing = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as opening:
            profile = opening.enter_context(tempfile.TemporaryDirectory(
                dir=os.environ.get("TEST_TMPDIR"), ignore_cleanup_errors=True))
            log = opening.enter_context(open(pathlib.Path(profile) / "driver.log", "w+",
                                             encoding="utf-8"))
            driver = subprocess.Popen([DRIVER, "--port=0"], stdout=log, stderr=subprocess.STDOUT)
            opening.callback(self._stop, driver)
            self._address = "http://127.0.0.1:%d" % self._port(driver, log.name)
            self._session = self._start(profile)
            opening.callback(self._quit)
            self._closing = opening.pop_all()
        return self

    def __exit__(self, *failure):
        self._closing.close()

    @staticmethod
    def _stop(driver):
        driver.terminate()
        driver.wait(timeout=TIMEOUT_SECONDS)

    @staticmethod
    def _port(driver, path):
        """chromedriver chooses a free port and prints it."""
        while driver.poll() is None:
            found = re.search(r"started successfully on port (\d+)",
                              pathlib.Path(path).read_text(encoding="utf-8"))
            if found:
                return int(found.group(1))
            with contextlib.suppress(subprocess.TimeoutExpired):
                driver.wait(timeout=0.05)
        raise RuntimeError("chromedriver: " + pathlib.Path(path).read_text(encoding="utf-8"))

    def _start(self, profile):
        binary = next((path for path in map(shutil.which, BROWSERS) if path), None)
        if binary is None:
            raise RuntimeError("no browser: scripts/setup installs chromium")
        flags = [*FLAGS, "--user-data-dir=" + profile]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": binary, "args": flags},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "timeouts": {"script": TIMEOUT_SECONDS * 1000, "pageLoad": TIMEOUT_SECONDS * 1000},
        }}})
        return "/session/" + answer["sessionId"]

    def _quit(self):
        with contextlib.suppress(OSError, RuntimeError):
            self._ask("DELETE", self._session)

    def _ask(self, method, path, content=None):
        request = urllib.request.Request(
            self._address + path, method=method,
            data=None if content is None else json.dumps(content).encode(),
            headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError("%s: %s" % (value["error"], value["message"])) from None

    def _post(self, path, content):
        return self._ask("POST", self._session + path, content)

    def open(self, path, suffix=""):
        """Loads a file; `suffix` is a ?query or #fragment."""
        self._post("/url", {"url": pathlib.Path(path).resolve().as_uri() + suffix})

    def run(self, script, *arguments):
        """Runs the body of a function; gives what it returns."""
        return self._post("/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments):
        """Runs `script` before each frame until it returns something true; gives that."""
        return self._post("/execute/async", {"args": list(arguments), "script": """
            const given = [...arguments], done = given.pop();
            const check = () => (function () { %s }).apply(null, given);
            const look = () => {
              const found = check();
              if (found) done(found); else setTimeout(look, 20);
            };
            look();""" % script})

    def devtools(self, command, **parameters):
        return self._post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height, scale=1):
        """The window, as that of a phone or a desk."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=scale, mobile=False)

    def media(self, kind="", dark=False):
        """What the style sheet is told: "print" or "", and which colours are preferred."""
        self.devtools("Emulation.setEmulatedMedia", media=kind, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def complaints(self):
        """What the console was told since the last call."""
        return [entry["message"] for entry in self._log("browser")]

    def requests(self):
        """The addresses that were asked for since the last call, but for the browser's own pages
        and what a page holds itself."""
        events = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        asked = [event["params"]["request"]["url"] for event in events
                 if event["method"] == "Network.requestWillBeSent"]
        return [address for address in asked if not address.startswith(("chrome:", "data:"))]

    def _log(self, kind):
        return self._post("/se/log", {"type": kind})

    def screenshot(self, whole=False):
        """A PNG file of the window, or of the whole page."""
        return base64.b64decode(self.devtools(
            "Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"])

    def pdf(self):
        """The page on A4, through DevTools: WebDriver's own command gives up after ten seconds."""
        return base64.b64decode(self.devtools(
            "Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"])
