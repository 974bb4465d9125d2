import {NexusError} from "./errors.js"

/** A question: an asynchronous iterator of what comes, and `answer()` for the whole. The request begins with the first read. */
export class Asking {
  constructor(events) {
    this.events = translated(events)
    this.final = null
  }

  [Symbol.asyncIterator]() { return this }
  async next() {
    const step = await this.events.next()
    if (step.value?.type === "done") this.final = step.value.answer
    return step
  }
  /** Stops the model. */
  return() { return this.events.return() }

  /** Reads to the end, and returns the answer. */
  async answer() {
    for await (const _ of this);
    return this.final
  }
}

async function* translated(events) {
  for await (const {event, data} of events) {
    switch (event) {
      case "retrieval": yield {type: "sources", sources: data.sources}; break
      case "delta": yield {type: "text", text: data.text}; break
      case "citation": yield {type: "citation", citation: data}; break
      case "done": yield* ending(data); return
      case "error": throw new NexusError(data.status ?? 502, data)
      default: yield {type: event, ...data}
    }
  }
  throw new NexusError(0, {code: "incomplete", detail: "the connection ended before the answer did"})
}

// Messages that a later one replaced, before the end.
function* ending(answer) {
  for (const source of answer.sources ?? []) if (source.replacedBy) yield {type: "outdated", source, by: source.replacedBy}
  yield {type: "done", answer}
}
