"""Over HTTPS under a separate name: what is installed and notifies; over plain HTTP: all else.

How this works. A browser takes this machine's own address for secure even in plain HTTP. So it is
shown another name for it, and a front of TLS is before the service, with a
separate certificate that this browser is asked to accept.
"""

import asyncio
import contextlib
import datetime
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.async_api import Browser, async_playwright, expect

from tests.api.serving import Caller
from tests.api.test_timers import in_melee
from tests.patience import PATIENCE_SECONDS
from tests.web.battles import running, started
from tests.web.browsers import launched
from tests.web.phone import Phone
from tests.web.test_phone_notices import BLOW
from tests.web.visitor import Visitor

pytestmark = pytest.mark.soak

HOST = "warlog.test"
OF_THE_TEST = {"in-incognito", "not-from-secure-origin"}
"""What the browser has against installing that is the test's: it keeps nothing, and nobody signed
the certificate."""
AWAY = """
Object.defineProperty(Document.prototype, "hidden", { get: () => window.isAway ?? false });
"""
SHOWN = """async () => {
  for (;;) {
    for (const each of await navigator.serviceWorker.getRegistrations()) {
      const [notice] = await each.getNotifications();
      if (notice) return [notice.title, notice.tag, notice.data];
    }
    await new Promise((later) => setTimeout(later, 50));
  }
}"""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for the name, signed by nobody, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    today = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "warlog.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(secret + signed.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.fixture
async def secure(caller: Caller, certificate: Path) -> AsyncIterator[str]:
    """The address of a front of TLS before the service."""
    target = urlsplit(caller.url)

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ssl.SSLError):
            while piece := await reader.read(65_536):
                writer.write(piece)
                await writer.drain()
        writer.close()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection(target.hostname, target.port)
        async with asyncio.TaskGroup() as both:
            both.create_task(pump(reader, there[1]))
            both.create_task(pump(there[0], writer))

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = await asyncio.start_server(carry, "127.0.0.1", 0, ssl=context)
    yield f"https://{HOST}:{server.sockets[0].getsockname()[1]}"
    server.close()


@pytest.fixture(scope="module")
async def remote() -> AsyncIterator[Browser]:
    """A browser to which the service is another machine."""
    rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"
    async with async_playwright() as playwright:
        browser = await launched(playwright, rules, "--ignore-certificate-errors", is_whole=True)
        yield browser
        await browser.close()


async def test_over_https_it_can_be_installed_and_a_notice_is_shown(
    remote: Browser, caller: Caller, secure: str
) -> None:
    battle = started(caller, in_melee())
    visitor = await Visitor.arriving(remote, secure)
    await visitor.context.grant_permissions(["notifications"], origin=secure)
    await visitor.context.add_init_script(AWAY)
    await visitor.open(battle.links["carl"])
    phone = Phone(visitor)
    page = phone.page
    await expect(phone.banner).to_have_class("banner live")
    assert await page.evaluate("window.isSecureContext")
    session = await visitor.context.new_cdp_session(page)
    lacking = (await session.send("Page.getInstallabilityErrors"))["installabilityErrors"]
    assert {each["errorId"] for each in lacking} <= OF_THE_TEST
    await page.locator(".menu summary").click()
    await expect(page.locator(".menu .sheet")).not_to_contain_text("need HTTPS")
    await page.get_by_label("Notify me when I am asked").check()
    await expect(page.get_by_label("Notify me when I am asked")).to_be_checked()
    await page.evaluate("window.isAway = true")
    assert battle.act("olga", BLOW) == 201
    text = "You are asked: Answer to an attack."
    assert await asyncio.wait_for(page.evaluate(SHOWN), PATIENCE_SECONDS) == [
        text,
        "warlog",
        page.url,
    ]
    await visitor.leave()


async def test_over_plain_http_a_battle_is_played_and_proved(
    remote: Browser, caller: Caller
) -> None:
    """No secure origin has `crypto.subtle` or notices; what they would do is done or said."""
    plain = f"http://{HOST}:{urlsplit(caller.url).port}"
    battle = running(caller, "squad-d100")
    visitor = await Visitor.arriving(remote, plain)
    await visitor.open(battle.links["anna"])
    phone = Phone(visitor)
    page = phone.page
    await expect(phone.banner).to_have_class("banner live")
    assert not await page.evaluate("window.isSecureContext")
    assert await page.evaluate("crypto.subtle === undefined")
    await phone.act("Kneeling down")
    await phone.confirm()
    await page.locator(".menu summary").click()
    await expect(page.locator(".menu .sheet")).to_contain_text("Notices and installing need HTTPS")
    caller.act(battle.path, {"type": "end_encounter", "reveal": "now", "open": "all"})
    await visitor.open(f"/replay/{battle.id}#seat=anna")
    await page.get_by_role("button", name="Check now").click()
    badge = page.locator(".badge")
    await expect(badge).to_contain_text("Checked in this browser")
    await expect(badge).to_contain_text("nothing differs")
    await visitor.leave()
