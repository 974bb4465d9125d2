// What a form for a schedule holds, without the page.
export const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
export const PARTS = ["missed", "due", "decisions"]

// "daily", "weekdays", or null for other days.
export const daysKind = days => {
  const has = DAYS.map(day => days.includes(day))
  if (has.every(Boolean)) return "daily"
  return has.slice(0, 5).every(Boolean) && !has[5] && !has[6] ? "weekdays" : null
}
// The name of a day; 1 January 2024 was a Monday.
export const dayName = (day, locale, weekday = "long") =>
  new Intl.DateTimeFormat(locale, {weekday, timeZone: "UTC"}).format(Date.UTC(2024, 0, 1 + DAYS.indexOf(day)))

export const draftOf = (schedule, question = "") => schedule
  ? {kind: schedule.digest ? "digest" : "question", question: schedule.question ?? "", in: schedule.conversationId ?? "",
    parts: schedule.digest ?? PARTS, days: schedule.days, time: schedule.time, zone: schedule.timeZone}
  : {kind: question ? "question" : "digest", question, in: "", parts: PARTS, days: ["monday"], time: "09:00", zone: null}

// The body of a request; null while something is missing.
export const bodyOf = (draft, zone, language) => {
  const question = draft.question.trim()
  const isComplete = draft.days.length > 0 && /^\d\d:\d\d$/.test(draft.time)
    && (draft.kind === "question" ? question : draft.parts.length > 0)
  if (!isComplete) return null
  const content = draft.kind === "question"
    ? {question, conversationId: draft.in || null}
    : {digest: PARTS.filter(part => draft.parts.includes(part)), language}
  return {...content, days: DAYS.filter(day => draft.days.includes(day)), time: draft.time, timeZone: draft.zone ?? zone}
}
// A list with a value put in, or taken out.
export const toggled = (list, value, isIn) => isIn ? [...list.filter(one => one !== value), value] : list.filter(one => one !== value)
