// Reads the text format of Prometheus, and what the charts need from two readings.
const LABEL = /([a-zA-Z_][\w]*)="((?:[^"\\]|\\.)*)"/g
const number = text => text === "+Inf" || text === "Inf" ? Infinity : text === "-Inf" ? -Infinity : Number(text)

// Returns [{name, labels, value}].
export const parse = text => {
  const samples = []
  for (const line of text.split("\n")) {
    const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+([-+.\w]+)/.exec(line)
    if (!found || Number.isNaN(number(found[3])) && found[3] !== "NaN") continue
    const labels = {}
    for (const [, key, value] of (found[2] ?? "").matchAll(LABEL)) {
      labels[key] = value.replace(/\\(.)/g, (_, character) => character === "n" ? "\n" : character)
    }
    samples.push({name: found[1], labels, value: number(found[3])})
  }
  return samples
}

// Adds up the samples of a name whose labels fit; null without any.
export const sum = (samples, name, wanted = {}) => {
  let total = null
  for (const sample of samples) {
    if (sample.name === name && Object.entries(wanted).every(([key, value]) => sample.labels[key] === value)) {
      total = (total ?? 0) + sample.value
    }
  }
  return total
}

// What came per second since the reading before; a restarted server counts from 0.
export const rate = (before, now, seconds) =>
  before === null || now === null || seconds <= 0 ? null : (now < before ? now : now - before) / seconds

// A quantile of what a histogram counted between two readings (all of it without the first); null if that is nothing.
export const quantile = (q, before, now, name) => {
  const read = samples => {
    const buckets = new Map()
    for (const sample of samples ?? []) {
      if (sample.name !== `${name}_bucket`) continue
      const limit = number(sample.labels.le)
      buckets.set(limit, (buckets.get(limit) ?? 0) + sample.value)
    }
    return buckets
  }
  const old = read(before)
  const buckets = [...read(now)].sort((a, b) => a[0] - b[0])
  const isNew = (old.get(Infinity) ?? 0) > (buckets.at(-1)?.[1] ?? 0)
  const counts = buckets.map(([limit, count]) => [limit, count - (isNew ? 0 : old.get(limit) ?? 0)])
  const total = counts.at(-1)?.[1] ?? 0
  if (total <= 0) return null
  let lower = 0
  let below = 0
  for (const [limit, count] of counts) {
    if (count >= q * total) {
      if (limit === Infinity) return lower
      return count === below ? limit : lower + (limit - lower) * (q * total - below) / (count - below)
    }
    ;[lower, below] = [limit, count]
  }
  return lower
}
