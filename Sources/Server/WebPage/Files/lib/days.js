// Days as the person's clock shows them.

// 2026-10-09
export const dayOf = (moment, timeZone) =>
  new Intl.DateTimeFormat("en-CA", {timeZone, year: "numeric", month: "2-digit", day: "2-digit"}).format(new Date(moment))

const QUARTER = 15 * 60_000
// How far the clock of the zone is ahead of UTC at a moment, in milliseconds.
const aheadAt = (moment, timeZone) => {
  const parts = new Intl.DateTimeFormat("en-US", {timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric"})
    .formatToParts(moment)
  const [year, month, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"].map(name => Number(parts.find(({type}) => type === name).value))
  return Date.UTC(year, month - 1, day, hour, minute, second) - moment
}
// What the clock of the zone shows at a moment, as 2026-10-09T09:00, and the moment at which it shows that.
export const wallOf = (moment, timeZone) => new Date(moment + aheadAt(moment, timeZone)).toISOString().slice(0, 16)
export const momentAt = (wall, timeZone) => {
  const shown = Date.parse(`${wall}Z`)
  return new Date(shown - aheadAt(shown - aheadAt(shown, timeZone), timeZone))
}
const MINUTE = 60_000
// Times that are offered for later: [name, moment], mornings at nine as the zone's clock shows them.
export const laterTimes = (now, timeZone) => {
  const today = Date.parse(`${dayOf(now, timeZone)}T00:00:00Z`)
  const morning = days => momentAt(`${new Date(today + days * 1_440 * MINUTE).toISOString().slice(0, 10)}T09:00`, timeZone)
  const toMonday = (8 - new Date(today).getUTCDay()) % 7 || 7
  return [
    ["in20", new Date(now + 20 * MINUTE)], ["in60", new Date(now + 60 * MINUTE)], ["tomorrow", morning(1)],
    ...(toMonday > 1 ? [["monday", morning(toMonday)]] : []),
  ]
}
// The moment at which a day begins. Where the clock changes at midnight, it may not begin at 0:00, or have it twice.
export const startOf = (day, timeZone) => {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  let moment = midnight - aheadAt(midnight, timeZone)
  moment = midnight - aheadAt(moment, timeZone)
  while (dayOf(moment, timeZone) < day) moment += QUARTER
  while (dayOf(moment - 1, timeZone) >= day) moment -= QUARTER
  return new Date(moment)
}
