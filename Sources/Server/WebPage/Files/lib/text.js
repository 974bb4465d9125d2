// Texts, numbers and times for people, in the chosen language.
const texts = {en: {}, de: {}}
const watchers = new Set()
const formats = new Map()
const kept = globalThis.localStorage
const preferred = () => (globalThis.navigator?.languages ?? []).map(l => l.slice(0, 2)).find(l => texts[l]) ?? "en"
let chosen = kept?.getItem("nexus-language") ?? ""
let zone

// Adds the texts of an area: {en: {"area.key": "…"}, de: {…}}.
export const addTexts = area => {
  for (const [name, entries] of Object.entries(area)) Object.assign((texts[name] ??= {}), entries)
}
export const languages = {en: "English", de: "Deutsch"}
export const language = () => (texts[chosen] ? chosen : preferred())
export const chosenLanguage = () => chosen
export const setLanguage = name => {
  chosen = name
  if (name) kept?.setItem("nexus-language", name)
  else kept?.removeItem("nexus-language")
  refresh()
}
export const timeZone = () => zone
export const setTimeZone = name => {
  if (zone === (name || undefined)) return
  zone = name || undefined
  refresh()
}
export const onLanguage = fn => {
  watchers.add(fn)
  return () => watchers.delete(fn)
}
const refresh = () => {
  formats.clear()
  for (const fn of watchers) fn()
}

// The region of the browser, if it is of the chosen language: 16 Oct or Oct 16.
const locale = () => globalThis.navigator?.languages?.find(name => name.startsWith(language())) ?? language()
const format = (kind, options) => {
  const key = kind.name + JSON.stringify(options)
  if (!formats.has(key)) formats.set(key, new kind(locale(), options))
  return formats.get(key)
}
const date = (value, options) => {
  try {
    return format(Intl.DateTimeFormat, {timeZone: zone, ...options}).format(new Date(value))
  } catch {
    return ""
  }
}
export const number = value => format(Intl.NumberFormat, {}).format(value)
const pattern = (key, values) => {
  const found = texts[language()][key] ?? texts.en[key] ?? key
  return typeof found === "string" ? found : found[format(Intl.PluralRules, {}).select(values.count)] ?? found.other
}
const shown = value => (typeof value === "number" ? number(value) : value ?? "")

// The text with {name} replaced. A text can be {one, other}, chosen by values.count.
export const t = (key, values = {}) => pattern(key, values).replace(/\{(\w+)\}/g, (_, name) => shown(values[name]))
// The same as a list of children for h(), where values can be virtual nodes.
export const parts = (key, values = {}) =>
  pattern(key, values).split(/\{(\w+)\}/).map((part, i) => (i % 2 ? shown(values[part]) : part))

const dayKey = value => date(value, {year: "numeric", month: "2-digit", day: "2-digit"})
const DAY = 86_400_000
export const isSameDay = (a, b) => dayKey(a) === dayKey(b)
export const time = value => date(value, {hour: "2-digit", minute: "2-digit"})
export const dateTime = value => date(value, {dateStyle: "medium", timeStyle: "short"})
export const shortDate = value => date(value, {dateStyle: "medium"})
const relativeDay = days => {
  const text = format(Intl.RelativeTimeFormat, {numeric: "auto"}).format(days, "day")
  return text[0].toLocaleUpperCase(language()) + text.slice(1)
}
// "Today", "Yesterday", "Friday, 9 October", with the year if it is another one.
export const day = (value, now = Date.now()) => {
  if (isSameDay(value, now)) return relativeDay(0)
  if (isSameDay(value, now - DAY)) return relativeDay(-1)
  const isThisYear = new Date(value).getFullYear() === new Date(now).getFullYear()
  return date(value, {weekday: "long", day: "numeric", month: "long", ...(isThisYear ? {} : {year: "numeric"})})
}
// For lists: the time today, the weekday in the last six days, else the date.
export const shortTime = (value, now = Date.now()) => {
  if (isSameDay(value, now)) return time(value)
  const age = now - new Date(value)
  if (age >= 0 && age < 6 * DAY) return date(value, {weekday: "short"})
  return date(value, age < 300 * DAY ? {day: "numeric", month: "short"} : {day: "numeric", month: "numeric", year: "2-digit"})
}
export const ago = (value, now = Date.now()) => {
  const seconds = (new Date(value) - now) / 1000
  const relative = format(Intl.RelativeTimeFormat, {numeric: "auto"})
  for (const [unit, size] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return relative.format(Math.trunc(seconds), "second")
}
export const bytes = count => {
  const step = Math.min(3, Math.floor(Math.log(Math.max(count, 1)) / Math.log(1000)))
  const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][step]
  return format(Intl.NumberFormat, {style: "unit", unit, unitDisplay: step ? "short" : "long", maximumFractionDigits: 1}).format(count / 1000 ** step)
}
export const list = names => format(Intl.ListFormat, {}).format(names)
export const compare = (a, b) => format(Intl.Collator, {numeric: true, sensitivity: "base"}).compare(a, b)
