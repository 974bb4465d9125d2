/** Keeps a chat's unsent messages in the storage of a page, such as `localStorage`. */
export class WebStore {
  constructor(storage = globalThis.localStorage, prefix = "nexus-unsent ") { Object.assign(this, {storage, prefix}) }

  entries() {
    const keys = Array.from({length: this.storage.length}, (_, place) => this.storage.key(place))
    return keys.filter(key => key.startsWith(this.prefix)).map(key => [key.slice(this.prefix.length), this.storage.getItem(key)])
  }

  set(key, value) { this.storage.setItem(this.prefix + key, value) }
  delete(key) { this.storage.removeItem(this.prefix + key) }
}
