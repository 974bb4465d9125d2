// Connections to other chats: rooms, progress, pause, and disconnecting with everything that came from there.
import {h} from "../lib/dom.js"
import {confirm, copyText} from "../lib/dialog.js"
import {addTexts, ago, dateTime, list, number, t} from "../lib/text.js"
import {button, isSure} from "../assistant/common.js"
import {a, facts} from "./desk.js"
import {STEPS} from "./connection-steps.js"
import texts from "../text/connections.js"

addTexts(texts)
const c = (key, values) => t(`connections.${key}`, values)
const word = key => {
  const text = c(key)
  return text.startsWith("connections.") ? key.split(".").at(-1).replaceAll("_", " ") : text
}
const NAMES = {matrix: "Matrix", mattermost: "Mattermost", slack: "Slack"}
const CAN_BE_TAKEN = ["reading", "complete", "leftOut"]

const reasons = counts => counts.length
  ? list(counts.map(({reason, count}) => reason ? `${word(`reason.${reason}`)} ${number(count)}` : number(count))) : "–"
const sum = (rooms, key) => rooms.reduce((total, one) => total + one[key], 0)
const behind = seconds => seconds == null ? "–" : `${number(Number(seconds.toFixed(1)))} s`

export const connections = desk => {
  let all = null, links = []
  const checks = {}
  const proofs = {}
  desk.every(5, async () => {
    all = await desk.operate({listConnections: {}})
    links = await desk.operate({listLinks: {}})
  })
  const put = ([changed]) => (all = all.map(one => one.source === changed.source ? changed : one))
  const act = (command, done) => desk.run(async () => put(await desk.operate(command)), done)
  const pause = async ({source}) => {
    const [title, text] = [c("pauseOf", {name: NAMES[source]}), c("pauseText", {name: NAMES[source]})]
    if (await confirm({title, text, action: c("pause")})) act({setConnection: {source, isActive: false}}, c("pausedNow"))
  }
  const resume = ({source}) => act({setConnection: {source, isActive: true}}, c("resumedNow"))
  const test = ({source}) => desk.run(async () => {
    checks[source] = await desk.operate({testConnection: {source}})
  })
  const setRoom = async ({source}, room, isLeftOut) => {
    const title = c("leaveOutOf", {name: room.name ?? room.id})
    if (!isLeftOut || await isSure(title, c("leaveOutText"), c("leaveOut"))) {
      act({setRoom: {source, room: room.id, isLeftOut}}, c(isLeftOut ? "leftOutNow" : "takenInNow"))
    }
  }
  const endLink = async ({source, authorID: author, userID, name}) => {
    const values = {name: name ?? author, user: userID, chat: NAMES[source]}
    if (!await isSure(c("endLinkOf", values), c("endLinkText", values), c("endLink"))) return
    desk.run(async () => {
      links = await desk.operate({endLink: {source, author}})
    }, c("endedLink"))
  }
  const disconnect = async ({source}) => {
    const name = NAMES[source]
    let counts = null
    if (!await desk.run(async () => ({counts} = await desk.operate({disconnect: {source, isConfirmed: false}})))) return
    const {conversations, messages, files} = counts
    const text = c("disconnectText", {name, conversations, messages, files})
    if (!await isSure(c("disconnectOf", {name}), text, c("disconnect"))) return
    desk.run(async () => {
      proofs[source] = await desk.operate({disconnect: {source, isConfirmed: true}})
      all = await desk.operate({listConnections: {}})
    }, c("disconnectedNow", {name}))
  }

  const actions = one => {
    const named = (key, act, more) => button(c(key), () => act(one),
      {disabled: desk.isBusy, "aria-label": `${c(key)}: ${NAMES[one.source]}`, ...more})
    return h("div", {class: "row wrap"},
      one.state === "active" && one.isConfigured && named("pause", pause),
      one.state === "paused" && named("resume", resume, {class: "primary"}),
      one.state === "disconnected" && named("connectAgain", resume),
      one.isConfigured && button(a("test"), () => test(one), {disabled: desk.isBusy, "aria-label": `${a("test")}: ${NAMES[one.source]}`}),
      (one.rooms.length > 0 && one.state !== "disconnected" || one.state === "disconnecting")
        && named("disconnect", disconnect, {class: "danger"}))
  }
  const room = (one, found) => {
    const name = found.name ?? c("direct")
    const isOut = found.state === "leftOut"
    const key = isOut ? "takeIn" : "leaveOut"
    const files = [
      found.waitingFiles.length > 0 && `${c("toFetch")}: ${reasons(found.waitingFiles)}`,
      found.missingFiles.length > 0 && `${c("notFetched")}: ${reasons(found.missingFiles)}`,
    ].filter(Boolean).join("; ")
    return [
      h("span", null, h("bdi", null, name), " ", h("code", {class: "quiet"}, found.id)), c(`room.${found.state}`),
      number(found.readCount), number(found.storedCount), reasons(found.leftOut), files || "–",
      CAN_BE_TAKEN.includes(found.state) && one.state !== "disconnecting" && one.state !== "disconnected" && button(c(key),
        () => setRoom(one, found, !isOut), {disabled: desk.isBusy, "aria-label": `${c(key)}: ${name}`}),
    ]
  }
  const section = one => {
    const name = NAMES[one.source]
    const {rooms, notes} = one
    const result = checks[one.source]
    const proof = proofs[one.source]?.proof
    return h("section", {class: "stack", key: one.source, "aria-label": name},
      h("h2", null, name, " ", h("span", {class: "quiet"},
        c(one.isConfigured || one.state !== "active" ? `state.${one.state}` : "notConnected"))),
      one.address && h("p", {class: "quiet"}, h("bdi", null, one.address)),
      one.state === "paused" && h("p", {class: "alert"}, c("pausedSince", {date: dateTime(one.decidedAt)})),
      one.state === "disconnecting" && h("p", {class: "alert"}, c("disconnectingHint")),
      one.waitingUntil && h("p", {role: "status"}, c("waitingUntil", {name, time: dateTime(one.waitingUntil)})),
      notes.map(({code, detail = "", text}) => h("p", {key: code, class: code === "comparing" ? "quiet" : "alert", title: text},
        c(`note.${code}`, {name, detail}))),
      (one.isConfigured || rooms.length > 0) && [
        facts([
          [c("rooms"), number(rooms.filter(({state}) => state === "reading" || state === "complete").length)],
          [c("read"), number(sum(rooms, "readCount"))], [c("stored"), number(sum(rooms, "storedCount"))],
          [c("leftOutCount"), number(sum(rooms, "readCount") - sum(rooms, "storedCount"))],
          [c("behind"), behind(one.behindSeconds)], [c("lastEvent"), one.lastEventAt ? ago(one.lastEventAt) : "–"],
        ]),
        actions(one),
        result && h("div", {class: "plain-list", role: "status"}, result.map(check => h("p", {key: check.setting},
          h("code", null, check.setting), " ", h("strong", null, c(check.isWorking ? "works" : "fails")), ": ",
          h("bdi", null, check.detail)))),
        rooms.length > 0 && h("div", {key: "rooms"}, rooms.length > 30
          ? h("details", null, h("summary", null, c("allRooms", {count: rooms.length})), roomTable(one)) : roomTable(one)),
      ],
      proof && h("p", {role: "status"},
        a("proof", {count: proof.searchedCount, files: proof.fileCount}), " ", a(proof.remains.length ? "remains" : "noRemains")),
      h("details", null, h("summary", null, c("how", {name})), steps(one.source)))
  }
  const roomTable = one => h("div", {class: "scroll", role: "region", tabindex: 0,
    "aria-label": `${c("rooms")}: ${NAMES[one.source]}`}, h("table", null,
    h("thead", null, h("tr", null, heads().map((head, n) => h("th", {scope: "col", key: n}, head)))),
    h("tbody", null, one.rooms.map(found => {
      const [first, ...cells] = room(one, found)
      return h("tr", {key: found.id}, h("th", {scope: "row"}, first),
        cells.map((cell, n) => h("td", {key: n, "data-head": heads()[n + 1]}, cell)))
    }))))
  const linkList = () => links.length > 0 && h("section", {class: "stack", key: "links", "aria-label": c("links")},
    h("h2", null, c("links")),
    h("ul", {class: "people"}, links.map(link => h("li", {key: `${link.source} ${link.authorID}`, class: "person"},
      h("p", {class: "grow"}, NAMES[link.source], " · ", h("bdi", null, link.name ?? link.authorID), " · ", h("bdi", null, link.userID),
        " ", h("span", {class: "quiet", title: dateTime(link.linkedAt)}, c(`way.${link.way}`))),
      button(c("endLink"), () => endLink(link), {disabled: desk.isBusy, "aria-label": c("endLinkOf", {name: link.name ?? link.authorID})})))))
  return () => [h("p", null, c("hint")), all?.map(section), linkList()]
}

const heads = () => [c("room"), a("state"), c("read"), c("stored"), c("leftOutCount"), c("files"), a("actions")]

// What an operator does, in order: texts, and what is typed or pasted.
const steps = source => h("ol", null, STEPS[source].map(({key, code}) => h("li", {key},
  c(`step.${key}`), code && h("div", {class: "stack"}, h("pre", {class: "scroll", tabindex: 0}, code),
    button(a("copy"), () => copyText(code, a("copied")), {symbol: "copy"})))))
