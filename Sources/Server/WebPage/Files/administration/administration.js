// The pages of administrators, one tab each.
import {h, View} from "../lib/dom.js"
import {go, link} from "../lib/router.js"
import {store} from "../data/store.js"
import {tabs} from "../assistant/tabs.js"
import {a, Desk} from "./desk.js"
import {audit} from "./audit.js"
import {connections} from "./connections.js"
import {erase, imports} from "./content.js"
import {metrics} from "./metrics.js"
import {users} from "./people.js"
import {doctor, keys, models, storage} from "./server.js"
import {embedding, failed} from "./vectors.js"

const PARTS = {users, imports, connections, embedding, failed, models, keys, storage, metrics, audit, erase, doctor}

export const mount = (container, route) => {
  const isAllowed = store.session.user?.role === "administrator" || store.session.methods?.authentication === "none"
  let current = ""
  let desk = null
  let draw = () => null
  const open = name => {
    if (name === current) return
    desk?.close()
    current = name
    desk = new Desk(() => view?.update())
    draw = PARTS[name](desk)
    view?.update()
  }
  const render = () => h("section", {class: "page"}, h("div", {class: "desk stack"},
    h("h1", null, a("title")),
    isAllowed ? tabs("administration", Object.keys(PARTS).map(key => [key, a(key)]), current,
      key => go(link("administration", key), true), a("title"),
      [desk.state(), h("div", {key: current, class: "part"}, draw())])
      : h("p", {role: "alert"}, a("forbidden"))))
  const partOf = ({id}) => id in PARTS ? id : "users"
  let view = null
  if (isAllowed) open(partOf(route))
  view = new View(container, render)
  return {
    update: next => isAllowed && next.name === "administration" && open(partOf(next)),
    close() {
      desk?.close()
      view.close()
    },
  }
}
