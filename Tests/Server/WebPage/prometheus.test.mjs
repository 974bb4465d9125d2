import assert from "node:assert/strict"
import {test} from "node:test"
import {parse, quantile, rate, sum} from "../../../Sources/Server/WebPage/Files/administration/prometheus.js"

const page = counts => parse(`# HELP d Requests.
# TYPE d histogram
d_bucket{route="/a",le="0.1"} ${counts[0]}
d_bucket{route="/a",le="1"} ${counts[1]}
d_bucket{route="/a",le="+Inf"} ${counts[2]}
d_count{route="/a"} ${counts[2]}
`)

test("samples are read with their labels", () => {
  assert.deepEqual(parse('a 1\nb{x="1",y="a\\"b\\\\n\\n}"} 2.5e3 1700000000\n\n# c\nd NaN\nbad line here{'), [
    {name: "a", labels: {}, value: 1}, {name: "b", labels: {x: "1", y: 'a"b\\n\n}'}, value: 2500},
    {name: "d", labels: {}, value: NaN}])
})

test("samples of a name are added up", () => {
  const samples = parse('a{k="x",s="1"} 1\na{k="y",s="1"} 2\na{k="x",s="2"} 4\n')
  assert.equal(sum(samples, "a"), 7)
  assert.equal(sum(samples, "a", {k: "x"}), 5)
  assert.equal(sum(samples, "b"), null)
})

test("a rate survives a restart", () => {
  assert.equal(rate(10, 30, 5), 4)
  assert.equal(rate(100, 10, 5), 2)
  assert.equal(rate(null, 10, 5), null)
  assert.equal(rate(1, 2, 0), null)
})

test("quantiles count what came between two readings", () => {
  assert.equal(quantile(0.5, null, page([10, 10, 10]), "d"), 0.05)
  assert.equal(quantile(0.5, page([10, 10, 10]), page([10, 20, 20]), "d"), 0.55)
  assert.equal(quantile(0.5, page([10, 10, 10]), page([10, 10, 10]), "d"), null)
  assert.equal(quantile(0.99, null, page([0, 0, 5]), "d"), 1)
  assert.equal(quantile(0.5, page([90, 90, 90]), page([10, 10, 10]), "d"), 0.05)
  assert.equal(quantile(0.5, null, [], "d"), null)
})
