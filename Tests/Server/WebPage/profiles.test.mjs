import test from "node:test"
import assert from "node:assert/strict"
import {Profiles} from "../../../Sources/Server/WebPage/Files/data/profiles.js"

// A server whose people are known, and a clock.
const world = people => {
  const requests = [], revoked = []
  let time = 0, due = []
  const host = {
    session: {status: "signedIn"}, isAway: false,
    api: {
      request: async (method, path) => {
        requests.push(path)
        if (host.isAway) throw new Error("away")
        const ids = new URL(path, "http://a").searchParams.getAll("user")
        return {profiles: ids.filter(id => people[id]).map(id => ({userId: id, ...people[id]}))}
      },
      send: async (method, path, {cache}) => {
        requests.push(`${path} ${cache}`)
        return {blob: async () => path}
      },
    },
  }
  const profiles = new Profiles(host, {
    now: () => time, later: fn => due.push(fn),
    urls: {createObjectURL: blob => `blob:${blob}`, revokeObjectURL: url => revoked.push(url)},
  })
  const pass = async (milliseconds = 30) => {
    time += milliseconds
    for (const fn of due.splice(0)) await fn()
  }
  return {host, profiles, requests, revoked, pass}
}

test("people who are shown together are asked for together, and once", async () => {
  const {profiles, requests, pass} = world({ada: {title: "Pilot"}, "b&c": {title: "Cook"}})
  const heard = []
  profiles.watch(id => heard.push(id))
  assert.equal(profiles.of("ada"), null)
  const both = [profiles.load("b&c"), profiles.load("eve"), profiles.load("ada")]
  await pass()
  assert.deepEqual(requests, ["/v1/profiles?user=ada&user=b%26c&user=eve"])
  assert.deepEqual((await Promise.all(both)).map(profile => profile?.title), ["Cook", undefined, "Pilot"])
  assert.deepEqual(heard, ["ada", "b&c"])
  assert.equal(profiles.of("ada").title, "Pilot")
  assert.equal(profiles.of("eve"), null)
  await pass()
  assert.equal(requests.length, 1)
})

test("a crowd is asked for in parts", async () => {
  const {profiles, requests, pass} = world({})
  for (let i = 0; i < 120; i++) profiles.of(`u${i}`)
  await pass()
  assert.deepEqual(requests.map(path => path.split("&").length), [50, 50, 20])
})

test("what is old is shown while it is asked for again", async () => {
  const people = {ada: {title: "Pilot"}}
  const {profiles, requests, pass} = world(people)
  profiles.of("ada")
  await pass()
  people.ada = {title: "Captain"}
  await pass(5 * 60_000)
  assert.equal(profiles.of("ada").title, "Pilot")
  await pass()
  assert.equal(profiles.of("ada").title, "Captain")
  assert.equal(requests.length, 2)
})

test("without a connection initials stay, and the next one asks again", async () => {
  const {host, profiles, pass} = world({ada: {pictureId: "p1"}})
  host.isAway = true
  const first = profiles.picture("ada")
  await pass()
  assert.equal(await first, null)
  host.isAway = false
  const second = profiles.picture("ada")
  await pass()
  assert.equal(await second, "blob:/v1/people/ada/pictures/p1")
})

test("a picture is fetched once, from what the browser keeps", async () => {
  const {profiles, requests, pass} = world({ada: {pictureId: "p1"}})
  const both = Promise.all([profiles.picture("ada"), profiles.picture("ada")])
  await pass()
  assert.deepEqual(await both, Array(2).fill("blob:/v1/people/ada/pictures/p1"))
  assert.deepEqual(requests.slice(1), ["/v1/people/ada/pictures/p1 default"])
})

test("nothing of one person's view is left for the next one", async () => {
  const {host, profiles, requests, revoked, pass} = world({ada: {pictureId: "p1", title: "Pilot"}})
  profiles.clear("bob")
  profiles.picture("ada")
  await pass()
  await profiles.picture("ada")
  host.session.status = "signedOut"
  profiles.clear(undefined)
  await new Promise(setImmediate)
  assert.deepEqual(revoked, ["blob:/v1/people/ada/pictures/p1"])
  assert.equal(profiles.of("ada"), null)
  await pass()
  assert.equal(requests.length, 2)
})
