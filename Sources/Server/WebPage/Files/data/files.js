const LIMIT = 200

// Addresses of attachments that a page can show. An element sends no token, so each file is fetched.
export class Files {
  constructor(host) { Object.assign(this, {host, urls: new Map()}) }

  fileURL(attachment) {
    const key = attachment.id ?? attachment.blob
    const known = this.urls.get(key)
    if (known) {
      this.urls.delete(key)
      this.urls.set(key, known)
      return known
    }
    const found = this.fileBlob(attachment).then(blob => URL.createObjectURL(blob))
    found.catch(() => this.urls.delete(key))
    this.urls.set(key, found)
    if (this.urls.size > LIMIT) this.revoke(this.urls.keys().next().value)
    return found
  }

  // The page may not fetch a blob: URL; this is the file itself.
  async fileBlob({id, blob}) {
    return blob ?? (await this.host.api.send("GET", "/v1/files/" + encodeURIComponent(id))).blob()
  }

  revoke(key) {
    this.urls.get(key)?.then(url => URL.revokeObjectURL(url), () => {})
    this.urls.delete(key)
  }

  clear() { for (const key of [...this.urls.keys()]) this.revoke(key) }
}
