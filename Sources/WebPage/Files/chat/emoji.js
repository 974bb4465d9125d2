// A short list of emojis, and a dialog that picks one.
import {h, patch} from "../lib/dom.js"
import {language, t} from "../lib/text.js"

const list = `👍 thumbs up ok|Daumen hoch;👎 thumbs down no|Daumen runter;❤️ heart love|Herz Liebe;😂 tears of joy laugh|Tränen lachen;🎉 party tada|Feier Party;🙏 thanks please|Danke bitte;👀 eyes look|Augen schauen;✅ check done|Haken erledigt;🚀 rocket ship|Rakete;🔥 fire hot|Feuer;💯 hundred|hundert
😀 grin|grinsen;😄 smile happy|lächeln froh;😁 beam|strahlen;😅 sweat relief|Schweiß;🤣 rolling laugh|kugeln lachen;🙂 slight smile|leichtes Lächeln;😉 wink|zwinkern;😊 blush|erröten;😍 heart eyes|verliebt;😘 kiss|Kuss;😋 yum|lecker;😜 tongue joke|Zunge;🤪 zany crazy|verrückt;🤗 hug|umarmen;🤔 think hmm|denken;🤨 eyebrow doubt|Zweifel;😐 neutral|neutral;🙄 roll eyes|Augen rollen;😏 smirk|süffisant;😴 sleep tired|schlafen müde;🤒 ill|krank;🤯 mind blown|Kopf explodiert;🥳 celebrate|feiern;😎 cool sunglasses|cool Sonnenbrille;🤓 nerd|Nerd;😕 confused|verwirrt;😮 wow|staunen;😳 flushed|verlegen;🥺 pleading|flehen;😢 cry sad|weinen traurig;😭 sob|heulen;😱 scream|schreien;😤 triumph huff|schnauben;😡 angry|wütend;🤬 swear|fluchen;💀 skull dead|Schädel;🤡 clown|Clown;👻 ghost|Geist;🤖 robot|Roboter;🤷 shrug|Schulterzucken;🤦 facepalm|Stirn
👋 wave hello bye|winken hallo;👌 ok perfect|perfekt;✌️ victory peace|Sieg;🤞 fingers crossed luck|Daumen drücken Glück;👏 clap applause|Applaus;🙌 hooray hands|hurra;🤝 handshake deal|Handschlag;💪 strong muscle|stark;👉 right point|rechts;👆 up point|oben;👇 down point|unten;✍️ write|schreiben;🫡 salute|salutieren;🙋 raise hand|melden
💔 broken heart|gebrochenes Herz;💙 blue heart|blaues Herz;💚 green heart|grünes Herz;💛 yellow heart|gelbes Herz;✨ sparkles|Glitzer;⭐ star|Stern;⚡ bolt fast|Blitz schnell;💥 boom|Knall;💡 idea bulb|Idee;❓ question|Frage;❗ exclamation important|wichtig;❌ cross no|Kreuz nein;⚠️ warning|Warnung;🚫 forbidden|verboten;🔒 lock|Schloss;🔑 key|Schlüssel;🔔 bell|Glocke;📌 pin|Nadel;📎 clip|Klammer;📅 date calendar|Kalender Termin;⏰ alarm clock|Wecker;⏳ wait hourglass|warten;📈 up chart|steigend;📉 down chart|fallend;📝 note memo|Notiz;📷 camera photo|Kamera Foto;💻 laptop computer|Rechner;📱 phone|Telefon;🐛 bug|Fehler Käfer;🛠️ tools fix|Werkzeug;🧪 test tube|Test;📦 package box|Paket;💰 money|Geld;🎁 gift|Geschenk
☕ coffee|Kaffee;🍺 beer|Bier;🍷 wine|Wein;🍕 pizza|Pizza;🎂 cake birthday|Kuchen Geburtstag;🍎 apple|Apfel;🌮 taco|Taco;🥑 avocado|Avocado;🐱 cat|Katze;🐶 dog|Hund;🦄 unicorn|Einhorn;🐢 turtle slow|Schildkröte;🌸 flower|Blume;🌱 seedling grow|wachsen;🌞 sun|Sonne;🌧️ rain|Regen;❄️ snow cold|Schnee kalt;🌍 earth world|Erde Welt;🏠 home house|Haus;🚗 car|Auto;🚲 bike|Fahrrad;🚆 train|Zug;✈️ plane travel|Flugzeug Reise;⛵ boat sail|Boot;🏖️ beach holiday|Strand Urlaub;⚽ football|Fußball;🏆 trophy win|Pokal;🎵 music|Musik;🏁 finish|Ziel`
  .split(/[;\n]/).map(entry => {
    const [, emoji, en, de] = /^(\S+) ([^|]*)\|(.*)$/.exec(entry)
    return {emoji, en, de, words: `${en} ${de}`.toLowerCase()}
  })

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
    const words = query.toLowerCase().split(/\s+/)
    const shown = sorted.filter(e => words.every(word => e.words.includes(word)))
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
      h("div", {class: "grid", on: {keydown: move}}, shown.map(({emoji, en, de}, i) =>
        h("button", {key: emoji, type: "button", tabindex: i ? -1 : 0, title: language() === "de" ? de : en,
          "aria-label": `${emoji} ${language() === "de" ? de : en}`, on: {click: () => take(emoji)}}, emoji))),
      !shown.length && h("p", {class: "quiet"}, t("chat.noEmoji")),
    ]
  }})
}
