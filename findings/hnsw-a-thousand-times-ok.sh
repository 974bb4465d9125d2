#!/usr/bin/env bash
# hnswlib 0.8.0, faiss-cpu 1.15.1, usearch 2.26.6 and voyager 2.2.3 with numpy 2.4.6, Python 3.11; one thread, 16 links, 200 places to
# build and 50 to search.
#
# In a chat many messages are equal: "ok" was said thousands of times, and each has the same vector. In an HNSW index these copies
# link to each other, and a search that comes upon them does not come out again. Of 2,000 other messages each is asked for with its
# own vector, the easiest question there is. Without copies all are found; with 4,000 copies, stored before them, a half or
# fewer in three of the libraries, although nobody asked for "ok". The same number of other messages instead of the copies costs
# nothing. No error.
#
# Output (share of the 2,000 that are found: hnswlib, faiss, usearch, voyager):
#   alone: 1.00 1.00 1.00 1.00
#   after 4,000 others: 1.00 1.00 1.00 1.00
#   after 1,000 copies: 0.89 0.87 0.69 0.89
#   after 4,000 copies: 0.50 0.67 0.40 0.50
#
# Most would guess that copies of one message crowd the results for that message only.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile hnswlib==0.8.0 faiss-cpu==1.15.1 usearch==2.26.6 \
    voyager==2.2.3 numpy==2.4.6
cat > "$work/copies.py" <<'PYTHON'
import sys

import faiss
import hnswlib
import numpy
import voyager
from usearch.index import Index

generator = numpy.random.default_rng(1)
count, size = 2000, 16
spread = generator.normal(size=(6, size))


def messages(number):
    """Vectors of length 1 that vary in six directions, as those of texts vary in few."""
    vectors = generator.normal(size=(number, 6)) @ spread
    return (vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)).astype(numpy.float32)


asked, ok, further = messages(count), messages(1), messages(4000)
faiss.omp_set_num_threads(1)


def found(before):
    data = numpy.concatenate([before, asked])
    one = hnswlib.Index("ip", size)
    one.init_index(len(data), M=16, ef_construction=200, random_seed=1)
    one.set_num_threads(1)
    one.add_items(data)
    one.set_ef(50)
    two = faiss.IndexHNSWFlat(size, 16, faiss.METRIC_INNER_PRODUCT)
    two.hnsw.efConstruction, two.hnsw.efSearch = 200, 50
    two.add(data)
    three = Index(
        ndim=size, metric="ip", dtype="f32", connectivity=16, expansion_add=200, expansion_search=50)
    three.add(numpy.arange(len(data)), data, threads=1)
    four = voyager.Index(voyager.Space.InnerProduct, size, M=16, ef_construction=200, random_seed=1)
    four.add_items(data, num_threads=1)
    hits = [one.knn_query(asked, 1)[0], two.search(asked, 1)[1], three.search(asked, 1, threads=1).keys,
            four.query(asked, 1, num_threads=1, query_ef=50)[0]]
    right = numpy.arange(count) + len(before)
    return [float((numpy.array(hit).astype(int)[:, 0] == right).mean()) for hit in hits]


seen = {}
for name, before in [("alone", ok[:0]), ("after 4,000 others", further), ("after 1,000 copies", numpy.repeat(ok, 1000, 0)),
                     ("after 4,000 copies", numpy.repeat(ok, 4000, 0))]:
    seen[name] = found(before)
    print(f"{name}: {' '.join(format(share, '.2f') for share in seen[name])}")
none, others, thousand, copies = seen.values()
sys.exit(0 if min(none) > 0.99 and min(others) > 0.98 and max(thousand) < 0.95 and max(copies) < 0.95
         and sorted(copies)[2] < 0.7 else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/copies.py"
