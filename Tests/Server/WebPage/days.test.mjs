import assert from "node:assert/strict"
import {test} from "node:test"
import {dayOf, startOf} from "../../../Sources/Server/WebPage/Files/lib/days.js"

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
