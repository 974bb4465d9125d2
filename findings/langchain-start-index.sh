#!/usr/bin/env bash
# langchain-text-splitters 1.1.3 (langchain-core 1.8.3), Python 3.11.
#
# A chat of 90 lines is cut into chunks that overlap. With `add_start_index` each chunk gets the place in the text where
# it begins. That is right as long as lengths are characters. With a length function that counts words (those of
# tokenizers behave alike), the splitter still takes the overlap off a place in characters: it begins to look for a chunk
# behind its true beginning. In a text with lines that come again it finds a later place with the same words, and of 15
# chunks several have the same place; where there is no later one, the place is -1. No error is raised.
#
# Output:
#   in characters: 15 chunks, 15 right places, 0 without a place
#   in words:      15 chunks, 2 right places, 2 without a place
#
# Most would guess that the places do not depend on the unit in which lengths are counted.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check langchain-text-splitters==1.1.3 langchain-core==1.8.3
cat > "$work/places.py" <<'PYTHON'
import sys

from langchain_text_splitters import RecursiveCharacterTextSplitter

chat = "\n".join(
    line for number in range(30)
    for line in (f"Mara: the crane at berth {number % 3} is ready", "Jonas: ok", "Ada: thanks"))


def true_places(chunks):
    """Each chunk begins behind the beginning of the one before it, and not behind its end."""
    places, least = [], 0
    for number, chunk in enumerate(chunks):
        end = places[-1] + len(chunks[number - 1]) if places else 0
        # Chunks overlap as little as their whole lines allow, so the last place that fits is the true one.
        place = chat.rfind(chunk, least, end + 1 + len(chunk))
        places.append(place)
        least = place + 1
    return places


def count(**lengths):
    splitter = RecursiveCharacterTextSplitter(add_start_index=True, separators=["\n", " "], **lengths)
    documents = splitter.create_documents([chat])
    chunks = [document.page_content for document in documents]
    places = [document.metadata["start_index"] for document in documents]
    assert "\n".join(chunks).count("Mara") >= 30
    right = sum(a == b for a, b in zip(places, true_places(chunks)))
    return len(chunks), right, places.count(-1)


characters = count(chunk_size=200, chunk_overlap=100)
words = count(chunk_size=40, chunk_overlap=20, length_function=lambda text: len(text.split()))
print("in characters: %d chunks, %d right places, %d without a place" % characters)
print("in words:      %d chunks, %d right places, %d without a place" % words)
sys.exit(0 if characters[0] == characters[1] and words[1] < words[0] / 2 and words[2] > 0 else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/places.py"
