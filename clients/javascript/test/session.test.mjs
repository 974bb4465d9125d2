import assert from "node:assert/strict"
import {test} from "node:test"
import {Nexus, NexusError, SignedOutError} from "../src/index.js"
import {World, problem} from "./world.mjs"

const outcome = promise => promise.then(value => ({value}), error => ({error}))
const signedIn = (world, token) => ({accessToken: token, expiresAt: new Date(world.time + 900_000).toISOString(), user: {userId: "ada"}})

/** A server with one account; `world.good` is the token that it takes. */
const accounts = async (options = {}) => {
  const world = new World()
  world.good = "a1"
  const cookies = number => [`nexus-session=c${number}; Path=/v1/session; HttpOnly`, "nexus-device=d; Path=/v1/session"]
  world.answer("POST /v1/session", ({body}) =>
    body.password === "correct horse" ? {body: signedIn(world, "a1"), cookies: cookies(1)} : problem(401, "sign_in_failed"))
  let number = 1
  world.answer("POST /v1/session/refresh", ({headers}) => {
    if (headers.Cookie !== `nexus-session=c${number}; nexus-device=d`) return problem(401, "session_ended")
    number += 1
    world.good = `a${number}`
    return {body: signedIn(world, world.good), cookies: cookies(number).slice(0, 1)}
  })
  world.answer("GET /v1/settings", ({headers}) =>
    headers.Authorization === `Bearer ${world.good}` ? {body: {}} : problem(401, "token_expired"))
  world.answer("DELETE /v1/session", () => undefined)
  const sign = password => Nexus.signIn("https://chat.example.com", {userId: "ada", password, env: world.env, ...options})
  return {world, sign}
}

test("a wrong password is an error of the request and ends nothing", async () => {
  const {sign} = await accounts()
  const {error} = await outcome(sign("wrong"))
  assert.ok(error instanceof NexusError && !(error instanceof SignedOutError))
  assert.deepEqual([error.status, error.code], [401, "sign_in_failed"])
})

test("requests that are refused together share one renewal", async () => {
  const {world, sign} = await accounts()
  const nexus = await sign("correct horse")
  world.good = "other"
  await Promise.all([nexus.settings(), nexus.settings(), nexus.settings()])
  assert.equal(world.asked("POST /v1/session/refresh").length, 1)
})

test("a token is renewed before it expires", async () => {
  const {world, sign} = await accounts()
  const nexus = await sign("correct horse")
  world.time = 871_000
  await nexus.settings()
  assert.deepEqual(world.asked("GET /v1/settings").map(({headers}) => headers.Authorization), ["Bearer a2"])
})

test("the session is kept over a restart, with another cookie each time", async () => {
  let kept = null
  const keep = {load: async () => kept, save: async value => void (kept = value)}
  const {world, sign} = await accounts({keep})
  await sign("correct horse")
  assert.equal(kept, "nexus-session=c1; nexus-device=d")
  const again = await Nexus.resume("https://chat.example.com", {keep, env: world.env})
  assert.equal(kept, "nexus-session=c2; nexus-device=d")
  await again.settings()
  assert.equal(await again.userId(), "ada")
})

test("a session that ended elsewhere says so once, to everybody, and asks no more", async () => {
  let kept = null
  const {world, sign} = await accounts({keep: {load: () => kept, save: value => void (kept = value)}})
  const nexus = await sign("correct horse")
  const reasons = []
  nexus.onSignedOut(reason => reasons.push(reason))
  world.good = "none"
  world.answer("POST /v1/session/refresh", () => problem(401, "session_ended"))
  const found = await Promise.all([outcome(nexus.settings()), outcome(nexus.settings())])
  for (const {error} of found) assert.deepEqual([error.name, error.reason, error.code], ["SignedOutError", "sessionEnded", "session_ended"])
  const count = world.requests.length
  await assert.rejects(nexus.settings(), SignedOutError)
  assert.deepEqual([reasons, nexus.signedOut, world.requests.length, kept], [["sessionEnded"], "sessionEnded", count, "nexus-device=d"])
})

test("a renewed token that is refused too ends the session", async () => {
  const {world, sign} = await accounts()
  const nexus = await sign("correct horse")
  world.answer("GET /v1/settings", () => problem(401, "token_invalid"))
  const {error} = await outcome(nexus.settings())
  assert.deepEqual([error.reason, error.code, world.asked("POST /v1/session/refresh").length], ["tokenRefused", "token_invalid", 1])
})

test("a server that is away does not end the session", async () => {
  const {world, sign} = await accounts()
  const nexus = await sign("correct horse")
  world.time = 900_000
  world.isDown = true
  const waiting = outcome(nexus.settings())
  await world.pass(120_000)
  assert.equal((await waiting).error.code, "unreachable")
  assert.equal(nexus.signedOut, null)
  world.isDown = false
  assert.deepEqual(await nexus.settings(), {})
})

test("a disabled account ends the session", async () => {
  const {world, sign} = await accounts()
  const nexus = await sign("correct horse")
  world.answer("GET /v1/settings", () => problem(403, "account_disabled"))
  assert.equal((await outcome(nexus.settings())).error.reason, "accountDisabled")
})

test("signing out ends the session on the server, and here although the server is away", async () => {
  const {world, sign} = await accounts()
  const [one, two] = [await sign("correct horse"), await sign("correct horse")]
  assert.equal(await one.signOut(), true)
  assert.equal(world.asked("DELETE /v1/session")[0].headers.Cookie, "nexus-session=c1; nexus-device=d")
  world.isDown = true
  const out = two.signOut()
  await world.pass(60_000)
  assert.deepEqual([await out, one.signedOut, two.signedOut], [false, "person", "person"])
  await assert.rejects(two.settings(), SignedOutError)
})

test("an invitation sets the password and signs in", async () => {
  const {world} = await accounts()
  world.answer("POST /v1/invitations/code", ({body}) => ({body: {...signedIn(world, "a1"), got: body}, cookies: []}))
  const nexus = await Nexus.acceptInvitation("https://chat.example.com", {code: "code", password: "correct horse", env: world.env})
  assert.deepEqual(await nexus.settings(), {})
})

/** An account that OpenID Connect opens: the service sends back to an address with a state. */
const openID = async () => {
  const {world} = await accounts()
  const away = (location, ...cookies) => ({status: 302, headers: {Location: location}, cookies})
  world.answer("GET /v1/session/oidc/start", () => away("https://id.example.com/authorize?state=s", "nexus-oidc=b; Path=/v1/session/oidc"))
  world.answer("GET /v1/session/oidc/callback", ({query, headers}) =>
    headers.Cookie === "nexus-oidc=b" && query.state === "s" && query.code === "c"
      ? away("/", "nexus-session=c1; HttpOnly", "nexus-oidc=; Max-Age=0") : away("/#/sign-in?error=sign_in_state"))
  world.answer("POST /v1/session/refresh", ({headers}) =>
    headers.Cookie === "nexus-device=d; nexus-session=c1" ? {body: signedIn(world, "a1"), cookies: ["nexus-session=c2"]} : problem(401, "session_ended"))
  return world
}
const CALLBACK = "https://chat.example.com/v1/session/oidc/callback?code=c&state=s"

test("OpenID Connect signs in with what the service sends back, and keeps the session", async () => {
  const world = await openID()
  let kept = "nexus-device=d"
  const keep = {load: () => kept, save: value => void (kept = value)}
  const begun = await Nexus.beginOpenID("https://chat.example.com", {env: world.env})
  assert.deepEqual(begun, {url: "https://id.example.com/authorize?state=s", binding: "b"})
  const nexus = await Nexus.finishOpenID("https://chat.example.com", {begun, redirectedTo: CALLBACK, keep, env: world.env})
  assert.deepEqual([await nexus.userId(), kept], ["ada", "nexus-device=d; nexus-session=c2"])
  assert.deepEqual(await nexus.settings(), {})
})

test("a refused sign-in with OpenID Connect says why, and is asked once", async () => {
  const world = await openID()
  const finish = (binding, redirectedTo) => Nexus.finishOpenID("https://chat.example.com", {begun: {url: "", binding}, redirectedTo, env: world.env})
  for (const [binding, address] of [["other", CALLBACK], ["b", CALLBACK.replace("code=c", "error=access_denied")]]) {
    const {error} = await outcome(finish(binding, address))
    assert.deepEqual([error.status, error.code], [401, "sign_in_state"])
  }
  assert.equal(world.asked("GET /v1/session/oidc/callback").length, 2)
  world.answer("GET /v1/session/oidc/start", () => problem(404, "sign_in_not_configured"))
  await assert.rejects(Nexus.beginOpenID("https://chat.example.com", {env: world.env}), {code: "sign_in_not_configured"})
})

test("where redirects are hidden, as in a page, the error names the way", async () => {
  const world = await openID()
  const env = {...world.env, fetch: async () => ({ok: false, status: 0, type: "opaqueredirect", headers: new Headers(), text: async () => ""})}
  const {error} = await outcome(Nexus.beginOpenID("https://chat.example.com", {env}))
  assert.match(error.detail, /openIDAddress/)
  assert.equal(Nexus.openIDAddress("https://chat.example.com/"), "https://chat.example.com/v1/session/oidc/start")
})

test("a function gives tokens: once for all, and again for a refused one", async () => {
  const {world} = await accounts()
  const asked = []
  world.good = "t2"
  const nexus = world.nexus({as: undefined, token: async refused => asked.push(refused) && `t${asked.length}`})
  await Promise.all([nexus.settings(), nexus.settings()])
  assert.deepEqual(asked, [null, "t1"])
})

test("the same token again, no token, and a token that is refused twice end the session", async () => {
  const {world} = await accounts()
  world.good = "none"
  for (const token of ["t", async () => "t", async refused => (refused ? null : "t"), async refused => (refused ? "u" : "t")]) {
    const nexus = world.nexus({as: undefined, token})
    assert.equal((await outcome(nexus.settings())).error.reason, "tokenRefused")
  }
  assert.deepEqual(world.asked("GET /v1/settings").map(({headers}) => headers.Authorization), ["t", "t", "t", "t", "u"].map(token => `Bearer ${token}`))
})

test("a function that fails is no end, one that throws SignedOutError is", async () => {
  const {world} = await accounts()
  const failing = world.nexus({retryFor: 0, token: async () => { throw new Error("offline") }})
  const {error} = await outcome(failing.settings())
  assert.deepEqual([error.code, error.cause.message, failing.signedOut], ["token_unavailable", "offline", null])
  const ending = world.nexus({token: async () => { throw new SignedOutError("person") }})
  assert.equal((await outcome(ending.settings())).error.reason, "person")
})

test("a name and a key go together", async () => {
  const world = new World()
  world.answer("GET /v1/settings", ({headers}) => ({body: headers}))
  const {Authorization, ["X-Nexus-User"]: user} = await world.nexus({as: "jürgen", token: "key"}).settings()
  assert.equal(Authorization, "Bearer key")
  assert.equal(new TextDecoder().decode(Uint8Array.from(user, letter => letter.charCodeAt(0))), "jürgen")
})
