#!/usr/bin/env bash
# mail-parser 4.8.0 and imap-tools 1.16.0 beside the module email of Python 3.11.
#
# Somebody writes two words above a mail and attaches that mail; a server sends back a mail that it could not deliver. In both the
# old mail is an attachment, with its own head. Both libraries put its text behind the writer's own: `text` of imap-tools
# continues without a border, `text_plain` of mail-parser has it as a further part. So an index, or a chat that a mailbox feeds, shows the
# old words as said by the new writer. A file log.txt is left out by both, so attachments look handled. `get_body` of Python gives
# the own text only. For a text with HTML as its alternative, `body` of mail-parser has both, one below the other.
#
# Output (Python, imap-tools `text`, mail-parser `text_plain`):
#   a file: 'See below.\n' | 'See below.\n' | ['See below.\n']
#   a mail: 'See below.\n' | 'See below.\nBob is to blame.\n' | ['See below.\n', 'Bob is to blame.\n']
#   sent back: 'Not delivered.\n' | 'Not delivered.\nBob is to blame.\n' | ['Not delivered.\n', 'Bob is to blame.\n']
#   text and HTML, `body` of mail-parser: 'Gate 4.\n\n--- mail_boundary ---\n<p>Gate 4.</p>\n'
#
# Most would guess that the text of a mail ends where its attachments begin, whether a file or a mail is attached.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile mail-parser==4.8.0 imap-tools==1.16.0
cat > "$work/mails.py" <<'PYTHON'
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import mailparser
from imap_tools import MailMessage


def mail(text):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ada@example.org", "port@example.org", "Crane"
    message.set_content(text)
    return message


with_file = mail("See below.")
with_file.add_attachment("old log", filename="log.txt")
forwarded = mail("See below.")
forwarded.add_attachment(mail("Bob is to blame."))
bounce = MIMEMultipart("report", report_type="delivery-status")
bounce["From"] = "server@example.org"
bounce.attach(MIMEText("Not delivered.\n"))
bounce.attach(MIMEMessage(mail("Bob is to blame.")))
seen = {}
for name, message in {"a file": with_file, "a mail": forwarded, "sent back": bounce}.items():
    data = message.as_bytes()
    by_python = message_from_bytes(data, policy=policy.default).get_body(("plain",)).get_content()
    by_tools = MailMessage.from_bytes(data).text
    by_parser = mailparser.parse_from_bytes(data).text_plain
    seen[name] = (by_python, by_tools, by_parser)
    print(f"{name}: {by_python!r} | {by_tools!r} | {by_parser}")
both = mail("Gate 4.")
both.add_alternative("<p>Gate 4.</p>", subtype="html")
body = mailparser.parse_from_bytes(both.as_bytes()).body
print(f"text and HTML, `body` of mail-parser: {body!r}")
BLAME = "Bob is to blame.\n"
sys.exit(0 if seen == {
    "a file": ("See below.\n", "See below.\n", ["See below.\n"]),
    "a mail": ("See below.\n", "See below.\n" + BLAME, ["See below.\n", BLAME]),
    "sent back": ("Not delivered.\n", "Not delivered.\n" + BLAME, ["Not delivered.\n", BLAME]),
} and "<p>Gate 4.</p>" in body and body.startswith("Gate 4.\n") else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/mails.py"
