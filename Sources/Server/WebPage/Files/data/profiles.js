// What people show of themselves: titles, time zones, pictures. Asked for in groups, and again after some minutes.
import {store} from "./store.js"

const LIMIT = 50, AGE = 5 * 60_000, PICTURES = 300

// `host` is the store: its requests and its session.
export class Profiles {
  constructor(host, {now = () => Date.now(), later = fn => setTimeout(fn, 30), urls = URL} = {}) {
    Object.assign(this, {host, now, later, urls, known: new Map(), wanted: new Map(), queue: [], pictures: new Map(), watchers: new Set()})
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
    const {user} = this
    let found = null
    try {
      const query = ids.map(id => `user=${encodeURIComponent(id)}`).join("&")
      const {profiles} = await this.host.api.request("GET", `/v1/profiles?${query}`)
      found = new Map(profiles.map(profile => [profile.userId, profile]))
    } catch {
      // Without a connection initials stay, and the next one who needs it asks again.
    }
    for (const id of ids) {
      const {resolve} = this.wanted.get(id)
      this.wanted.delete(id)
      resolve(found && user === this.user ? this.take(id, found.get(id) ?? null) : this.known.get(id)?.profile ?? null)
    }
  }

  take(id, profile) {
    const before = this.known.get(id)?.profile
    this.known.set(id, {profile, at: this.now()})
    if (JSON.stringify(before ?? null) !== JSON.stringify(profile)) for (const fn of [...this.watchers]) fn(id)
    return profile
  }

  // The address of a person's picture for this page, or null for none.
  async picture(id) {
    const picture = (await this.load(id))?.pictureId
    return picture ? this.url(picture, `/v1/people/${encodeURIComponent(id)}/pictures/${picture}`) : null
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
if (store) {
  profiles.clear(store.session.user?.id)
  store.on("session", () => profiles.clear(store.session.user?.id))
}
