// What server and page say to each other, with one decoder for what comes in.
//
// Invariant: nothing behind this file looks at raw JSON. A message that is not understood is
// dropped; a member that is missing or of another type has a harmless value.

import type { AText, PoolJson } from '../changeset/index.ts';
import type { Batch, BatchedChange } from '../collab/batches.ts';
import type { Entry } from '../collab/replica.ts';

export interface JoinVars {
  readonly rev: number;
  readonly atext: AText;
  readonly pool: PoolJson;
  readonly authors: ReadonlyMap<string, AuthorInfo>;
  readonly authorId: string;
  readonly userName: string | null;
  readonly userColour: string | number;
  readonly palette: readonly string[];
  readonly chatHead: number;
  readonly extensions: readonly string[];
  // Everything else, for those who know what they look for.
  readonly vars: Json;
}

export interface AuthorInfo {
  readonly name: string | null;
  readonly colour: string | number;
}

export interface ChatMessage {
  readonly text: string;
  readonly time: number;
  readonly authorId: string | null;
  readonly name: string | null;
}

// Steps through the past: the one numbered i leads over revisions `start + i·granularity` and so
// on, `granularity` of them.
export interface PastStretch {
  readonly start: number;
  readonly granularity: number;
  readonly forwards: readonly string[];
  readonly backwards: readonly string[];
  // Milliseconds.
  readonly deltas: readonly number[];
  readonly pool: PoolJson;
}

// The content that a revision left.
export interface PastDocument {
  readonly rev: number;
  readonly atext: AText;
  readonly pool: PoolJson;
  readonly author: string | null;
  readonly time: number;
}

export type Incoming =
  | { readonly kind: 'joined'; readonly vars: JoinVars }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | Batch
  // A revision that was missed; the last one is `headRev`.
  | { readonly kind: 'missed'; readonly entry: Entry; readonly headRev: number }
  | { readonly kind: 'missedNothing'; readonly record: string }
  | { readonly kind: 'past'; readonly past: PastStretch }
  | { readonly kind: 'document'; readonly document: PastDocument }
  | { readonly kind: 'origin' | 'periods'; readonly data: Json }
  | { readonly kind: 'person'; readonly id: string; readonly info: AuthorInfo }
  | { readonly kind: 'left'; readonly id: string }
  | { readonly kind: 'chat'; readonly message: ChatMessage }
  | { readonly kind: 'pastChat'; readonly messages: readonly ChatMessage[] }
  | { readonly kind: 'saved'; readonly saved: Json }
  // Saved revisions as they are called now.
  | { readonly kind: 'savedRevisions'; readonly saved: readonly Json[] }
  | { readonly kind: 'title'; readonly title: string }
  // Those with a part in the page, after a change.
  | { readonly kind: 'plugins'; readonly plugins: readonly unknown[] }
  | { readonly kind: 'nameSuggested'; readonly id: string; readonly name: string }
  | { readonly kind: 'options'; readonly options: Json; readonly by: string | null }
  // A window of somebody is gone who has others here.
  | { readonly kind: 'cursorGone'; readonly author: string; readonly window: number }
  | {
      readonly kind: 'cursor';
      readonly author: string;
      readonly window: number;
      readonly rev: number;
      readonly position: number;
      readonly anchor: number;
    }
  | { readonly kind: 'shout'; readonly message: Json }
  | { readonly kind: 'signal'; readonly name: string; readonly time: number }
  | { readonly kind: 'denied' }
  | { readonly kind: 'dismissed'; readonly reason: string };

export type Json = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(value: unknown): string | null {
  return textOf(value) || null;
}

export function decode(event: string, argument: unknown): Incoming | null {
  const message = objectOf(argument);
  const data = objectOf(message.data);
  if (event === 'shout') {
    return { kind: 'shout', message: objectOf(objectOf(data.payload).message) };
  }
  if (event !== 'message') return null;
  if (typeof message.disconnect === 'string') {
    return { kind: 'dismissed', reason: message.disconnect };
  }
  if (message.accessStatus !== undefined) return { kind: 'denied' };
  if (message.type === 'CLIENT_VARS') return { kind: 'joined', vars: joinVarsOf(data) };
  if (message.type === 'CHANGESET_REQ') return { kind: 'past', past: pastOf(data) };
  if (message.type === 'REVISION_REQ') {
    return { kind: 'document', document: pastDocumentOf(data) };
  }
  if (message.type === 'ORIGIN_REQ') return { kind: 'origin', data };
  if (message.type === 'PERIODS_REQ') return { kind: 'periods', data };
  return message.type === 'COLLABROOM' ? roomMessageOf(data) : null;
}

function roomMessageOf(data: Json): Incoming | null {
  const type = textOf(data.type);
  const info = objectOf(data.userInfo);
  switch (type) {
    case '':
      return null;
    case 'ACCEPT_COMMIT':
      return { kind: 'entry', entry: { kind: 'accepted', rev: numberOf(data.newRev) } };
    case 'NEW_CHANGES':
      return { kind: 'entry', entry: changedOf(data) };
    case 'CHANGES_BATCH':
      return batchOf(data);
    case 'CLIENT_RECONNECT':
      if (data.noChanges === true) {
        return { kind: 'missedNothing', record: textOf(data.windowRecord) };
      }
      return { kind: 'missed', entry: changedOf(data), headRev: numberOf(data.headRev) };
    case 'USER_NEWINFO':
      return { kind: 'person', id: textOf(info.userId), info: authorOf(info) };
    case 'USER_LEAVE':
      return { kind: 'left', id: textOf(info.userId) };
    case 'CHAT_MESSAGE':
      return { kind: 'chat', message: chatOf(data.message) };
    case 'CHAT_MESSAGES':
      return { kind: 'pastChat', messages: listOf(data.messages).map(chatOf) };
    case 'NEW_SAVEDREV':
      return { kind: 'saved', saved: objectOf(data.savedRev) };
    case 'SAVED_REVISIONS':
      return { kind: 'savedRevisions', saved: listOf(data.savedRevisions).map(objectOf) };
    case 'TITLE':
      return { kind: 'title', title: textOf(data.title) };
    case 'PLUGINS':
      return { kind: 'plugins', plugins: listOf(data.pagePlugins) };
    // A message or a name that a plugin does not want here.
    case 'REFUSED':
      return { kind: 'shout', message: { message: data.reason, messageKey: data.messageKey } };
    case 'CLIENT_MESSAGE':
      return relayedOf(objectOf(data.payload));
    case 'CURSOR':
      return {
        kind: 'cursor',
        author: textOf(data.author),
        window: numberOf(data.window),
        rev: numberOf(data.rev),
        position: numberOf(data.position),
        anchor: numberOf(data.anchor, numberOf(data.position)),
      };
    case 'CURSOR_GONE':
      return { kind: 'cursorGone', author: textOf(data.author), window: numberOf(data.window) };
    default:
      return { kind: 'signal', name: type, time: numberOf(data.time) };
  }
}

function pastOf(data: Json): PastStretch {
  return {
    start: numberOf(data.start),
    granularity: numberOf(data.granularity),
    forwards: listOf(data.forwardsChangesets).map(textOf),
    backwards: listOf(data.backwardsChangesets).map(textOf),
    deltas: listOf(data.timeDeltas).map((delta) => numberOf(delta)),
    pool: poolOf(data.apool),
  };
}

function pastDocumentOf(data: Json): PastDocument {
  return {
    rev: numberOf(data.rev),
    atext: atextOf(data.atext),
    pool: poolOf(data.apool),
    author: nameOf(data.author),
    time: numberOf(data.time),
  };
}

function changedOf(data: Json): Entry {
  return {
    kind: 'changed',
    rev: numberOf(data.newRev),
    changeset: textOf(data.changeset),
    pool: poolOf(data.apool),
    author: textOf(data.author),
    window: numberOf(data.window),
    record: textOf(data.windowRecord),
    own: data.own === true,
  };
}

function batchOf(data: Json): Batch {
  return {
    kind: 'batch',
    baseRev: numberOf(data.baseRev),
    baseLength: numberOf(data.baseLength),
    attributes: objectOf(data.attributes) as PoolJson['numToAttrib'],
    changes: listOf(data.changes).map(batchedOf),
    commitInterval: numberOf(data.commitInterval),
  };
}

function batchedOf(value: unknown): BatchedChange {
  const [change, author, , window] = listOf(value);
  return {
    change: textOf(change),
    author: typeof author === 'number' ? author : textOf(author),
    ...(typeof window === 'number' ? { window } : {}),
  };
}

function atextOf(value: unknown): AText {
  const { text, attribs } = objectOf(value);
  return { text: textOf(text), attribs: textOf(attribs) };
}

function poolOf(value: unknown): PoolJson {
  const pool = objectOf(value);
  return { ...pool, numToAttrib: objectOf(pool.numToAttrib) as PoolJson['numToAttrib'] };
}

function relayedOf(payload: Json): Incoming | null {
  if (payload.type === 'suggestUserName') {
    return { kind: 'nameSuggested', id: textOf(payload.unnamedId), name: textOf(payload.newName) };
  }
  if (payload.type !== 'padoptions') return null;
  return { kind: 'options', options: objectOf(payload.options), by: nameOf(payload.changedBy) };
}

function chatOf(value: unknown): ChatMessage {
  const { text, time, userId, userName } = objectOf(value);
  return {
    text: textOf(text),
    time: numberOf(time),
    authorId: nameOf(userId),
    name: nameOf(userName),
  };
}

function authorOf(value: unknown): AuthorInfo {
  const { name, colorId } = objectOf(value);
  return { name: nameOf(name), colour: colourOf(colorId) };
}

function colourOf(value: unknown): string | number {
  return typeof value === 'number' ? value : textOf(value);
}

function joinVarsOf(vars: Json): JoinVars {
  const collab = objectOf(vars.collab_client_vars);
  const authors = Object.entries(objectOf(collab.historicalAuthorData));
  return {
    rev: numberOf(collab.rev),
    atext: atextOf(collab.initialAttributedText),
    pool: poolOf(collab.apool),
    authors: new Map(authors.map(([id, author]) => [id, authorOf(author)])),
    authorId: textOf(vars.userId),
    userName: nameOf(vars.userName),
    userColour: colourOf(vars.userColor),
    palette: listOf(vars.colorPalette).map(textOf),
    chatHead: numberOf(vars.chatHead, -1),
    extensions: listOf(vars.extensions).map(textOf),
    vars,
  };
}
