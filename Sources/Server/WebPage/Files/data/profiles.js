// What people and groups show: titles, time zones, makers, pictures. Asked for together, and again after some minutes.
import {store} from "./store.js"

const LIMIT = 50, AGE = 5 * 60_000, PICTURES = 300
const PEOPLE = {path: "/v1/profiles", parameter: "user", list: "profiles", id: "userId", pictures: "/v1/people"}
const GROUPS = {path: "/v1/groups", parameter: "conversation", list: "groups", id: "conversationId", pictures: "/v1/conversations"}

// `host` is the store: its requests and its session.
export class Profiles {
  constructor(host, {now = () => Date.now(), later = fn => setTimeout(fn, 30), urls = URL, source = PEOPLE} = {}) {
    Object.assign(this, {host, now, later, urls, source, known: new Map(), wanted: new Map(), queue: [], pictures: new Map(), watchers: new Set()})
  }

  // Somebody else signed in, or nobody.
  clear(user = null) {
    if (this.user === user) return
    this.user = user
    for (const id of [...this.pictures.keys()]) this.drop(id)
    this.known.clear()
  }

  // Watchers hear the ids of changed profiles.
  watch(fn) {
    this.watchers.add(fn)
    return () => this.watchers.delete(fn)
  }

  // What is known now; what is not known, or old, is asked for, and watchers hear of it.
  of(id) {
    this.load(id)
    return this.known.get(id)?.profile ?? null
  }

  // The profile, or null for none; null also if the server cannot be reached.
  load(id) {
    const known = this.known.get(id)
    if (known && this.now() - known.at < AGE) return Promise.resolve(known.profile)
    if (this.host.session.status !== "signedIn") return Promise.resolve(null)
    if (!this.wanted.has(id)) {
      if (!this.queue.length) this.later(() => this.ask())
      this.queue.push(id)
      const entry = {}
      entry.done = new Promise(resolve => (entry.resolve = resolve))
      this.wanted.set(id, entry)
    }
    return this.wanted.get(id).done
  }

  async ask() {
    const ids = this.queue
    this.queue = []
    for (let start = 0; start < ids.length; start += LIMIT) await this.askFor(ids.slice(start, start + LIMIT))
  }

  async askFor(ids) {
    const {user, source} = this
    let found = null
    try {
      const query = ids.map(id => `${source.parameter}=${encodeURIComponent(id)}`).join("&")
      const reply = await this.host.api.request("GET", `${source.path}?${query}`)
      found = new Map(reply[source.list].map(profile => [profile[source.id], profile]))
    } catch {
      // Without a connection initials stay, and the next one who needs it asks again.
    }
    for (const id of ids) {
      const {resolve} = this.wanted.get(id)
      this.wanted.delete(id)
      resolve(found && user === this.user ? this.take(id, found.get(id) ?? null) : this.known.get(id)?.profile ?? null)
    }
  }

  // Asks again for what has just changed.
  again(id) {
    this.known.delete(id)
    return this.load(id)
  }

  take(id, profile) {
    const before = this.known.get(id)?.profile
    this.known.set(id, {profile, at: this.now()})
    if (JSON.stringify(before ?? null) !== JSON.stringify(profile)) for (const fn of [...this.watchers]) fn(id)
    return profile
  }

  // The address of a picture for this page, or null for none.
  async picture(id) {
    const picture = (await this.load(id))?.pictureId
    return picture ? this.url(picture, `${this.source.pictures}/${encodeURIComponent(id)}/pictures/${picture}`) : null
  }

  // A picture never changes its bytes, so the browser keeps them.
  async url(picture, path) {
    const known = this.pictures.get(picture)
    if (known) {
      this.pictures.delete(picture)
      this.pictures.set(picture, known)
      return known
    }
    const found = this.host.api.send("GET", path, {cache: "default"}).then(reply => reply.blob()).then(blob => this.urls.createObjectURL(blob))
      .catch(() => {
        this.pictures.delete(picture)
        return null
      })
    this.pictures.set(picture, found)
    if (this.pictures.size > PICTURES) this.drop(this.pictures.keys().next().value)
    return found
  }

  drop(picture) {
    this.pictures.get(picture)?.then(url => url && this.urls.revokeObjectURL(url))
    this.pictures.delete(picture)
  }
}

export const profiles = store ? new Profiles(store) : null
export const groups = store ? new Profiles(store, {source: GROUPS}) : null
if (store) for (const one of [profiles, groups]) {
  one.clear(store.session.user?.id)
  store.on("session", () => one.clear(store.session.user?.id))
}
