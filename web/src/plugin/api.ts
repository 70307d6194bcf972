// The interface between the pad page and the part of a plugin that runs in it, as types. The file
// imports nothing, so that authors of plugins can take it as it is.
//
// Invariant: only added to within version 1. Everything that a plugin adds goes with it when it is
// switched off, and all that it calls back is guarded: its errors reach the administrators and stop
// nobody from typing.

// What `client.js` exports as default, by `definePlugin`. It runs when the pad is there, and again
// after the visitor has chosen another language.
export type Setup = (page: PluginPage) => void | Promise<void>;

export interface PluginPage {
  readonly plugin: { readonly name: string; readonly version: string };
  // The language of the page, such as `de`.
  readonly language: string;
  // What the hook `clientVars` has answered, `null` if there was no answer.
  readonly vars: unknown;
  readonly pad: PluginPad;
  // A text of the plugin's locale files in the language of the page, with its places filled:
  // `{name}`, `{count, plural, one {# word} other {# words}}`.
  text(key: string, values?: Readonly<Record<string, string | number>>): string;
  // The address of a file below `assets/` of the plugin.
  asset(path: string): string;
  // Calls the hook `message` of its server half, and gives the answer.
  send(data: unknown): Promise<unknown>;
  // Something that a visitor can do. It is in the command palette.
  addCommand(command: PluginCommand): Added;
  // A tab of the panel beside the text.
  addPanel(panel: PluginPart): AddedPanel;
  // A place in the line below the text, which narrow windows do not have.
  addStatus(part: PluginPart): Added;
  // A part of the settings dialog.
  addSettings(part: PluginPart): Added;
  // Says something for a moment, to eyes and to screen readers.
  notify(text: string, tone?: 'calm' | 'warn' | 'good'): void;
  // Called when the plugin is switched off or starts again: for what it did outside of the page's
  // own parts, such as timers.
  onStop(action: () => void): void;
}

export interface PluginPad {
  readonly id: string;
  readonly readOnly: boolean;
  // The visitor.
  readonly authorId: string;
  // The whole text.
  text(): string;
  words(): number;
  revision(): number;
  // Those who are here now.
  people(): readonly PluginPerson[];
  // Somebody who has written here, now or before.
  author(id: string): Pick<PluginPerson, 'name' | 'shownName' | 'colour'>;
  // Calls back when the text has changed and nobody has typed for a moment.
  onChange(listener: () => void): () => void;
  // In place of the selection.
  insertText(text: string): void;
  // Gives the selection an attribute that plugin.json declares, or takes it away (`null`): one of
  // characters the selected text, one of lines its lines. It has the classes `plugin-KEY` and
  // `plugin-KEY-VALUE`, for client.css.
  setAttribute(key: string, value: string | null): void;
  // The value at the caret.
  attribute(key: string): string | null;
  focus(): void;
}

export interface PluginPerson {
  readonly id: string;
  readonly name: string | null;
  // The name, or what the page calls somebody who has none.
  readonly shownName: string;
  // `#rrggbb`
  readonly colour: string;
  readonly self: boolean;
}

export interface PluginCommand {
  // Its own within the plugin: letters, digits and hyphens.
  readonly id: string;
  readonly label: string;
  // One or two characters in place of an icon.
  readonly sign?: string;
  // Such as `Ctrl+Alt+G`; `Ctrl` is Command on a Mac. Keys of the page and of the text go first.
  readonly keys?: string;
  readonly inToolbar?: boolean;
  readonly inMenu?: boolean;
  // Also for those who may only read.
  readonly forReaders?: boolean;
  // Whether what it switches is on.
  isOn?(): boolean;
  run(): void;
}

export interface PluginPart {
  readonly id: string;
  // What it is called; a status needs none.
  readonly label?: string;
  // Fills an element. A function that it returns is called when the element goes.
  render(place: HTMLElement): unknown;
}

export interface Added {
  remove(): void;
}

export interface AddedPanel extends Added {
  open(): void;
  close(): void;
}
