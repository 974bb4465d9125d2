// A cursor is an epoch, a hyphen, and the positions of its lanes separated by full stops.
export const readCursor = text => {
  const match = /^([^-]+)-(\d+(?:\.\d+)*)$/.exec(text ?? "")
  return match && {epoch: match[1], positions: match[2].split(".").map(Number)}
}

/** "next", "known" (it came before) or "gap" (a frame before it is missing). */
export const placeOf = (frame, cursor) => {
  const [own, next] = [readCursor(cursor), readCursor(frame.cursor)]
  const position = own?.positions[frame.lane ?? 0]
  if (!own || !next || own.epoch !== next.epoch || position === undefined) return "gap"
  if (frame.pos <= position) return "known"
  return frame.prev === position ? "next" : "gap"
}

/** Whether a cursor is not behind another one of the same log. */
export const isLater = (cursor, than) => {
  const [next, own] = [readCursor(cursor), readCursor(than)]
  return Boolean(next && own && own.epoch === next.epoch && own.positions.length === next.positions.length) &&
    next.positions.every((position, lane) => position >= own.positions[lane])
}
