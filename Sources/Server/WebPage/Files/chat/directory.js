// Everybody of this server whom a person may find; who is known from conversations is found without the server.
import {compare} from "../lib/text.js"
import {fold} from "../lib/ranked.js"
import {store} from "../data/store.js"

export const LIMIT = 50

// update() is called when the server has answered.
export const directory = update => {
  let query = "", found = [], foundFor = null, timer, asked = 0
  const ask = async () => {
    const turn = ++asked, q = query.trim()
    try {
      const {people} = await store.api.request("GET", "/v1/people", {query: {q, limit: LIMIT}})
      if (turn !== asked) return
      foundFor = q
      found = people.map(({userId, name}) => ({id: userId, name}))
      update()
    } catch {
      // Without a connection those from conversations are offered.
    }
  }
  ask()
  return {
    get query() { return query },
    set query(text) {
      query = text
      clearTimeout(timer)
      timer = setTimeout(ask, 200)
      update()
    },
    // Whether the server may know more people than it named.
    get isCut() { return foundFor === query.trim() && found.length >= LIMIT },
    get isAsked() { return foundFor === query.trim() },
    people: (without = new Set()) => {
      const wanted = fold(query.trim())
      const isNamed = ({name, id}) => fold(`${name} ${id}`).includes(wanted)
      const all = new Map([...store.people(), ...found].map(person => [person.id, person]))
      const named = new Set(foundFor === query.trim() ? found.map(({id}) => id) : [])
      return [...all.values()].filter(person => !without.has(person.id) && (isNamed(person) || named.has(person.id)))
        .sort((a, b) => compare(a.name, b.name))
    },
    close: () => clearTimeout(timer),
  }
}
