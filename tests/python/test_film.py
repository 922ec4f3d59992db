"""Others open the films and pictures that `banquise export` makes."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
BANQUISE = os.environ.get("BANQUISE", str(ROOT / "target/release/banquise"))
CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
LAND = (216, 205, 184)


def banquise(*arguments):
    subprocess.run([BANQUISE, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Half an hour of ice before a channel, 31 records."""
    folder = tmp_path_factory.mktemp("film") / "run"
    banquise("run", "channel", "--set", "time.duration=30 min", "--set", "report.snapshots=[]", "--out", folder)
    return folder


def test_pictures(run):
    banquise("export", run, "--to", "png", "--every", 10)
    pictures = sorted((run / "pictures").glob("*.png"))
    assert len(pictures) == 4
    image = np.asarray(Image.open(pictures[-1]))
    assert image.shape == (1080, 1920, 3)
    assert 0.01 < np.mean(np.all(image == LAND, axis=2)) < 0.5, "the shores are drawn"


def test_gif(run):
    banquise("export", run, "--to", "gif", "--size", "640x360", "--fps", 20)
    film = Image.open(run / "film.gif")
    assert (film.n_frames, film.size, film.info["duration"], film.info["loop"]) == (31, (640, 360), 50, 0)
    frames = []
    for number in [0, 30]:
        film.seek(number)
        frames.append(np.asarray(film.convert("RGB")).astype(int))
    assert np.mean(np.any(np.abs(frames[0] - frames[1]) > 30, axis=2)) > 0.02, "ice moves"
    # Its colours are near those of the picture.
    banquise("export", run, "--to", "png", "--size", "640x360", "--every", 30, "--out", run / "small")
    picture = np.asarray(Image.open(run / "small/frame-30.png")).astype(int)
    assert np.mean(np.abs(frames[1] - picture)) < 4


@pytest.fixture(scope="module")
def film(run):
    banquise("export", run, "--to", "mp4", "--size", "642x362", "--fps", 20)
    return run / "film.mp4"


def test_mp4_is_read_by_ffmpeg(run, film):
    import av

    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.width, stream.height) == ("h264", 642, 362)
        assert (stream.frames, stream.average_rate) == (31, 20)
        frames = [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0)]
    assert len(frames) == 31
    banquise("export", run, "--to", "png", "--size", "642x362", "--out", run / "frames")
    luma = np.array([0.2126, 0.7152, 0.0722])
    for number, frame in enumerate(frames):
        picture = np.asarray(Image.open(run / f"frames/frame-{number:02}.png")).astype(int)
        # Colours have half the resolution, so brightness is looked at; its errors must not grow from frame to frame.
        error = (frame - picture) @ luma
        assert 10 * np.log10(255**2 / np.mean(error**2)) > 40, f"frame {number}"
        assert np.max(np.abs(error)) < 40, f"frame {number}"


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
def test_mp4_plays_in_a_browser(film):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-background-networking"])
        page = browser.new_page()
        page.goto(film.as_uri())
        video = page.evaluate("""async () => {
            const video = document.querySelector("video");
            if (video.readyState < 2) await new Promise((done, failed) => { video.onloadeddata = done; video.onerror = failed; });
            return [video.videoWidth, video.videoHeight, video.duration, video.error];
        }""")
        browser.close()
    assert video == [642, 362, 31 / 20, None]
