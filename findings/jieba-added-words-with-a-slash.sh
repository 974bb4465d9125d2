#!/usr/bin/env bash
# jieba 0.42.1, Python 3.11.
#
# A team adds its own words to the dictionary with `add_word`, so that the search does not take them apart. Words with a plus, a
# hyphen or a point come out whole. Words with a slash, a space or a Greek letter never do: the text is cut at such signs
# before the dictionary is asked. `add_word` says nothing, and the dictionary has the word.
#
# Output (the dictionary has it, the text is cut into):
#   C++: yes, 我们 用 C++
#   K-4: yes, 我们 用 K-4
#   5G网络: yes, 我们 用 5G网络
#   A/B测试: yes, 我们 用 A / B 测试
#   iPhone 15: yes, 我们 用 iPhone _ 15
#   α测试: yes, 我们 用 α 测试
#
# Most would guess that a word of the dictionary with a high frequency stays whole, whatever is in it.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check jieba==0.42.1
cat > "$work/words.py" <<'PYTHON'
import logging
import sys

import jieba

jieba.setLogLevel(logging.ERROR)
expected = {
    "C++": ["C++"],
    "K-4": ["K-4"],
    "5G网络": ["5G网络"],
    "A/B测试": ["A", "/", "B", "测试"],
    "iPhone 15": ["iPhone", " ", "15"],
    "α测试": ["α", "测试"],
}
surprise = True
for word, parts in expected.items():
    jieba.add_word(word, freq=1_000_000)
    is_known = jieba.dt.FREQ.get(word) == 1_000_000
    cut = jieba.lcut("我们用" + word)
    print(f"{word}: {'yes' if is_known else 'no'}, {' '.join(part.replace(' ', '_') for part in cut)}")
    surprise = surprise and is_known and cut == ["我们", "用", *parts]
sys.exit(0 if surprise else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/words.py"
