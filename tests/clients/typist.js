// Somebody who types, over socket.io-client as it is: joins a pad, puts text anywhere, and keeps up
// with what others write. Only as much of the algebra as inserting needs.

import { io } from 'socket.io-client';

// The steps of a change: how much is kept, deleted or inserted, in order.
function* steps(changeset) {
  const [head, bank] = split(changeset);
  let used = 0;
  for (const [, kind, length] of head.matchAll(/(?:\*[0-9a-z]+)*(?:\|[0-9a-z]+)?([-+=])([0-9a-z]+)/g)) {
    const units = parseInt(length, 36);
    yield { kind, units, text: kind === '+' ? bank.slice(used, used + units) : '' };
    if (kind === '+') used += units;
  }
}

function split(changeset) {
  const at = changeset.indexOf('$');
  const ops = changeset.slice(0, at).replace(/^Z:[0-9a-z]+[<>][0-9a-z]+/, '');
  return [ops, changeset.slice(at + 1)];
}

function apply(changeset, text) {
  let at = 0;
  let result = '';
  for (const { kind, units, text: inserted } of steps(changeset)) {
    if (kind === '=') result += text.slice(at, at + units);
    result += inserted;
    if (kind !== '+') at += units;
  }
  return result + text.slice(at);
}

// Where a place is after a change; what was inserted right there comes before it.
function moved(place, changeset) {
  let at = 0;
  let result = place;
  for (const { kind, units } of steps(changeset)) {
    if (at > place) break;
    if (kind === '+') result += units;
    if (kind === '-') result -= Math.min(units, place - at);
    if (kind !== '+') at += units;
  }
  return result;
}

const base36 = (number) => number.toString(36);

// The same step for all of a text: its whole lines first, then what is left.
function op(kind, text) {
  const end = text.lastIndexOf('\n') + 1;
  const lines = text.split('\n').length - 1;
  const attributes = kind.slice(0, -1);
  const sign = kind.slice(-1);
  return (
    (lines ? `${attributes}|${base36(lines)}${sign}${base36(end)}` : '') +
    (end < text.length ? `${kind}${base36(text.length - end)}` : '')
  );
}

export class Typist {
  #waiting = [];
  #problem = null;
  submitted = null;

  static async join(url, padId, token, transports) {
    const typist = new Typist();
    const socket = io(url, { forceNew: true, query: { padId }, ...(transports && { transports }) });
    typist.socket = socket;
    socket.on('connect', () => {
      socket.emit('message', { component: 'pad', type: 'CLIENT_READY', padId, token });
    });
    socket.on('message', (message) => typist.#hear(message));
    socket.on('connect_error', (error) => typist.#fail(error));
    await typist.until(() => typist.author);
    return typist;
  }

  get transport() {
    return this.socket.io.engine.transport.name;
  }

  // Puts text somewhere, and waits until the server has accepted it.
  async type(at, inserted) {
    const ops = op('=', this.text.slice(0, at)) + op('*0+', inserted);
    this.submitted = { at, inserted };
    this.socket.emit('message', {
      component: 'pad',
      type: 'COLLABROOM',
      data: {
        type: 'USER_CHANGES',
        baseRev: this.rev,
        changeset: `Z:${base36(this.text.length)}>${base36(inserted.length)}${ops}$${inserted}`,
        apool: { numToAttrib: { 0: ['author', this.author] }, nextNum: 1 },
      },
    });
    await this.until(() => this.submitted === null);
  }

  // Resolves when the condition holds, looked at after every message.
  until(condition) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ condition, resolve, reject });
      this.#look();
    });
  }

  close() {
    this.socket.close();
  }

  #hear(message) {
    const { type, data } = message;
    if (message.disconnect || message.accessStatus) this.#fail(new Error(JSON.stringify(message)));
    if (type === 'CLIENT_VARS') {
      this.author = data.userId;
      this.rev = data.collab_client_vars.rev;
      this.text = data.collab_client_vars.initialAttributedText.text;
    } else if (data?.type === 'NEW_CHANGES') {
      this.#step(data.newRev);
      this.text = apply(data.changeset, this.text);
      if (this.submitted) this.submitted.at = moved(this.submitted.at, data.changeset);
    } else if (data?.type === 'ACCEPT_COMMIT') {
      this.#step(data.newRev);
      const { at, inserted } = this.submitted;
      this.text = this.text.slice(0, at) + inserted + this.text.slice(at);
      this.submitted = null;
    }
    this.#look();
  }

  #step(rev) {
    if (rev !== this.rev + 1) this.#fail(new Error(`revision ${rev} after ${this.rev}`));
    this.rev = rev;
  }

  #fail(error) {
    this.#problem ??= error;
    this.#look();
  }

  #look() {
    this.#waiting = this.#waiting.filter(({ condition, resolve, reject }) => {
      if (this.#problem) reject(this.#problem);
      else if (condition()) resolve();
      else return true;
      return false;
    });
  }
}
