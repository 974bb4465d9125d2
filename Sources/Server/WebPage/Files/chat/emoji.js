// A short list of emojis with words in each language of the page, and a dialog that picks one.
import {h, patch} from "../lib/dom.js"
import {language, t} from "../lib/text.js"

const list = `👍 thumbs up ok +1|daumen hoch ja,👎 thumbs down no -1|daumen runter nein,❤️ heart love|herz liebe,😂 joy laugh|freude lachen,🎉 party tada|feier,🙏 thanks please|danke bitte,👀 eyes|augen,✅ done check|fertig haken,🚀 rocket|rakete,🔥 fire|feuer,💯 hundred 100|hundert
😀 grin|grinsen,😄 smile happy|lächeln froh,😁 beam|strahlen,😅 sweat|schwitzen,🤣 rolling laugh|kugeln lachen,🙂 slight smile|leichtes lächeln,😉 wink|zwinkern,😊 blush|erröten,😍 heart eyes|herzaugen,😘 kiss|kuss,😋 yum|lecker,😜 joke|scherz,🤪 crazy|verrückt,🤗 hug|umarmung,🤔 think|denken,🤨 doubt|zweifel,😐 neutral|neutral,🙄 roll eyes|augen rollen,😏 smirk|schmunzeln,😴 sleep|schlafen,🤒 ill|krank,🤯 mind blown|sprachlos kopf,🥳 celebrate|feiern,😎 cool|cool,🤓 nerd|streber,😕 confused|verwirrt,😮 wow|staunen,😳 flushed|verlegen,🥺 pleading|flehen,😢 sad cry|traurig weinen,😭 sob|heulen,😱 scream|schrei,😤 huff|schnauben,😡 angry|wütend,💀 dead skull|tot schädel,🤡 clown|clown,👻 ghost|geist,🤖 robot|roboter,🤷 shrug|schulterzucken,🤦 facepalm|stirn
👋 wave hello bye|winken hallo tschüss,👌 perfect|perfekt,✌️ peace|frieden,🤞 fingers crossed luck|daumen drücken glück,👏 clap|klatschen,🙌 hooray|hurra,🤝 deal handshake|abgemacht handschlag,💪 strong|stark,👉 right|rechts,👆 up|oben,👇 down|unten,✍️ write|schreiben,🫡 salute|salut,🙋 raise hand|melden hand
💔 broken heart|gebrochenes herz,💙 blue heart|blaues herz,💚 green heart|grünes herz,💛 yellow heart|gelbes herz,✨ sparkles|funkeln,⭐ star|stern,⚡ fast bolt|schnell blitz,💥 boom|knall,💡 idea|idee,❓ question|frage,❗ important|wichtig,❌ no cross|nein kreuz,⚠️ warning|warnung,🚫 forbidden|verboten,🔒 lock|schloss,🔑 key|schlüssel,🔔 bell|glocke,📌 pin|heften,📎 clip|klammer,📅 calendar|kalender,⏰ alarm|wecker,⏳ wait|warten,📈 rising|steigend,📉 falling|fallend,📝 note|notiz,📷 photo|foto,💻 computer|rechner,📱 phone|telefon,🐛 bug|käfer fehler,🛠️ tools fix|werkzeug,🧪 test|test,📦 package|paket,💰 money|geld,🎁 gift|geschenk
☕ coffee|kaffee,🍺 beer|bier,🍷 wine|wein,🍕 pizza|pizza,🎂 cake birthday|kuchen geburtstag,🍎 apple|apfel,🥑 avocado|avocado,🐱 cat|katze,🐶 dog|hund,🦄 unicorn|einhorn,🐢 slow turtle|langsam schildkröte,🌸 flower|blume,🌱 seedling|keimling,🌞 sun|sonne,🌧️ rain|regen,❄️ snow cold|schnee kalt,🌍 earth|erde,🏠 home|haus,🚗 car|auto,🚲 bike|fahrrad,🚆 train|zug,✈️ plane travel|flugzeug reise,⛵ sail boat|segelboot,🏖️ holiday beach|urlaub strand,⚽ football|fußball,🏆 win trophy|gewinn pokal,🎵 music|musik,🏁 finish|ziel`
  .split(/[,\n]/).map(entry => {
    const at = entry.indexOf(" ")
    const [en, de] = entry.slice(at + 1).split("|")
    return {emoji: entry.slice(0, at), en, de}
  })

// The emojis with a word that begins with the query, in the page's language or English: {emoji, name}.
export const findEmojis = (query, limit = 8) => {
  const wanted = query.toLowerCase().split("_")
  const begins = text => wanted.every(part => text?.split(" ").some(word => word.startsWith(part)))
  return list.filter(e => begins(e[language()]) || begins(e.en)).slice(0, limit).map(({emoji, en, ...names}) => ({emoji, name: names[language()] ?? en}))
}

const KEY = "nexus-emoji"
const recent = () => (localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean)
const used = emoji => localStorage.setItem(KEY, [emoji, ...recent().filter(e => e !== emoji)].slice(0, 16).join(" "))
const COLUMNS = 8

// On wide screens beside the anchor, on narrow ones at the bottom.
const popup = (anchor, {label, class: name = "", render}) => {
  const before = document.activeElement
  const dialog = document.createElement("dialog")
  dialog.className = `popup ${name}`
  dialog.setAttribute("aria-label", label)
  document.body.append(dialog)
  const close = () => dialog.close()
  const update = () => patch(dialog, render(close, update))
  update()
  dialog.addEventListener("click", event => event.target === dialog && close())
  dialog.addEventListener("close", () => {
    dialog.remove()
    if (before?.isConnected && (document.activeElement === document.body || !document.activeElement)) before.focus({preventScroll: true})
  })
  dialog.showModal()
  if (anchor?.isConnected && innerWidth > 640) {
    const box = anchor.getBoundingClientRect(), own = dialog.getBoundingClientRect()
    const isLeftToRight = getComputedStyle(anchor).direction === "ltr"
    const left = isLeftToRight ? box.right - own.width : box.left
    const top = box.bottom + 4 + own.height < innerHeight ? box.bottom + 4 : box.top - own.height - 4
    dialog.classList.add("placed")
    dialog.style.left = `${Math.max(8, Math.min(left, innerWidth - own.width - 8))}px`
    dialog.style.top = `${Math.max(8, Math.min(top, innerHeight - own.height - 8))}px`
  }
  return {close, dialog, update}
}

const move = event => {
  const all = [...event.currentTarget.children]
  const at = all.indexOf(document.activeElement)
  const forth = getComputedStyle(event.currentTarget).direction === "ltr" ? 1 : -1
  const to = {ArrowDown: at + COLUMNS, ArrowUp: at - COLUMNS, ArrowRight: at + forth, ArrowLeft: at - forth, Home: 0, End: all.length - 1}[event.key]
  if (to === undefined) return
  event.preventDefault()
  all[Math.max(0, Math.min(to, all.length - 1))].focus()
}

export const pickEmoji = (anchor, choose) => {
  let query = ""
  const first = recent()
  const sorted = [...first.map(emoji => list.find(e => e.emoji === emoji)).filter(Boolean), ...list.filter(e => !first.includes(e.emoji))]
  const {dialog, close, update} = popup(anchor, {label: t("chat.emoji"), class: "emojis", render: () => {
    const words = query.trim().toLowerCase().split(/\s+/)
    // English words are found too, because many know them from other chats.
    const shown = sorted.filter(e => words.every(word => e[language()]?.includes(word) || e.en.includes(word)))
    const take = emoji => {
      used(emoji)
      close()
      choose(emoji)
    }
    return [
      h("input", {type: "search", "aria-label": t("chat.findEmoji"), placeholder: t("chat.findEmoji"), autofocus: true, on: {
        input: event => { query = event.target.value; update() },
        keydown: event => {
          if (event.key === "Enter" && shown[0]) { event.preventDefault(); take(shown[0].emoji) }
          else if (event.key === "ArrowDown") { event.preventDefault(); dialog.querySelector(".grid button")?.focus() }
        }}}),
      h("div", {class: "grid", on: {keydown: move}}, shown.map(({emoji, en, ...names}, i) =>
        h("button", {key: emoji, type: "button", tabindex: i ? -1 : 0, title: names[language()] ?? en, "aria-label": `${emoji} ${names[language()] ?? en}`, on: {click: () => take(emoji)}}, emoji))),
      !shown.length && h("p", {class: "quiet"}, t("chat.noEmoji")),
    ]
  }})
}
