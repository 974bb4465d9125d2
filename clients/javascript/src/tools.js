import {NexusError} from "./errors.js"

/** What the surroundings give; tests put their own in. */
export const surroundings = (own = {}) => ({
  fetch: (...values) => globalThis.fetch(...values), WebSocket: globalThis.WebSocket, random: Math.random,
  now: () => Date.now(), setTimeout: (...values) => globalThis.setTimeout(...values),
  clearTimeout: timer => globalThis.clearTimeout(timer), ...own,
})

/** 128 random bits. Pages without HTTPS and Node 18 have no `crypto.randomUUID`. */
export const makeID = () => {
  const bytes = new Uint8Array(16)
  if (globalThis.crypto?.getRandomValues) globalThis.crypto.getRandomValues(bytes)
  else for (let i = 0; i < 16; i += 1) bytes[i] = Math.random() * 256
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("")
}

/** Waits of 0.5, 1, 2, 4, 8, 16, 30 s with jitter, not shorter than the server asks. */
export const backoff = (attempt, retryAfter, random) =>
  1000 * Math.max([0.5, 1, 2, 4, 8, 16, 30][Math.min(attempt, 6)] * (0.5 + random() / 2), retryAfter)

export const sleep = (env, milliseconds, signal) => new Promise((resolve, reject) => {
  if (signal?.aborted) return reject(signal.reason)
  const stop = () => {
    env.clearTimeout(timer)
    reject(signal.reason)
  }
  const timer = env.setTimeout(() => {
    signal?.removeEventListener("abort", stop)
    resolve()
  }, milliseconds)
  signal?.addEventListener("abort", stop, {once: true})
})

/** A signal that follows another one, and ends after a time without `expect()`. */
export const deadline = (env, milliseconds, signal) => {
  // The body of a stream is read after the request has ended.
  if (milliseconds === Infinity) return {signal: signal ?? new AbortController().signal, expect() {}, end() {}}
  const controller = new AbortController()
  let timer
  const follow = () => controller.abort(signal.reason)
  const expect = () => {
    env.clearTimeout(timer)
    timer = env.setTimeout(() => controller.abort(new NexusError(0, {code: "timed_out"})), milliseconds)
  }
  const end = () => {
    env.clearTimeout(timer)
    signal?.removeEventListener("abort", follow)
  }
  if (signal?.aborted) follow()
  else signal?.addEventListener("abort", follow, {once: true})
  expect()
  return {signal: controller.signal, expect, end}
}

/** `["conversations", id]` as a path below /v1; a text is used as it is. */
export const pathOf = path => {
  if (typeof path === "string") return path
  // Addresses treat these two as steps in the path, encoded or not.
  if (path.some(part => ["", ".", ".."].includes(String(part)))) throw new TypeError("an id is empty or a dot")
  return "/v1/" + path.map(part => encodeURIComponent(String(part))).join("/")
}

export const queryOf = query => {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return pairs.length ? "?" + pairs.map(pair => pair.map(encodeURIComponent).join("=")).join("&") : ""
}
