#!/usr/bin/env bash
# mail-parser-reply 1.36 and email-reply-parser 0.5.12, Python 3.11.
#
# Both take the new text out of a mail and leave the quoted one out, so that it can go to a chat or an index. They look for the
# head of a forwarded mail by its words, in the middle of the text, too. An answer that names lines of a form ("From:", "To:")
# ends there. For the first, which is asked for English, German and French, an answer also ends at "Le lundi, Ada a écrit :" and
# at "Von: … An: …". For the second, everything after "On Friday I wrote:" is quoted, so that nothing is left of such a mail.
#
# Output (mail-parser-reply, email-reply-parser; how much of the own text is left):
#   form: half, half
#   story: all, nothing
#   french: half, all
#   german: half, all
#   plain: all, all
#
# Most would guess that a head of a mail needs an address or a date, and that doubtful text is kept.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check mail-parser-reply==1.36 email-reply-parser==0.5.12
cat > "$work/mails.py" <<'PYTHON'
import sys

import email_reply_parser
from mailparser_reply import EmailReplyParser

mails = {
    "form": "Hi,\n\nthe crates need labels:\nFrom: Hamburg\nTo: Bremen\nDate: Friday\nSubject: tools\n\nPlease print them.",
    "story": "On Friday I wrote:\nthe crane is broken.\nNobody has replied since.",
    "french": "Bonjour,\n\nLe lundi, Ada a écrit :\nla grue est en panne.\n\nJe regarde.",
    "german": "Hallo,\n\nauf die Kiste kommt\nVon: Hamburg\nAn: Bremen\n\nBitte drucken.",
    "plain": "Hi,\n\nthe crane runs again.",
}
expected = {"form": "half, half", "story": "all, nothing", "french": "half, all", "german": "half, all", "plain": "all, all"}


def kept(mail, reply):
    return "all" if reply.split() == mail.split() else "half" if reply.strip() else "nothing"


seen = {}
for name, mail in mails.items():
    first = EmailReplyParser(languages=["en", "de", "fr"]).parse_reply(text=mail)
    second = email_reply_parser.EmailReplyParser.parse_reply(mail)
    seen[name] = f"{kept(mail, first)}, {kept(mail, second)}"
    print(f"{name}: {seen[name]}")
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/mails.py"
