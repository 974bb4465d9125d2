#!/usr/bin/env bash
# tantivy 0.27.0 (Python), Python 3.11.
#
# Messages are kept under their number in the other chat, in a text field, and an edited one is deleted by it and added anew.
# `delete_documents("number", …)` looks for one word as the index has it, and the tokenizer of a text field cuts numbers at signs and makes
# them small, while the number that is asked for stays as it is. So "C024BE91L" and "A-4" delete nothing, and the message is there
# twice. "4" deletes all whose number has a 4 between signs, "A-4" and "room-4" with it. Nothing is raised. With
# `tokenizer_name="raw"` it deletes what is asked for.
#
# Output (what is left after deleting the number from A-4, C024BE91L, 4, room-4, 42):
#   default, C024BE91L: A-4 C024BE91L 4 room-4 42
#   default, A-4: A-4 C024BE91L 4 room-4 42
#   default, 4: C024BE91L 42
#   raw, C024BE91L: A-4 4 room-4 42
#   raw, A-4: C024BE91L 4 room-4 42
#   raw, 4: A-4 C024BE91L room-4 42
#
# Most would guess that a document is deleted by the value that its field was given.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile tantivy==0.27.0
cat > "$work/deleting.py" <<'PYTHON'
import tantivy

numbers = ["A-4", "C024BE91L", "4", "room-4", "42"]
for tokenizer in ["default", "raw"]:
    for deleted in ["C024BE91L", "A-4", "4"]:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("number", stored=True, tokenizer_name=tokenizer)
        index = tantivy.Index(builder.build())
        writer = index.writer()
        for number in numbers:
            writer.add_document(tantivy.Document(number=number))
        writer.commit()
        writer.delete_documents("number", deleted)
        writer.commit()
        index.reload()
        searcher = index.searcher()
        left = [searcher.doc(address)["number"][0] for _, address in searcher.search(tantivy.Query.all_query(), 9).hits]
        print(f"{tokenizer}, {deleted}:", *sorted(left, key=numbers.index))
PYTHON
"$work/env/bin/python" -W ignore "$work/deleting.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
default, C024BE91L: A-4 C024BE91L 4 room-4 42
default, A-4: A-4 C024BE91L 4 room-4 42
default, 4: C024BE91L 42
raw, C024BE91L: A-4 4 room-4 42
raw, A-4: C024BE91L 4 room-4 42
raw, 4: A-4 C024BE91L room-4 42
SEEN
