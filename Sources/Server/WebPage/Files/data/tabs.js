// The pages of this browser: one of them leads. It has the socket, sends, and writes frames to the disk.
export class Tabs {
  // Without locks (an address that is not secure) or a disk each page works for itself.
  constructor({locks, Channel, isAlone = !locks || !Channel}) {
    Object.assign(this, {locks, isAlone, isLeader: false, onMessage: () => {}})
    this.id = Math.random().toString(36).slice(2)
    this.channel = isAlone ? null : new Channel("nexus")
    if (this.channel) this.channel.onmessage = ({data}) => this.onMessage(data)
  }

  post(message) { this.channel?.postMessage(message) }

  lock(name, work) { return this.locks ? this.locks.request(name, work) : Promise.resolve().then(work) }

  // Calls `lead` when this page has become the leader; it stays so until it is closed.
  lead(lead) {
    const begin = () => {
      this.isLeader = true
      lead()
      return new Promise(() => {})
    }
    if (this.isAlone) begin()
    else this.locks.request("nexus-leader", begin).catch(begin)
  }
}
