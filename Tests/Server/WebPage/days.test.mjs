import assert from "node:assert/strict"
import {test} from "node:test"
import {dayOf, laterTimes, momentAt, startOf, wallOf} from "../../../Sources/Server/WebPage/Files/lib/days.js"

test("a day begins at midnight of the zone", () => {
  const moments = {
    "Europe/Berlin": "2026-09-04T22:00:00.000Z", "America/New_York": "2026-09-05T04:00:00.000Z", "Asia/Kathmandu": "2026-09-04T18:15:00.000Z",
    "Pacific/Kiritimati": "2026-09-04T10:00:00.000Z", "Pacific/Pago_Pago": "2026-09-05T11:00:00.000Z", UTC: "2026-09-05T00:00:00.000Z",
  }
  for (const [zone, moment] of Object.entries(moments)) assert.equal(startOf("2026-09-05", zone).toISOString(), moment, zone)
})

test("days on which the clock changes begin once, and end where the next begins", () => {
  // Sao Paulo and Beirut change it at midnight, Apia had no 30 December 2011.
  const zones = ["Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "Australia/Lord_Howe", "Pacific/Apia"]
  for (const zone of zones) {
    for (const year of [2011, 2018]) {
      for (let day = Date.UTC(year, 8, 20); day < Date.UTC(year + 1, 0, 10); day += 86_400_000) {
        const name = new Date(day).toISOString().slice(0, 10)
        const start = startOf(name, zone).getTime()
        assert.ok(dayOf(start, zone) >= name, `${zone} ${name}`)
        assert.ok(dayOf(start - 1, zone) < name, `${zone} ${name}`)
      }
    }
  }
})

test("what a clock shows leads back to its moment", () => {
  for (const zone of ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "UTC", undefined]) {
    for (const wall of ["2026-01-31T09:00", "2026-07-01T00:00", "2026-12-31T23:59"]) {
      assert.equal(wallOf(momentAt(wall, zone).getTime(), zone), wall, `${zone} ${wall}`)
    }
  }
  assert.equal(wallOf(Date.parse("2026-07-01T10:00:59.999Z"), "Europe/Berlin"), "2026-07-01T12:00")
  // 02:30 is skipped on this day, and shown twice on that one.
  assert.equal(wallOf(momentAt("2026-03-29T02:30", "Europe/Berlin").getTime(), "Europe/Berlin").slice(0, 10), "2026-03-29")
  assert.equal(wallOf(momentAt("2026-10-25T02:30", "Europe/Berlin").getTime(), "Europe/Berlin"), "2026-10-25T02:30")
})

test("later is soon, tomorrow at nine, or on Monday", () => {
  const times = (now, zone) => Object.fromEntries(laterTimes(Date.parse(now), zone).map(([name, moment]) => [name, moment.toISOString()]))
  // Saturday evening in Berlin; the clock changes in the night.
  assert.deepEqual(times("2026-03-28T20:00:00Z", "Europe/Berlin"), {
    in20: "2026-03-28T20:20:00.000Z", in60: "2026-03-28T21:00:00.000Z", tomorrow: "2026-03-29T07:00:00.000Z", monday: "2026-03-30T07:00:00.000Z",
  })
  // Sunday: tomorrow is Monday. In Kiritimati it is Monday already.
  assert.equal(times("2026-09-06T12:00:00Z", "UTC").monday, undefined)
  assert.equal(times("2026-09-06T12:00:00Z", "Pacific/Kiritimati").monday, "2026-09-13T19:00:00.000Z")
  assert.equal(times("2026-09-07T12:00:00Z", "UTC").monday, "2026-09-14T09:00:00.000Z")
})
