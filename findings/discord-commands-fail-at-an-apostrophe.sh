#!/usr/bin/env bash
# discord.py 2.7.1 (its commands), Python 3.11.
#
# A bot has a command that takes words: `!note don't shut it`. Keyboards of phones write ’ for the apostrophe, and this sign is a quotation
# mark for the library: in the middle of a word it raises UnexpectedQuoteError, and the command is not called, while the straight
# apostrophe is a letter for it. The mark behind a number of inches raises as well. A word in “ ” is one argument without its marks, but one in
# the marks of German, „ “, raises, because another closing mark is expected. A last parameter behind `*,` takes the text as it is.
#
# Output (the words that `note` gets, the text that `say` gets):
#   don't shut it: ["don't", 'shut', 'it'], "don't shut it"
#   don’t shut it: UnexpectedQuoteError, 'don’t shut it'
#   a 5" pipe: UnexpectedQuoteError, 'a 5" pipe'
#   the “gate 4” is shut: ['the', 'gate 4', 'is', 'shut'], 'the “gate 4” is shut'
#   das „Tor 4“ ist zu: ExpectedClosingQuoteError, 'das „Tor 4“ ist zu'
#
# Most would guess that only double quotation marks hold words together, and that an apostrophe is a letter.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile discord.py==2.7.1
cat > "$work/commands.py" <<'PYTHON'
import asyncio
from types import SimpleNamespace
from unittest.mock import MagicMock

import discord
from discord.ext import commands

seen = []
bot = commands.Bot("!", intents=discord.Intents.none())


@bot.command()
async def note(context, *words):
    seen.append(list(words))


@bot.command()
async def say(context, *, text):
    seen.append(text)


@bot.event
async def on_command_error(context, error):
    seen.append(type(error).__name__)


async def main():
    async with bot:
        bot._connection.user = SimpleNamespace(id=1)
        for text in ["don't shut it", "don’t shut it", 'a 5" pipe', "the “gate 4” is shut", "das „Tor 4“ ist zu"]:
            seen.clear()
            for command in ("note", "say"):
                message = MagicMock(spec=discord.Message, content=f"!{command} {text}", author=SimpleNamespace(id=2, bot=False), guild=None)
                message._state = bot._connection
                await bot.process_commands(message)
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            print(f"{text}: {seen[0]}, {seen[1]!r}")


asyncio.run(main())
PYTHON
"$work/env/bin/python" -W ignore "$work/commands.py" 2> "$work/log" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
don't shut it: ["don't", 'shut', 'it'], "don't shut it"
don’t shut it: UnexpectedQuoteError, 'don’t shut it'
a 5" pipe: UnexpectedQuoteError, 'a 5" pipe'
the “gate 4” is shut: ['the', 'gate 4', 'is', 'shut'], 'the “gate 4” is shut'
das „Tor 4“ ist zu: ExpectedClosingQuoteError, 'das „Tor 4“ ist zu'
SEEN
