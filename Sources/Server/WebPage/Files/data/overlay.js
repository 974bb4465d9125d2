// Whether two texts are forms of one emoji, which differ in variation selectors only.
const plain = emoji => emoji.replace(/[\uFE0E\uFE0F]/g, "")
export const isSameEmoji = (a, b) => plain(a ?? "") === plain(b ?? "")

// What waits in the outbox, shown as if it was done.
const react = (reactions = [], emoji, isOn, userId) => {
  const entry = reactions.find(r => isSameEmoji(r.emoji, emoji)) ?? {emoji, userIds: []}
  const has = entry.userIds.includes(userId)
  if (has === isOn) return reactions
  const userIds = isOn ? [...entry.userIds, userId] : entry.userIds.filter(id => id !== userId)
  const count = entry.count === undefined ? undefined : entry.count + (isOn ? 1 : -1)
  const next = {...entry, userIds, ...(count === undefined ? {} : {count})}
  const others = reactions.map(r => (r === entry ? next : r)).filter(r => r.userIds.length)
  return reactions.includes(entry) ? others : [...reactions, next]
}

export const overlaid = (message, row, userId) =>
  row.kind === "edit" ? {...message, text: row.text, editedAt: message.editedAt ?? row.timestamp ?? message.timestamp}
    : row.kind === "react" ? {...message, reactions: react(message.reactions, row.emoji, row.isOn, userId)}
      : message

// The message that a row sends, as the conversation shows it.
export const echo = (row, user, progress, failure) => ({
  id: row.localId, localId: row.localId, conversationId: row.conversationId, senderId: user.id, senderName: user.name,
  text: row.text, kind: "text", timestamp: row.timestamp, replyTo: row.replyTo, threadRoot: row.threadRoot, reactions: [],
  attachments: (row.files ?? []).map(({name, type, size, blob, fileId}, i) =>
    ({id: fileId, name, mediaType: type, byteCount: size, blob, progress: fileId ? 1 : progress?.[i] ?? 0})),
  ...(row.state === "sent" ? {status: "sent", readBy: 0} : {state: row.state}), ...(failure && {failure}),
})
