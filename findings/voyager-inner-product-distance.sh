#!/usr/bin/env bash
# voyager 2.2.3 with numpy 2.4.6, Python 3.11.
#
# In an index for inner products, `query` gives 1 minus the product, whatever else is in the index. `get_distance` of the
# same two vectors gives that too, until a longer vector is added: then it gives less, by the difference of the squared
# lengths to the longest one, so a short vector seems nearer to itself than anything can be. (The vectors get a further
# component that makes all equally long, and `get_distance` multiplies these as well.)
#
# Output:
#   before: get_distance 0.5, query 0.5
#   after: get_distance -63.5, query 0.5
#
# Most would guess that the distance of two vectors depends on these two only, and that both functions give the same.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check voyager==2.2.3 numpy==2.4.6
cat > "$work/distance.py" <<'PYTHON'
import sys

import numpy
import voyager


def vector(*components): return numpy.array(components, dtype=numpy.float32)


asked, other = vector(1, 0), vector(0.5, 0)
index = voyager.Index(voyager.Space.InnerProduct, num_dimensions=2)
index.add_item(asked, 1)
index.add_item(other, 2)


def distances():
    keys, found = index.query(asked, k=2)
    return float(index.get_distance(asked, other)), float(found[list(keys).index(2)])


before = distances()
print("before: get_distance %.1f, query %.1f" % before)
index.add_item(vector(0, 9), 3)
after = distances()
print("after: get_distance %.1f, query %.1f" % after)
sys.exit(0 if before == (0.5, 0.5) and after == (-63.5, 0.5) else 1)
PYTHON
"$work/env/bin/python" "$work/distance.py"
