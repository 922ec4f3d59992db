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


def all_ice_is_seen(page):
    """Whether the box round the floes that are there is in the view, and fills a good part of it."""
    return page.ask("""(() => {
        const { camera, framing } = banquise, box = framing.ice();
        const [left, top] = camera.toScreen(box.min[0], box.max[1]), [right, bottom] = camera.toScreen(box.max[0], box.min[1]);
        const part = Math.max((right - left) / camera.width, (bottom - top) / camera.height);
        return left >= -1 && top >= -1 && right <= camera.width + 1 && bottom <= camera.height + 1 && part > 0.15;
    })()""")


def ice_pixels(page):
    """How many pixels of the picture are ice."""
    return page.ask("""(() => {
        banquise.draw(banquise.shown);
        const { gl } = banquise.renderer, { width, height } = gl.canvas, lands = [banquise.theme.land, banquise.theme.landEdge];
        const pixels = new Uint8Array(4 * width * height);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        let count = 0;
        for (let k = 0; k < pixels.length; k += 4) {
            const isLand = lands.some(land => land.every((c, j) => Math.abs(pixels[k + j] - 255 * c) < 4));
            if (pixels[k + 3] === 255 && !isLand) count += 1;
        }
        return count;
    })()""")


def marked_pixels(page, canvas, color):
    """How many pixels of a canvas beside the ice have about a colour of the page's theme, or any."""
    return page.ask(f"""(() => {{
        const canvas = document.getElementById("{canvas}"), text = banquise.theme.css["{color}"] ?? "";
        const color = [1, 3, 5].map(k => parseInt(text.slice(k, k + 2), 16));
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", {{ willReadFrequently: true }});
        copy.drawImage(canvas, 0, 0);
        const {{ data }} = copy.getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let k = 0; k < data.length; k += 4) {{
            if (data[k + 3] > 20 && color.every((c, j) => Number.isNaN(c) || Math.abs(data[k + j] - c) < 16)) count += 1;
        }}
        return count;
    }})()""")


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
            # One in a hundred numbers may be beyond the scale, and then the legend says so; it marks logarithms.
            is_open = page.text("#legend-high").startswith("≥")
            assert max(seen) <= ends[1] * (1 + 1e-6) or is_open, field
            assert ("log scale" in page.text("#legend-name")) == (field in ["pressure", "force"])
        # Up to the largest number of the run.
        page.page.select_option("#range", "all")
        for field in ["speed", "pressure", "force", "rotation"]:
            page.page.select_option("#field", field)
            page.settle()
            most = page.ask(f"banquise.painter.whole.get('{field}').all.map(Math.abs)")
            assert page.ask(f"banquise.painter.range('{field}')")[1] == pytest.approx(max(most))
            assert not page.text("#legend-high").startswith("≥")
        page.page.select_option("#field", "age")
        # Over one record, and back.
        page.page.select_option("#range", "record")
        page.page.fill("#slider", "3")
        page.settle()
        assert page.ask("banquise.painter.range('age')") != ends
        page.page.select_option("#range", "robust")
        page.settle()
        assert page.ask("banquise.painter.range('age')") == ends
        # Two numbers of the reader's own, and other colours.
        page.page.select_option("#field", "speed")
        page.page.select_option("#range", "given")
        page.page.fill("#range-low", "0.01")
        page.page.fill("#range-high", "0.05")
        page.settle()
        assert page.ask("banquise.painter.range('speed')") == [0.01, 0.05]
        assert [page.text("#legend-low"), page.text("#legend-high")] == ["0.01 m/s", "≥ 0.05 m/s"]
        floe = largest_floe(page)
        colors = []
        for name in ["viridis", "magma", "grey"]:
            page.page.select_option("#color-map", name)
            colors.append(page.picture(f"map-{name}").getpixel(tuple(map(round, page.place_of(floe)))))
        assert len(set(colors)) == 3, colors


def test_a_floe_tells_its_numbers(browser, channel):
    with served(channel) as url, Page(browser, url) as page:
        page.page.fill("#slider", "20")
        page.settle()
        floe = largest_floe(page)
        page.page.mouse.click(*page.place_of(floe))
        page.until("!document.getElementById('floe').hidden")
        assert page.text("#floe-name") == f"Floe {floe}"
        numbers = page.ask(f"banquise.run.floe({floe}, banquise.run.placeOf(20))")
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
        page.settle()
        assert page.ask("banquise.camera.isUntouched")
        assert all_ice_is_seen(page) and page.ask("banquise.camera.scale") >= home[2]


@pytest.fixture(scope="module")
def drift(tmp_path_factory):
    """Six days of seven floes that drift over several times their own width."""
    folder = tmp_path_factory.mktemp("drift") / "run"
    subprocess.run([BANQUISE, "run", "drift", "--out", str(folder)], check=True, stderr=subprocess.DEVNULL)
    return folder


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_ice_that_drifts_away_stays_in_view(browser, drift, size):
    with served(drift) as url, Page(browser, url, size=size) as page:
        for record in [0, 864, 432, 200, 700]:
            page.ask(f"banquise.goToRecord({record})")
            page.settle()
            assert all_ice_is_seen(page), record
            assert ice_pixels(page) > 0.03 * size[0] * 0.5 * size[1], record
            if record == 432:
                page.picture(f"drift-{size[0]}")
        start = page.ask("[banquise.camera.x, banquise.camera.y]")
        page.ask("banquise.goToRecord(100)")
        page.settle()
        assert page.ask("[banquise.camera.x, banquise.camera.y]") != start, "the view goes with the ice"
        # A view of the reader's own stays until the button asks for the ice.
        page.page.uncheck("#follow-ice")
        page.ask("banquise.goToRecord(864)")
        page.settle()
        assert not all_ice_is_seen(page) and ice_pixels(page) == 0
        page.page.click("#zoom-all")
        page.settle()
        assert all_ice_is_seen(page) and ice_pixels(page) > 1000


def test_a_live_run_is_framed_with_and_without_obstacles(browser):
    for scenario in ["drift", "channel"]:
        with served(scenario) as url, Page(browser, url) as page:
            page.page.select_option("#pace", "1000")
            for _ in range(10):
                page.page.wait_for_timeout(300)
                assert all_ice_is_seen(page), scenario
            page.until("banquise.run.state.status === 'complete'", seconds=120)
            page.settle()
            assert all_ice_is_seen(page) and ice_pixels(page) > 1000, scenario


def test_trails_arrows_fields_and_graticule(browser, drift, tmp_path):
    with served(drift) as url, Page(browser, url) as page:
        page.ask("banquise.goToRecord(432)")
        page.until("banquise.trails !== null")
        page.settle()
        # Floes are few: trails are there at once, under the ice, and end at the floes.
        assert page.page.is_checked("#show-trails") and marked_pixels(page, "under", "trail") > 500
        assert page.ask("banquise.trails.times.length") == 865
        page.page.uncheck("#show-trails")
        page.settle()
        assert marked_pixels(page, "under", "trail") == 0 and marked_pixels(page, "under", "ink") > 1000
        page.page.uncheck("#show-graticule")
        page.settle()
        assert marked_pixels(page, "under", "ink") == 0
        assert marked_pixels(page, "over", "mark") == 0
        page.page.check("#show-arrows")
        page.settle()
        assert marked_pixels(page, "over", "mark") > 100
        before = marked_pixels(page, "over", "any")
        page.page.select_option("#weather", "wind")
        page.settle()
        assert marked_pixels(page, "over", "any") > before + 5000
        page.picture("marks")
    # A current that differs from place to place is drawn where the floes are.
    folder = tmp_path / "eddy"
    subprocess.run([BANQUISE, "run", "eddy", "--set", "time.duration=6 h", "--out", str(folder)], check=True, stderr=subprocess.DEVNULL)
    for run in [folder, "eddy"]:
        with served(run) as url, Page(browser, url) as page:
            page.until("banquise.run.last >= 12")
            page.ask("banquise.goToRecord(12)")
            page.settle()
            before = marked_pixels(page, "over", "any")
            page.page.select_option("#weather", "current")
            page.until("banquise.weather?.record === 12")
            page.settle()
            speeds = page.ask("[...banquise.weather.current.x].map((x, k) => Math.hypot(x, banquise.weather.current.y[k]))")
            assert len(speeds) == 49 and 0.2 < max(speeds) <= 0.3 + 1e-6 and min(speeds) < 0.15
            assert marked_pixels(page, "over", "any") > before + 1000


def test_a_floe_is_found_and_the_cursor_tells_its_place(browser, drift):
    with served(drift) as url, Page(browser, url) as page:
        page.ask("banquise.goToRecord(864)")
        page.settle()
        page.page.press("#over", "/")
        page.page.keyboard.type("4")
        page.page.keyboard.press("Enter")
        page.until("!document.getElementById('floe').hidden")
        assert page.text("#floe-name") == "Ecume (floe 4)"
        page.settle()
        x, y = page.place_of(4)
        sea = page.page.locator("#sea").bounding_box()
        assert abs(x - sea["x"] - sea["width"] / 2) < 2 and abs(y - sea["y"] - sea["height"] / 2) < 2, "it is in the middle"
        page.page.mouse.move(x, y)
        position = page.ask("banquise.run.floe(4, banquise.run.placeOf(864))")["position_m"]
        words = page.text("#cursor").replace("−", "-")
        assert words.endswith("km · Ecume")
        shown = [float(number) for number in words.split(" km")[0].replace("x ", "").replace("y ", "").split(", ")]
        scale = page.ask("banquise.camera.scale")
        assert all(abs(a - b / 1000) < 0.01 + 1e-3 / scale for a, b in zip(shown, position)), (shown, position)
        # By name, and what is not there.
        page.page.fill("#find", "alba")
        page.page.press("#find", "Enter")
        page.until("banquise.chosen?.body === 0")
        page.page.fill("#find", "99")
        page.page.press("#find", "Enter")
        assert page.text("#notice") == "There is no floe “99”: numbers go from 0 to 6."


def test_degrees_are_those_of_the_model(browser, tmp_path):
    scenario = tmp_path / "north.toml"
    scenario.write_text("""
[origin]
longitude = "61.9 degW"
latitude = "81.925 degN"
[time]
duration = "10 min"
step = "60 s"
record_every = "1 min"
[[floe]]
position = ["40 km", "-70 km"]
thickness = "1 m"
disc = { radius = "5 km" }
""")
    with served(scenario) as url, Page(browser, url) as page:
        page.until("banquise.run.state.status === 'complete'")
        page.settle()
        floe = page.ask("banquise.run.floe(0, banquise.run.placeOf(0))")
        ours = page.ask(f"banquise.overlay.earth.toDegrees(...{floe['position_m']})")
        assert ours == pytest.approx(floe["longitude_latitude_deg"], abs=1e-9)
        back = page.ask(f"banquise.overlay.earth.toPlane(...{ours})")
        assert back == pytest.approx(floe["position_m"], abs=1e-3)
        page.page.mouse.move(*page.place_of(0))
        assert f"{ours[1]:.2f}" in page.text("#cursor") and "° W" in page.text("#cursor")
        page.picture("degrees")


def test_the_address_keeps_what_is_shown(browser, drift):
    with served(drift) as url:
        with Page(browser, url) as page:
            page.ask("banquise.goToRecord(300)")
            page.page.select_option("#field", "thickness")
            page.page.select_option("#color-map", "magma")
            page.page.select_option("#range", "given")
            page.page.fill("#range-low", "0.5")
            page.page.fill("#range-high", "2")
            page.page.check("#show-arrows")
            page.page.select_option("#weather", "current")
            page.page.fill("#find", "2")
            page.page.press("#find", "Enter")
            page.until("banquise.chosen?.body === 2")
            page.settle()
            page.until("location.hash.includes('floe=2')")
            address, words = page.page.url, page.ask("banquise.words()")
            view = page.ask("[banquise.camera.x, banquise.camera.y, banquise.camera.scale]")
            picture = page.picture("address")
        with Page(browser, address) as page:
            page.until("banquise.chosen?.body === 2 && banquise.trails !== null && banquise.painter.whole.size > 0")
            page.settle()
            assert page.ask("banquise.words()") == words
            assert words["t"] == 180_000 and words["range"] == "0.5,2" and words["field"] == "current"
            assert page.ask("[banquise.camera.x, banquise.camera.y, banquise.camera.scale]") == pytest.approx(view, rel=1e-5)
            again = page.picture("address-again")
            sea = tuple(map(round, (lambda box: (box["x"], box["y"] + 100, box["width"], 500))(page.page.locator("#sea").bounding_box())))
            assert picture.crop(sea).tobytes() == again.crop(sea).tobytes()
        # What makes no sense is left alone.
        with Page(browser, url + "#t=abc&color=taste&range=5,1&view=0,0,-1&floe=999&marks=nothing") as page:
            page.settle()
            assert all_ice_is_seen(page) and page.ask("banquise.field") == "speed" and page.ask("banquise.chosen") is None


def test_pictures_and_films_are_saved(browser, drift, tmp_path):
    from PIL import Image

    with served(drift) as url, Page(browser, url) as page:
        page.ask("banquise.goToRecord(600)")
        page.settle()
        with page.page.expect_download() as download:
            page.page.press("#over", "p")
        name = download.value.suggested_filename
        assert name == "seven-floes-under-a-turning-wind-360000s.png"
        download.value.save_as(tmp_path / name)
        image = Image.open(tmp_path / name).convert("RGB")
        box = page.page.locator("#sea").bounding_box()
        assert image.width == int(box["width"]) & ~1 and image.height > box["height"]
        pixel = image.getpixel(tuple(round(a - b) for a, b in zip(page.place_of(0), (box["x"], box["y"]))))
        assert not near(pixel, WATER) and near(image.getpixel((image.width // 2, 40)), WATER, 40)
        # The last few hours, as a film.
        page.ask("banquise.goToRecord(850)")
        page.settle()
        with page.page.expect_download(timeout=60_000) as download:
            page.page.click("#film")
            assert page.text("#film") == "■ Stop"
        download.value.save_as(tmp_path / "film.webm")
        assert download.value.suggested_filename.endswith(".webm")
        assert page.text("#film") == "● Film" and page.ask("banquise.isPlaying") is False
    import av

    with av.open(str(tmp_path / "film.webm")) as container:
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(frames) >= 3 and frames[0].shape[:2] == (image.height, image.width)


def test_help_tells_the_keys(browser, drift):
    for size in [DESKTOP, PHONE]:
        with served(drift) as url, Page(browser, url, size=size) as page:
            page.page.press("#over", "?")
            assert page.page.is_visible("#help") and "find a floe by number" in page.text("#help")
            box = page.page.locator("#help").bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] and box["height"] <= size[1]
            page.picture(f"help-{size[0]}")
            page.page.keyboard.press("Escape")
            assert not page.page.is_visible("#help")
            page.page.click("#help-open")
            assert page.page.is_visible("#help")
            page.page.click("#help button")


def test_crushed_floes_are_drawn_as_they_were_cut(browser, tmp_path):
    scenario, keys = ROOT / "crates/banquise_cli/tests/cases/crush.toml", ["--set", "contact.squeeze=crush"]
    folder = tmp_path / "crush"
    subprocess.run([BANQUISE, "run", str(scenario), *keys, "--out", str(folder)], check=True, stderr=subprocess.DEVNULL)
    for arguments in [[folder], [scenario, *keys]]:
        with served(*arguments) as url, Page(browser, url) as page:
            page.until("banquise.run.state.status === 'complete'", seconds=60)
            areas = []
            for record in [0, 60, 70, 80]:
                page.ask(f"banquise.goToRecord({record})")
                page.settle()
                area = page.ask(f"banquise.run.floe(0, banquise.run.placeOf({record}))")["area_m2"]
                drawn = ice_pixels(page) / page.ask("banquise.camera.scale") ** 2
                # Outlines lie half outside of the ice.
                assert drawn == pytest.approx(area, rel=0.02), (record, drawn, area)
                areas.append(area)
            assert areas == sorted(areas, reverse=True) and areas[-1] < 0.9 * areas[0]
            page.picture(f"crushed-{'recorded' if arguments == [folder] else 'live'}")


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
            # It had not begun before the page was opened.
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
