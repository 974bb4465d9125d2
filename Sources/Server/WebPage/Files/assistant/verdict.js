// What people say about a message and a later one: it was replaced, or it still holds. The last one decides.

const place = ({conversationId, messageId}) => ({conversationId, messageId})
const isOne = (one, other) => one.conversationId === other.conversationId && one.messageId === other.messageId

// The body of a verdict on a sentence of a timeline, or on a whole message of an answer. `word` is "holds", "replaced", or
// "none" to take back what was said.
export const verdictBody = (word, one, newer, isSentence = true) => ({
  verdict: word, message: place(one), replacedBy: place(newer),
  ...(isSentence && Number.isInteger(one.start) && {start: one.start, end: one.end}),
})

// What takes a person's own verdict back.
export const undoBody = (one, {newer, start, end}) =>
  verdictBody("none", {...place(one), start, end}, newer)

// The messages of a timeline that may have replaced a sentence of it, the newest first, each once.
export const laterThan = (one, entries) => entries.filter((other, index) =>
  !isOne(one, other) && new Date(other.timestamp) >= new Date(one.timestamp) &&
  entries.findIndex(first => isOne(first, other)) === index)
