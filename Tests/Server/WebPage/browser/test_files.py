"""Files: chosen, sent, seen and downloaded."""

import base64
import struct
import zlib

from playwright.sync_api import expect


def picture(width, height):
    """A PNG of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x0b\x6a\x63" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


# An MP3 of 38 frames of silence, one second.
SILENCE = (b"\xff\xfb\x90\x64" + bytes(413)) * 38
# Records twenty pictures of a canvas as MP4.
FILM = """() => new Promise(resolve => {
    const canvas = Object.assign(document.createElement("canvas"), {width: 160, height: 120})
    const pen = canvas.getContext("2d")
    const recorder = new MediaRecorder(canvas.captureStream(), {mimeType: "video/mp4"})
    recorder.ondataavailable = ({data}) => {
        const reader = new FileReader()
        reader.onload = () => resolve(reader.result.split(",")[1])
        reader.readAsDataURL(data)
    }
    recorder.start()
    let count = 0
    const timer = setInterval(() => {
        pen.fillStyle = `hsl(${count * 18} 80% 50%)`
        pen.fillRect(0, 0, 160, 120)
        if (++count < 20) return
        clearInterval(timer)
        recorder.stop()
    }, 50)
})"""


def send(harbor, visit, place, text, *files):
    """Sends files of (name, media type, content) from Mara to Jonas; returns Jonas and the message that he sees."""
    harbor.group(place, place.title(), "mara", "jonas-b")
    mara, jonas = visit(harbor, "mara"), visit(harbor, "jonas-b")
    for person in [mara, jonas]:
        person.open(f"#/conversation/{place}")
        person.live()
    mara.page.get_by_label("Attach files").and_(mara.page.locator("input")).set_input_files(
        [{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in files])
    expect(mara.page.locator(".chosen-files li")).to_have_count(len(files))
    mara.say(text)
    return jonas, jonas.message(text)


def test_files(harbor, visit):
    plan = "Berth 4 first.\n".encode() * 100
    jonas, article = send(
        harbor, visit, "files", "Here is the plan.", ("crane.png", "image/png", picture(640, 400)),
        ("<b>plan.txt", "text/plain", plan), ("page.html", "text/html", b"<script>alert(1)</script>"))
    image = article.get_by_role("button", name="crane.png")
    expect(image.locator("img")).to_be_visible()
    assert image.locator("img").evaluate("image => image.naturalWidth") == 640
    jonas.shot("files")

    image.click()
    expect(jonas.page.get_by_role("dialog").get_by_role("img", name="crane.png")).to_be_visible()
    jonas.shot("image")
    jonas.page.keyboard.press("Escape")
    for name, content in [("<b>plan.txt", plan), ("page.html", b"<script>alert(1)</script>")]:
        with jonas.page.expect_download() as download:
            article.get_by_role("button", name=f"Download {name}").click()
        assert open(download.value.path(), "rb").read() == content


def test_sound_and_film_are_played(harbor, visit):
    film = base64.b64decode(visit(harbor, "mara").page.evaluate(FILM))
    jonas, article = send(
        harbor, visit, "media", "Listen and look.", ("horn.mp3", "audio/mpeg", SILENCE),
        ("crane.mp4", "video/mp4", film))
    for name, kind in [("horn.mp3", "audio"), ("crane.mp4", "video")]:
        article.get_by_role("button", name=f"Play {name}").click()
        player = article.locator(kind)
        expect(player).to_be_focused()
        expect(player).to_have_js_property("ended", True)
        assert player.evaluate("player => player.error") is None
        assert player.evaluate("player => player.currentTime") > 0.5
    assert player.evaluate("player => [player.videoWidth, player.videoHeight]") == [160, 120]
    jonas.shot("media")
    jonas.axe("sound and film")


def test_a_file_that_cannot_be_sent(harbor, visit):
    harbor.group("empty", "Empty", "mara", "jonas-b")
    mara = visit(harbor, "mara")
    page = mara.open("#/conversation/empty")
    page.get_by_label("Attach files").and_(page.locator("input")).set_input_files(
        {"name": "nothing.txt", "mimeType": "text/plain", "buffer": b""})
    expect(page.get_by_role("alert")).to_contain_text("nothing.txt is empty")
    expect(page.locator(".chosen-files li")).to_have_count(0)
