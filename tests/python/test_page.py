"""The page of `banquise view` in a real browser, on a recorded and on a live run. Any message of the console is a failure.

Run with `cargo xtask test`, or with BANQUISE naming the command. BANQUISE_PICTURES names a folder to keep screenshots in.
"""

import io
import os
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))
PICTURES = os.environ.get("BANQUISE_PICTURES")
CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

# Software drawing: the same pixels with and without a graphics card.
FLAGS = """--no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync""".split()

DESKTOP, PHONE = (1280, 800), (390, 844)


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def channel(tmp_path_factory):
    """Half an hour of ice before a channel."""
    folder = tmp_path_factory.mktemp("channel") / "run"
    subprocess.run([BANQUISE, "run", "channel", "--set", "time.duration=30 min", "--out", str(folder)], check=True, stderr=subprocess.DEVNULL)
    return folder


@contextmanager
def served(*arguments):
    """The address of the page, while the command runs; an interrupt ends it in order."""
    process = subprocess.Popen([BANQUISE, "view", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    finally:
        process.kill()


class Page:
    """A page that must not complain."""

    def __init__(self, browser, url, size=DESKTOP, scheme="light"):
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"{request.url} failed"))
        self.page.goto(url)
        self.until("!!(window.banquise && banquise.shown)")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        complaints = list(self.complaints)
        self.context.close()
        if kind is None:
            assert complaints == []

    def ask(self, script):
        return self.page.evaluate(script)

    def until(self, condition, seconds=30):
        for _ in range(50 * seconds):
            if self.ask(condition):
                return
            self.page.wait_for_timeout(20)
        pytest.fail(f"never: {condition}")

    def settle(self):
        """Waits until the picture is that of the time."""
        self.until("banquise.shown.from.record === banquise.run.recordAt(banquise.time)")
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def picture(self, name):
        from PIL import Image

        self.settle()
        bytes_ = self.page.screenshot()
        if PICTURES:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            (Path(PICTURES) / f"{name}.png").write_bytes(bytes_)
        return Image.open(io.BytesIO(bytes_)).convert("RGB")

    def place_of(self, body):
        """Where a body is on the page, in pixels."""
        return self.ask(f"""(() => {{
            const [x, y] = banquise.poseOf({body}), box = document.getElementById("over").getBoundingClientRect();
            const [px, py] = banquise.camera.toScreen(x, y);
            return [box.left + px, box.top + py];
        }})()""")

    def text(self, selector):
        return self.page.inner_text(selector)


def largest_floe(page):
    return page.ask("""(() => {
        const { area, kind } = banquise.run.bodies;
        let best = -1;
        area.forEach((a, i) => { if (kind[i] === 0 && (best < 0 || a > area[best])) best = i; });
        return best;
    })()""")


def near(pixel, color, tolerance=12):
    return all(abs(a - b) <= tolerance for a, b in zip(pixel, color))


VIOLET = (68, 1, 84)  # the low end of the colours: floes at rest
WATER, LAND = (220, 234, 244), (216, 205, 184)


def test_a_recording_is_drawn(browser, channel):
    with served(channel) as url, Page(browser, url) as page:
        assert page.text("#title") == "Wind drives floes into a narrow channel"
        assert "100 floes" in page.text("#status") and "complete" in page.text("#status")
        page.ask("banquise.goToRecord(0)")
        picture = page.picture("recorded")
        floe = largest_floe(page)
        assert near(picture.getpixel(tuple(map(round, page.place_of(floe)))), VIOLET)
        # Each floe lies where it was recorded: its own colour at its centre, for all that are a few pixels wide.
        page.page.select_option("#field", "id")
        picture = page.picture("recorded-by-number")
        assert picture.getpixel(tuple(map(round, page.place_of(floe)))) != VIOLET
        assert not near(picture.getpixel(tuple(map(round, page.place_of(floe)))), WATER)
        colors = [color for _, color in picture.resize((320, 200)).getcolors(64_000)]
        assert any(near(color, WATER, 3) for color in colors) and any(near(color, LAND, 3) for color in colors)


def test_time_goes_as_the_reader_wants(browser, channel):
    with served(channel) as url, Page(browser, url) as page:
        page.page.fill("#slider", "30")
        page.settle()
        assert page.text("#clock") == "00:30:00"
        moved = page.place_of(largest_floe(page))
        page.page.press("#over", "ArrowLeft")
        page.settle()
        assert page.ask("banquise.shown.from.record") == 29
        page.page.fill("#slider", "0")
        page.settle()
        assert page.text("#clock") == "0 s"
        start = page.place_of(largest_floe(page))
        assert abs(moved[1] - start[1]) > 20, "ice that drifts for half an hour moves on the page"
        page.page.press("#over", " ")
        page.until("banquise.time > 60")
        page.page.press("#over", " ")
        assert page.ask("banquise.isPlaying") is False
        time = page.ask("banquise.time")
        page.page.wait_for_timeout(150)
        assert page.ask("banquise.time") == time
        # A click into a chart goes to its time.
        page.until("document.querySelectorAll('.chart').length > 3")
        box = page.page.locator(".chart canvas").first.bounding_box()
        page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
        page.settle()
        assert 800 < page.ask("banquise.time") < 1000


def test_a_colour_means_the_same_in_all_records(browser, channel):
    with served(channel) as url, Page(browser, url) as page:
        page.until("banquise.painter.whole.size > 0")
        for field in ["speed", "pressure", "force", "rotation", "age"]:
            page.page.select_option("#field", field)
            page.settle()
            ends = page.ask(f"banquise.painter.range('{field}')")
            seen = []
            for record in [0, 3, 17, 30]:
                page.page.fill("#slider", str(record))
                page.settle()
                assert page.ask(f"banquise.painter.range('{field}')") == ends
                seen += page.ask("[...banquise.painter.known.get(banquise.shown.from).range]")
            # Impulses and stress may have a few numbers beyond the scale, and then the legend says so.
            is_open = page.text("#legend-high").startswith("≥")
            assert max(seen) <= ends[1] * (1 + 1e-6) or is_open and field in ["pressure", "force"], field
        # Stretched over one record, and back.
        page.page.check("#stretch")
        page.page.fill("#slider", "3")
        page.settle()
        assert page.ask("banquise.painter.range('age')") != ends
        page.page.uncheck("#stretch")
        page.settle()
        assert page.ask("banquise.painter.range('age')") == ends


def test_a_floe_tells_its_numbers(browser, channel):
    with served(channel) as url, Page(browser, url) as page:
        page.page.fill("#slider", "20")
        page.settle()
        floe = largest_floe(page)
        page.page.mouse.click(*page.place_of(floe))
        page.until("!document.getElementById('floe').hidden")
        assert page.text("#floe-name") == f"Floe {floe}"
        numbers = page.ask(f"banquise.run.floe({floe}, 20)")
        speed = (numbers["velocity_m_s"][0] ** 2 + numbers["velocity_m_s"][1] ** 2) ** 0.5
        shown = page.text("#floe-numbers")
        assert f"{float(f'{speed:.3g}'):g} m/s" in shown, shown
        assert len(numbers["path"][0]) == 31
        # Overlays and every colour can be drawn.
        for overlay in ["#show-contacts", "#show-forces"]:
            page.page.check(overlay)
        page.until("banquise.contacts !== null")
        assert page.ask("banquise.contacts.count") > 0
        # They are those of the record that is shown, however quickly one goes on.
        page.page.fill("#slider", "5")
        page.page.fill("#slider", "20")
        page.until("banquise.contacts.record === 20 && banquise.chosen.record === 20")
        for field in page.ask("[...document.getElementById('field').options].map(option => option.value)"):
            page.page.select_option("#field", field)
            page.settle()
            assert page.text("#legend-name") != ""
        page.page.select_option("#field", "pressure")
        page.picture("floe")
        page.page.press("#over", "Escape")
        page.until("document.getElementById('floe').hidden")


def test_the_camera_moves_and_comes_home(browser, channel):
    with served(channel) as url, Page(browser, url) as page:
        home = page.ask("[banquise.camera.x, banquise.camera.y, banquise.camera.scale]")
        page.page.mouse.move(400, 400)
        page.page.mouse.wheel(0, -500)
        page.until(f"banquise.camera.scale > 1.5 * {home[2]}")
        x = page.ask("banquise.camera.x")
        page.page.mouse.down()
        page.page.mouse.move(500, 420, steps=5)
        page.page.mouse.up()
        assert page.ask("banquise.camera.x") < x
        assert page.ask("document.getElementById('floe').hidden"), "a drag is no click"
        page.page.press("#over", "+")
        page.page.press("#over", "-")
        page.page.press("#over", "Home")
        assert page.ask("[banquise.camera.x, banquise.camera.y, banquise.camera.scale]") == home


def test_light_dark_and_phones(browser, channel):
    with served(channel) as url:
        with Page(browser, url, scheme="dark") as page:
            page.page.fill("#slider", "25")
            assert max(page.picture("dark").getpixel((900, 60))) < 80
            page.page.click("#theme")
            assert page.ask("document.documentElement.dataset.theme") == "light"
            assert min(page.picture("light").getpixel((900, 60))) > 180
        with Page(browser, url, size=PHONE) as page:
            page.page.fill("#slider", "25")
            page.picture("phone")
            # The legend lies beside the map, not on the ice.
            sea, legend = (page.page.locator(part).bounding_box() for part in ["#sea", "#legend"])
            assert sea["y"] + sea["height"] <= legend["y"] and legend["y"] + legend["height"] < PHONE[1] - 50
            assert page.ask("document.documentElement.scrollWidth") <= PHONE[0], "nothing sticks out"
            for control in ["#play", "#slider", "#speed", "#zoom-in"]:
                box = page.page.locator(control).bounding_box()
                assert 0 <= box["x"] and box["x"] + box["width"] <= PHONE[0] and box["y"] + box["height"] <= PHONE[1]
            page.page.mouse.click(*page.place_of(largest_floe(page)))
            page.until("!document.getElementById('floe').hidden")


def test_a_live_run_is_paused_stepped_and_blown(browser):
    keys = ["--set", "time.duration=20 d", "--set", "time.record_every=20 s"]
    with served("channel", *keys) as url, Page(browser, url) as page:
        page.until("banquise.run.last >= 3")
        page.page.click("#pause")
        page.until("banquise.run.state.paused")
        # The step at hand may still make a record; then there are no more.
        last, before = page.ask("banquise.run.last"), None
        for _ in range(20):
            before, last = last, page.ask("new Promise(done => setTimeout(() => done(banquise.run.last), 300))")
            if before == last:
                break
        assert before == last, "a paused run goes on"
        assert page.text("#pause") == "Resume" and "paused" in page.text("#status")
        before = page.ask("banquise.run.times.at(-1)")
        page.page.click("#step")
        page.until(f"banquise.run.last === {last + 1}")
        assert 0 < page.ask("banquise.run.times.at(-1)") - before <= 5.0
        # The wind that blows is there to start from: 10 m/s towards 190 degrees.
        assert page.ask("[document.getElementById('wind-x').value, document.getElementById('wind-y').value]") == ["-1.7", "-9.8"]
        # A wind that no ice knows is refused beside the controls.
        page.page.fill("#wind-x", "500")
        page.page.click("#wind-set")
        assert page.text("#live-note") == "At most 60 m/s can be set; this is 500 m/s."
        page.page.fill("#wind-y", "")
        page.page.click("#wind-set")
        assert page.text("#live-note") == "Give two numbers."
        page.picture("live-refused")
        # The ice drifts south; a storm turns it.
        page.page.fill("#wind-x", "0")
        page.page.fill("#wind-y", "25")
        page.page.click("#wind-set")
        page.page.select_option("#pace", "1000")
        page.page.click("#pause")
        page.until("banquise.shown.from.wind[1] === 25")
        floe = largest_floe(page)
        page.until(f"banquise.shown.to.velocity_y[{floe}] > 0.1", seconds=60)
        page.picture("live")
        # Home shows the ice where it is now.
        page.page.press("#over", "Home")
        extent = page.ask("banquise.camera.extent")
        now = page.ask(f"[...banquise.poseOf({floe})].slice(0, 2)")
        assert all(extent["min"][axis] < now[axis] < extent["max"][axis] for axis in (0, 1))
        assert extent != page.ask("banquise.run.scene.extent")
        page.page.click("#wind-reset")
        page.until("banquise.run.state.wind === null")
        page.until("document.querySelectorAll('.chart').length >= 6")
        titles = page.ask("[...document.querySelectorAll('.chart h3')].map(head => head.firstChild.data)")
        assert {"Kinetic energy", "Wind", "Drift of the pack", "Concentration", "Dispersion"} <= set(titles), titles


def test_a_short_run_waits_for_the_page_and_its_end_is_seen(browser):
    with served("three-discs") as url:
        with Page(browser, url) as page:
            # It had not begun before somebody looked.
            assert page.ask("banquise.run.times[0]") == 0
            page.until("banquise.run.state.status === 'complete'")
            page.settle()
            assert "complete" in page.text("#status")
            page.until("banquise.painter.whole.size > 0")


def test_a_run_whose_server_ends_does_not_go_on(browser):
    with served("channel", "--set", "time.duration=20 d") as url:
        page = Page(browser, url, size=PHONE)
        page.until("banquise.run.last >= 2")
        assert "running" in page.text("#status")
    page.until("banquise.isLost", seconds=20)
    page.settle()
    assert "connection lost" in page.text("#status")
    assert page.text("#notice") == "The connection is lost: the command that serves this page has ended."
    assert page.page.is_disabled("#pause") and page.page.is_disabled("#wind-set")
    page.picture("lost")
    page.context.close()


def test_ten_thousand_floes_are_drawn_in_time(browser, tmp_path, capsys):
    folder = tmp_path / "field"
    keys = ["--set", "time.duration=4 min", "--set", "time.record_every=1 min"]
    subprocess.run([BANQUISE, "run", "field", *keys, "--out", str(folder)], check=True, stderr=subprocess.DEVNULL)
    with served(folder) as url, Page(browser, url) as page:
        assert page.ask("banquise.run.scene.floes") == 10_000
        page.picture("ten-thousand")
        times = page.ask("banquise.measure(12)")
        with capsys.disabled():
            print(f"\n10,000 floes: {median(times):.0f} ms a picture without a graphics card, {max(times):.0f} ms at most")
        # Drawn by the processor, which other tests may share; a graphics card takes a few milliseconds.
        assert median(times) < 500
