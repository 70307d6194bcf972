// What the frame of the page sees of a running pad: facts as signals, actions as methods.
//
// Invariant: the frame never touches the editor, the connection or the storage itself, and nothing
// in here knows how the page around the text looks. A method that cannot do its work now (no
// connection, read-only) does nothing; what the frame has to say then is in `state` and `notices`.

import type { EditorView } from '@codemirror/view';
import type { ReadonlySignal } from '@preact/signals';
import type { Choice, Toggle } from '../document/inline.ts';
import type { Align } from '../document/lines.ts';
import type { Block } from '../editor/blocks.ts';
import type { Shortcuts } from '../editor/keymap.ts';
import type { TypingAids } from '../editor/late.ts';
import type { LinkDraft } from '../editor/namedLinks.ts';
import type { SearchTools } from '../editor/search.ts';
import type { SectionTools } from '../editor/sectionTools.ts';
import type { PagePlugin } from './plugins/extras.ts';

// The one state shown in the header. History is the frame's own and not among them.
export type PadState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  // The change on its way has not been answered for that long.
  | { readonly kind: 'slow'; readonly seconds: number }
  // No connection for a while; that many words are only here.
  | { readonly kind: 'offline'; readonly words: number }
  // The next try is in that many seconds; 0 while it runs.
  | { readonly kind: 'reconnecting'; readonly seconds: number; readonly words: number }
  // Back for a moment; that many changes by others came in.
  | { readonly kind: 'merged'; readonly changes: number }
  // The server cannot store anything at the moment; that many words are only here.
  | { readonly kind: 'unstored'; readonly words: number }
  | { readonly kind: 'readOnly' }
  | { readonly kind: 'restarting'; readonly seconds: number }
  | { readonly kind: 'stopped'; readonly reason: StopReason };

// Why the pad has ended for this page. The text stays on screen.
export type StopReason =
  // The same author opened it elsewhere; `useHere` takes it back.
  | 'duplicate'
  | 'deleted'
  // No right to read or write it any more, or from the start.
  | 'denied'
  // The server refused a change; it is in `rejected`.
  | 'refused'
  | 'rateLimited'
  | 'corrupt'
  // The server does not talk to this page any more; reloading helps.
  | 'rejected';

// Facts from the server, there from the first join on.
export interface PadInfo {
  // The name this page asked for: a read-only visitor never learns the real one.
  readonly padId: string;
  // What the pad is called, apart from its address; empty where the server has not said.
  readonly title: string;
  readonly readOnly: boolean;
  readonly readOnlyId: string;
  readonly authorId: string;
  // Colours as `#rrggbb`, to choose from.
  readonly palette: readonly string[];
  // What the creator has set for everybody.
  readonly options: PadOptions;
  // What this server's administrator has set for all pads.
  readonly serverOptions: Readonly<Record<string, unknown>>;
  // Told once, to the creator.
  readonly deletionToken: string | null;
  readonly canDeleteWithoutToken: boolean;
  readonly canEditPadSettings: boolean;
  readonly savedRevisions: readonly SavedRevision[];
  readonly banner: PrivacyBanner | null;
  readonly shortcuts: Shortcuts;
  // Server time minus ours, in milliseconds.
  readonly clockOffset: number;
  // Those that have a part in this page.
  readonly plugins: readonly PagePlugin[];
}

export interface PadOptions {
  readonly enforceSettings: boolean;
  readonly showChat: boolean;
  readonly alwaysShowChat: boolean;
  readonly chatAndUsers: boolean;
  readonly lang: string | null;
  readonly view: PadViewOptions;
}

export interface PadViewOptions {
  readonly showAuthorColors: boolean;
  readonly showLineNumbers: boolean;
  readonly rtlIsTrue: boolean;
  readonly fadeInactiveAuthorColors: boolean;
  readonly padFontFamily: string;
}

// A change of the options; what is left out stays.
export type PadOptionsChange = Partial<Omit<PadOptions, 'view'>> & {
  readonly view?: Partial<PadViewOptions>;
};

export interface SavedRevision {
  readonly revision: number;
  readonly authorId: string;
  readonly label: string;
  readonly time: number;
}

export interface PrivacyBanner {
  readonly title: string;
  readonly body: string;
  readonly learnMoreUrl: string | null;
  readonly dismissal: string;
}

// Somebody who is here now.
export interface Person {
  readonly id: string;
  readonly name: string | null;
  // `#rrggbb`
  readonly colour: string;
  readonly self: boolean;
  // Has changed something within the last two seconds.
  readonly typing: boolean;
  // Where they are, from 1; null if not known.
  readonly line: number | null;
}

// A character of the text, and who wrote it.
export interface Written {
  // Null for nobody's.
  readonly id: string | null;
  readonly name: string | null;
  // `#rrggbb`
  readonly colour: string;
  readonly self: boolean;
  // Where it stands in the window; null if out of sight.
  readonly box: { readonly left: number; readonly top: number; readonly bottom: number } | null;
  // Null if it cannot be known now.
  time(): Promise<WrittenTime | null>;
}

// By the server's clock, in milliseconds.
export interface WrittenTime {
  readonly time: number;
  // It was written before that time: further back nobody looks.
  readonly earlier: boolean;
}

export interface ChatEntry {
  // Counts up in order of arrival; for use as a key.
  readonly key: number;
  readonly text: string;
  readonly time: number;
  readonly authorId: string | null;
  readonly name: string | null;
  readonly colour: string;
  readonly self: boolean;
  // Said while this page was open, not read from the past.
  readonly live: boolean;
}

export interface Chat {
  readonly entries: readonly ChatEntry[];
  readonly hasOlder: boolean;
}

export type ListKind = 'bullet' | 'number' | 'indent';

// How the text at the caret, or all of the selection, is formatted.
export interface Formats {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strikethrough: boolean;
  readonly code: boolean;
  readonly sub: boolean;
  readonly sup: boolean;
  // By name.
  readonly highlight: string | null;
  readonly color: string | null;
  readonly 'font-family': string | null;
  // In pixels of a page whose text has 16.
  readonly 'font-size': string | null;
  readonly list: { readonly kind: ListKind; readonly level: number } | null;
  // 0 is plain text.
  readonly heading: number;
  readonly quote: boolean;
  readonly codeBlock: boolean;
  readonly link: boolean;
  readonly task: boolean;
  readonly align: Align;
}

export type { Toggle as InlineFormat } from '../document/inline.ts';

// Something that happened and should be said once. Read in order, and taken away by `dismiss`.
export type Notice = { readonly id: number } & (
  | { readonly kind: 'announcement'; readonly text: string; readonly sticky: boolean }
  // By the name of its text, as the server's own announcements are.
  | {
      readonly kind: 'keyed';
      readonly key: string;
      readonly values: Readonly<Record<string, string | number>>;
      readonly sticky: boolean;
    }
  | { readonly kind: 'nameSuggested'; readonly name: string }
  // `sendClientsMessage` of the API: a signal for the embedding page.
  | { readonly kind: 'signal'; readonly name: string; readonly time: number }
  | { readonly kind: 'revisionSaved'; readonly revision: SavedRevision }
  | { readonly kind: 'optionsChanged'; readonly by: string | null }
  // The browser keeps nothing for us: unsent changes live in this tab only.
  | { readonly kind: 'storageRefused' }
  // The server can store again, after it could not.
  | { readonly kind: 'storageWorks' }
  // What became of the template that this visit named.
  | { readonly kind: 'template'; readonly outcome: string }
  // Undo is reset, because the text was replaced as a whole.
  | { readonly kind: 'undoCleared' }
  // An error in the page; the text was rebuilt and nothing typed is lost.
  | { readonly kind: 'rebuilt' }
  | { readonly kind: 'joined' | 'left'; readonly personId: string; readonly name: string | null }
);

// Unsent changes from an earlier visit, or the other side of a merge that went badly.
export interface Draft {
  readonly time: number;
  readonly words: number;
  // The whole text as it was here, line markers left out.
  readonly text: string;
  // Whether merging can be offered; otherwise only the text can be shown and copied.
  readonly mergeable: boolean;
  merge(): void;
  discard(): void;
}

// A change that the server refused. What was typed after it is part of it.
export interface Rejected {
  readonly words: number;
  // What was inserted, and the whole text as it was on screen.
  readonly inserted: string;
  readonly text: string;
  // Tries again on top of the newest text, as plain text without formatting.
  retry(): void;
  discard(): void;
}

export interface OutlineEntry {
  // 1 to 6.
  readonly level: number;
  readonly text: string;
  // Its name in addresses, which no other heading of the pad has.
  readonly slug: string;
}

// The headings of the pad, brought up to date when typing pauses.
export interface Outline {
  readonly entries: ReadonlySignal<readonly OutlineEntry[]>;
  // The entry that the caret is under; -1 before the first.
  readonly current: ReadonlySignal<number>;
  // Says whether there is such a heading.
  jump(slug: string): boolean;
  // Puts a section with its subsections before another heading, or last for null. Says whether it
  // did.
  move(slug: string, before: string | null): boolean;
  close(): void;
}

export interface Look {
  readonly lineNumbers: boolean;
  readonly authorship: 'background' | 'stripe' | 'off';
  // Authors that are not here are paler.
  readonly fade: boolean;
  // A CSS font-family, '' for the page's own.
  readonly font: string;
  // Pixels.
  readonly size: number;
  // Characters in a line before it wraps; 0 for the width of the window.
  readonly width: number;
  // 'auto' decides for each line by its first letter.
  readonly direction: 'auto' | 'ltr' | 'rtl';
  // All of a short text is in the page, for screen readers.
  readonly whole: boolean;
  // Colours of authors are made pale or dark enough for text; otherwise they are as chosen.
  readonly readable: boolean;
}

export interface PadBoot {
  readonly padId: string;
  // Path to the root of the service relative to the page, e.g. `../`.
  readonly base: string;
  // For the style element of the editor.
  readonly nonce: string;
  readonly look: Look;
  // Forced by the address of the page.
  readonly userName?: string;
  readonly userColour?: string;
  // For somebody who has none of their own.
  readonly usualName?: string;
  readonly usualColour?: string;
  // Whether the visitor wants a copy of this pad kept for when there is no network.
  keepsCopy(): boolean;
  // Whether the browser may note what it has shown of this pad.
  readonly notesVisits: boolean;
  readonly aids: TypingAids;
  // Asks for the link at the caret, or for a new one.
  editLink(): void;
  // Whether the text takes the focus as soon as it is there.
  readonly autofocus: boolean;
  // What a pad starts with that this visit creates: the name of a template, or of another pad.
  readonly template?: string;
  // What such a pad is called.
  readonly title?: string;
  // Options for a pad that this visit creates.
  readonly optionsIfNew?: PadOptionsChange;
  // Texts that the editor itself shows or says.
  readonly words: EditorWords;
}

export interface Length {
  readonly words: number;
  // As people count them, spaces included.
  readonly characters: number;
}

export interface TextLength {
  readonly whole: Length;
  readonly selected: Length | null;
}

export interface EditorWords {
  // Accessible name of the text, e.g. "Text of notes".
  readonly label: string;
  readonly placeholder: string;
  // Name of an author who gave none.
  unnamed(author: string): string;
  // Name of the box of a task.
  readonly task: string;
  readonly openLink: string;
  readonly editLink: string;
  readonly removeLink: string;
  readonly copy: string;
  readonly copied: string;
  sections(): Promise<SectionTools>;
  search(): Promise<SearchTools>;
}

export interface LivePad {
  readonly state: ReadonlySignal<PadState>;
  // Whether everything typed here is stored: at once, where `state` waits until it is worth a word.
  readonly settled: ReadonlySignal<boolean>;
  // Whether the server has said that it cannot store anything at the moment.
  readonly storageFails: ReadonlySignal<boolean>;
  // Null before the first join.
  readonly info: ReadonlySignal<PadInfo | null>;
  readonly people: ReadonlySignal<readonly Person[]>;
  // Whose caret the view goes along with; null for nobody's.
  readonly following: ReadonlySignal<string | null>;
  // This visitor; null before the first join.
  readonly self: ReadonlySignal<Person | null>;
  readonly chat: ReadonlySignal<Chat>;
  readonly formats: ReadonlySignal<Formats>;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;
  // How long the text is, a moment ago.
  readonly length: ReadonlySignal<TextLength>;
  // The newest revision this page knows.
  readonly revision: ReadonlySignal<number>;
  readonly notices: ReadonlySignal<readonly Notice[]>;
  readonly draft: ReadonlySignal<Draft | null>;
  readonly rejected: ReadonlySignal<Rejected | null>;

  // Somebody who is here or has written here.
  author(id: string): { readonly name: string | null; readonly colour: string };
  // What is at a point of the window, or at the caret; null where there is no text.
  written(point: { x: number; y: number } | null): Promise<Written | null>;
  toggle(format: Toggle): void;
  // The same again takes it away.
  choose(choice: Choice, value: string): void;
  toggleList(kind: 'bullet' | 'number'): void;
  toggleTasks(): void;
  indent(): void;
  outdent(): void;
  heading(level: number): void;
  block(block: Block): void;
  align(align: Align): void;
  clearFormatting(): void;
  editLink(): void;
  // The link that the caret is in, or a new one of what is selected.
  linkDraft(): Promise<LinkDraft | null>;
  setLink(text: string | null, url: string): void;
  removeLink(): void;
  // Of the selection, or of the whole pad.
  clearAuthorship(everywhere: boolean): void;
  hasSelection(): boolean;
  undo(): void;
  redo(): void;
  find(): void;
  insertText(text: string): void;
  focus(): void;
  // For parts of the editor that come late; not called before the text is there.
  withView(action: (view: EditorView) => unknown): void;
  // Null before the text is there.
  outline(): Promise<Outline | null>;
  // From 1.
  scrollToLine(line: number): void;
  scrollToAuthor(id: string): void;
  // Until the visitor does something to the text; null ends it.
  follow(id: string | null): void;

  // Whether it was stored, and everybody has it.
  sendChat(text: string): Promise<boolean>;
  loadOlderChat(): void;
  setName(name: string): void;
  // `#rrggbb`
  setColour(colour: string): void;
  suggestName(personId: string, name: string): void;
  saveRevision(): void;
  // Whether it was stored. An empty one takes the title away.
  setTitle(title: string): Promise<boolean>;
  setPadOptions(change: PadOptionsChange): void;
  deletePad(token?: string): void;
  reconnectNow(): void;
  // Takes the pad back from the other window of the same author.
  useHere(): void;
  dismiss(noticeId: number): void;
  // The whole text on screen, line markers left out.
  text(): string;
  // The selection, or everything.
  copyMarkdown(): void;
  setLook(look: Look): void;
  // Makes the copy for when there is no network now, not with the next change.
  keepCopy(): void;
  // Ends everything; unsent changes stay in the journal.
  close(): void;
}

export type OpenPad = (place: HTMLElement, boot: PadBoot) => LivePad;

export { openPad } from './live/open.ts';
