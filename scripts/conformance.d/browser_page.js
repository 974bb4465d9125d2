// A web app of another origin than the server, in a real browser: WebSocket, EventSource, fetch and <img>.
//
// `browser_client.py` serves it, cuts its connections and restarts the server when it asks for that.

const PATIENCE = 30_000;
const setup = await (await fetch("/setup")).json();
const socketAPI = setup.api.replace("http", "ws");
const bearer = user => ({"Authorization": `Bearer ${setup.tokens[user]}`});

function check(isTrue, text, seen) {
    if (!isTrue) throw new Error(`${text}: ${JSON.stringify(seen)}`);
}

function within(promise, name) {
    return Promise.race([
        promise, new Promise((_, fail) => setTimeout(() => fail(new Error(`nothing came: ${name}`)), PATIENCE)),
    ]);
}

async function call(user, method, path, body) {
    const headers = {...bearer(user), "Content-Type": "application/json"};
    const reply = await fetch(setup.api + path, {method, headers, body: body && JSON.stringify(body)});
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.status === 204 ? null : reply.json();
}

const ask = path => fetch(path, {method: "POST"});
const ticketOf = async user => (await call(user, "POST", "/v1/feed/ticket")).ticket;
const cursorOf = async user => (await call(user, "GET", "/v1/sync")).cursor;
const say = (user, place, text) => call(user, "POST", `/v1/conversations/${place}/messages`, {text});
const texts = frame => frame.changes.filter(c => c.type === "message").map(c => c.message.text);

// Keeps what arrives until somebody takes it.
class Inbox {
    waiting = [];
    wake = null;

    put(value) {
        this.waiting.push(value);
        this.wake?.();
    }

    async next(isWanted, name) {
        const search = async () => {
            while (true) {
                while (this.waiting.length > 0) {
                    const value = this.waiting.shift();
                    if (isWanted(value)) return value;
                }
                await new Promise(done => { this.wake = done; });
            }
        };
        return within(search(), name);
    }
}

// A socket with what it received; checks that the positions of its frames have no gap.
class Socket {
    inbox = new Inbox();

    constructor(query, protocols = ["nexus.v1"]) {
        this.socket = new WebSocket(`${socketAPI}/v1/socket?${query}`, protocols);
        this.closed = new Promise(done => { this.socket.onclose = done; });
        this.opened = new Promise(done => { this.socket.onopen = () => done(true); });
        this.socket.onmessage = event => {
            const message = JSON.parse(event.data);
            if (message.v) {
                if (this.position !== undefined && this.position !== message.prev) this.hasGap = true;
                this.position = message.pos;
                this.cursor = message.cursor;
            }
            this.inbox.put(message);
        };
    }

    static async open(user, cursor) {
        const from = cursor ? `&cursor=${cursor}` : "";
        const socket = new Socket(`ticket=${await ticketOf(user)}${from}`);
        check(await socket.isOpen(), "the socket opens");
        return socket;
    }

    isOpen() { return within(Promise.race([this.opened, this.closed.then(() => false)]), "an open socket"); }

    send(message) { this.socket.send(JSON.stringify(message)); }

    next(type) { return this.inbox.next(m => m.type === type, type); }

    frame(text) { return this.inbox.next(m => m.v === 1 && texts(m).includes(text), `a frame with ${text}`); }

    async ending() {
        const {code, reason, wasClean} = await within(this.closed, "the end of a socket");
        return {code, reason, wasClean};
    }
}

// A stream of events with what it received.
class Stream {
    inbox = new Inbox();

    constructor(query) {
        this.source = new EventSource(`${setup.api}/v1/feed?${query}`);
        for (const name of ["stream", "frame", "heartbeat", "presence", "typing", "resync", "end"]) {
            this.source.addEventListener(name, event => {
                if (event.lastEventId) this.cursor = event.lastEventId;
                this.inbox.put({name, id: event.lastEventId, data: JSON.parse(event.data)});
            });
        }
        this.source.onerror = () => this.inbox.put({name: "error", state: this.source.readyState});
    }

    next(name) { return this.inbox.next(e => e.name === name, name); }

    frame(text) {
        return this.inbox.next(e => e.name === "frame" && texts(e.data).includes(text), `an event with ${text}`);
    }
}

const place = (await call("ada", "POST", "/v1/direct", {with: "bob"})).id;

const scenarios = {
    async "a socket carries the feed, presence and typing"() {
        const bob = await Socket.open("bob", await cursorOf("bob"));
        const ada = await Socket.open("ada");
        check(bob.socket.protocol === "nexus.v1" && bob.socket.extensions === "", "protocol", bob.socket.extensions);
        bob.send({type: "watch", userIds: ["ada", "stranger"]});
        const online = (await bob.next("presence")).people;
        check(online.length === 1 && online[0].userId === "ada" && online[0].status === "online", "online", online);
        bob.send({type: "open", conversationId: place});
        bob.send({type: "bad"});
        check((await bob.next("error")).code === "invalid_field", "an unknown message is answered");
        ada.send({type: "typing", conversationId: place});
        const typing = await bob.next("typing");
        check(typing.userId === "ada" && typing.conversationId === place, "typing", typing);
        ada.send({type: "active", active: false});
        const away = (await bob.next("presence")).people;
        check(away[0].status === "away", "away", away);

        const sent = await Promise.all([..."abcdefghij"].map(letter => say("ada", place, `order ${letter}`)));
        const seen = [];
        while (seen.length < sent.length) {
            const frame = await bob.inbox.next(m => m.v === 1, "frames");
            for (const change of frame.changes) {
                if (change.type === "message") seen.push(change.message.seq);
            }
        }
        const wanted = sent.map(m => m.seq).sort((a, b) => a - b);
        check(JSON.stringify(seen) === JSON.stringify(wanted), "messages come in the order of `seq`", [seen, wanted]);
        check(!bob.hasGap, "`prev` is the position before");
        bob.send({type: "ack", cursor: bob.cursor});
        const receipt = await ada.inbox.next(
            m => m.v === 1 && m.changes.some(c => c.type === "receipt" && c.receipt.userId === "bob"
                && c.receipt.deliveredSeq === wanted.at(-1)), "the receipt of an acknowledgement");
        check(receipt.prev < receipt.pos, "positions", receipt);
        for (const socket of [ada, bob]) socket.socket.close(1000);
        await Promise.all([ada.ending(), bob.ending()]);
    },

    async "a person whose page closes the socket is offline at once"() {
        const bob = await Socket.open("bob");
        for (const [code, ...given] of [[1000, 1000], [4321, 4321, "bye"], [1005]]) {
            const ada = await Socket.open("ada");
            bob.send({type: "watch", userIds: ["ada"]});
            await bob.inbox.next(m => m.type === "presence" && m.people[0].status === "online", "online");
            ada.socket.close(...given);
            const ending = await ada.ending();
            check(ending.code === code && ending.wasClean, "the code comes back", ending);
            await bob.inbox.next(m => m.type === "presence" && m.people[0].status === "offline", `offline ${code}`);
        }
        bob.socket.close(1000);
    },

    async "a ticket opens one socket, and only for a known subprotocol"() {
        const ticket = await ticketOf("bob");
        const first = new Socket(`ticket=${ticket}`);
        check(await first.isOpen(), "the ticket opens a socket");
        for (const query of [`ticket=${ticket}`, "ticket=unknown", ""]) {
            const refused = new Socket(query);
            check(!await refused.isOpen() && (await refused.ending()).code === 1006, "refused", query);
        }
        const other = new Socket(`ticket=${await ticketOf("bob")}`, ["nexus.v2"]);
        check(!await other.isOpen(), "another subprotocol is refused");
        first.socket.close(1000);
        check((await first.ending()).code === 1000, "the close code is 1000");
    },

    async "a socket is closed with a code for large and for binary messages"() {
        for (const [code, data] of [[1009, "x".repeat(70_000)], [1003, new Uint8Array([1, 2, 3])]]) {
            const socket = await Socket.open("bob");
            socket.socket.send(data);
            const ending = await socket.ending();
            check(ending.code === code && ending.wasClean, `closed with ${code}`, ending);
        }
    },

    async "a socket whose connection broke gets what it missed, once"() {
        const bob = await Socket.open("bob", await cursorOf("bob"));
        await say("ada", place, "before the cut");
        await bob.frame("before the cut");
        await ask("/cut");
        const ending = await bob.ending();
        check(ending.code === 1006 && !ending.wasClean, "a broken connection", ending);
        await say("ada", place, "during the cut");
        const again = await Socket.open("bob", bob.cursor);
        const frame = await again.inbox.next(m => m.v === 1, "the missed frame");
        check(frame.prev === bob.position && texts(frame).join() === "during the cut", "only what was missed", frame);
        again.socket.close(1000);
        const lost = await Socket.open("bob", "1-1");
        check((await lost.next("resync")).type === "resync", "a cursor of another log");
    },

    async "a stream of events is opened by a ticket, once"() {
        const cursor = await cursorOf("bob");
        const bob = new Stream(`ticket=${await ticketOf("bob")}&cursor=${cursor}`);
        const first = await bob.next("stream");
        check(first.id === cursor, "the first event has the cursor as its id", first);
        const tell = message => call("bob", "POST", "/v1/feed/say", {stream: first.data.stream, ...message});
        const ada = await Socket.open("ada");
        await tell({type: "watch", userIds: ["ada"]});
        check((await bob.next("presence")).data.people[0].status === "online", "presence in a stream");
        await tell({type: "open", conversationId: place});
        ada.send({type: "typing", conversationId: place});
        check((await bob.next("typing")).data.userId === "ada", "typing in a stream");
        await say("ada", place, "in the stream");
        const event = await bob.frame("in the stream");
        check(event.id === event.data.cursor && event.id !== cursor, "the id of an event is its cursor", event);
        await tell({type: "ack", cursor: event.id});
        ada.socket.close();

        // The browser connects again by itself with the same address: the ticket is used up, so it gives up.
        await ask("/cut");
        let state = EventSource.CONNECTING;
        while (state === EventSource.CONNECTING) state = (await bob.next("error")).state;
        check(state === EventSource.CLOSED, "the stream is closed for good", state);
        await say("ada", place, "while the stream was away");
        const again = new Stream(`ticket=${await ticketOf("bob")}&cursor=${bob.cursor}`);
        const missed = await again.next("frame");
        check(texts(missed.data).join() === "while the stream was away", "only what was missed", missed);
        check(missed.data.prev === event.data.pos, "no gap", missed);
        again.source.close();
        for (const query of ["", "ticket=unknown"]) {
            check((await new Stream(query).next("error")).state === EventSource.CLOSED, "refused", query);
        }
        const lost = new Stream(`ticket=${await ticketOf("bob")}&cursor=1-1`);
        check((await lost.next("resync")).data.reason === "cursor_expired", "a cursor of another log");
        lost.source.close();
    },

    async "an image is uploaded, read in part and shown"() {
        const canvas = new OffscreenCanvas(5, 3);
        canvas.getContext("2d").fillRect(0, 0, 5, 3);
        const image = await canvas.convertToBlob();
        const upload = await fetch(
            `${setup.api}/v1/files?name=box.png`, {method: "POST", headers: bearer("ada"), body: image});
        const file = await upload.json();
        check(file.mediaType === "image/png" && file.byteCount === image.size, "the stored file", file);
        await call("ada", "POST", `/v1/conversations/${place}/messages`, {text: "", attachments: [file.id]});

        const path = `${setup.api}/v1/files/${file.id}`;
        const whole = await fetch(path, {headers: bearer("bob")});
        const [tag, name] = [whole.headers.get("ETag"), whole.headers.get("Content-Disposition")];
        check(tag === `"${file.sha256}"` && name?.includes("box.png"), "headers that a page reads", [tag, name]);
        const shown = new Image();
        shown.src = URL.createObjectURL(await whole.blob());
        await within(shown.decode(), "an image");
        check(shown.naturalWidth === 5 && shown.naturalHeight === 3, "the size of the image", shown.naturalWidth);
        const part = await fetch(path, {headers: {...bearer("bob"), "Range": "bytes=1-3"}});
        check(part.status === 206 && await part.text() === "PNG", "a part of the file", part.status);
        check(part.headers.get("Content-Range") === `bytes 1-3/${image.size}`, "its place", [...part.headers]);
        const same = await fetch(path, {headers: {...bearer("bob"), "If-None-Match": tag}, cache: "no-store"});
        check(same.status === 304, "an unchanged file", same.status);
        const stranger = await fetch(path, {headers: bearer("eve")});
        check(stranger.status === 404, "nobody else reads the file", stranger.status);
        // An image element sends no token.
        const bare = new Image();
        bare.src = path;
        await within(bare.decode().then(() => check(false, "a file without a token"), () => {}), "a refusal");
    },

    async "a page reads errors and the id of a request"() {
        const reply = await fetch(`${setup.api}/v1/sync`);
        check(reply.status === 401 && (await reply.json()).code === "token_required", "no token", reply.status);
        for (const name of ["X-Request-Id", "WWW-Authenticate"]) {
            check(reply.headers.get(name), `a page reads ${name}`, [...reply.headers]);
        }
    },

    async "the page of the guide shows what others write, and sends"() {
        const frame = document.createElement("iframe");
        frame.src = "/example";
        document.body.append(frame);
        const shows = async isWanted => {
            while (![...frame.contentDocument.querySelectorAll("li")].some(item => isWanted(item.textContent))) {
                await new Promise(done => setTimeout(done, 50));
            }
        };
        const bob = await Socket.open("bob");
        const {messageId} = await say("bob", place, "a word for the page");
        await within(shows(text => text === "bob: a word for the page"), "a message on the page");
        await ask("/cut");
        await call("bob", "PATCH", `/v1/conversations/${place}/messages/${messageId}`, {text: "another word"});
        await within(shows(text => text === "bob: another word"), "an edit on the page, after a cut");
        frame.contentDocument.querySelector("input").value = "a word of the page";
        frame.contentDocument.forms[0].requestSubmit();
        const again = await Socket.open("bob", bob.cursor);
        await again.frame("a word of the page");
        await within(shows(text => text.endsWith(": a word of the page")), "the page's own message");
        again.socket.close(1000);
        frame.remove();
    },

    async "a page of another origin opens nothing"() {
        const frame = document.createElement("iframe");
        const answer = new Promise(done => { window.onmessage = event => done(event.data); });
        const [one, two] = [await ticketOf("bob"), await ticketOf("bob")];
        frame.src = `${setup.foreign}/foreign?${new URLSearchParams({api: setup.api, one, two})}`;
        document.body.append(frame);
        const seen = await within(answer, "the other page");
        frame.remove();
        check(seen.join() === "1006,2,TypeError", "socket, stream and fetch are refused", seen);
        const mine = new Socket(`ticket=${one}`);
        check(await mine.isOpen(), "the refused page did not use up the ticket of the socket");
        mine.socket.close(1000);
    },

    async "a restart of the server is announced, and nothing is lost"() {
        const bob = await Socket.open("bob", await cursorOf("bob"));
        const stream = new Stream(`ticket=${await ticketOf("bob")}&cursor=${await cursorOf("bob")}`);
        await stream.next("stream");
        await say("ada", place, "before the restart");
        await bob.frame("before the restart");
        await stream.frame("before the restart");
        const restarted = ask("/restart");
        const ending = await bob.ending();
        check(ending.code === 1012 && ending.wasClean, "the server stops", ending);
        await restarted;
        let state = EventSource.CONNECTING;
        while (state === EventSource.CONNECTING) state = (await stream.next("error")).state;
        await say("ada", place, "after the restart");
        const again = await Socket.open("bob", bob.cursor);
        await again.frame("after the restart");
        check(!again.hasGap, "no gap");
        const events = new Stream(`ticket=${await ticketOf("bob")}&cursor=${stream.cursor}`);
        check(texts((await events.next("frame")).data).join() === "after the restart", "the stream too");
        again.socket.close(1000);
        events.source.close();
    },
};

const failures = [];
for (const [name, run] of Object.entries(scenarios)) {
    try {
        await run();
    } catch (error) {
        failures.push(`${name}: ${error.message}`);
    }
}
await fetch("/report", {method: "POST", body: JSON.stringify({count: Object.keys(scenarios).length, failures})});
