// The editor of a pad, put together.
//
// Invariant: every change of the text goes to `record` before it is shown, so that nothing typed
// is lost if showing it fails.

import {
  Compartment,
  EditorSelection,
  EditorState,
  type Extension,
  type Transaction,
} from '@codemirror/state';
import { EditorView, placeholder } from '@codemirror/view';
import type { PadDocument } from '../document/document.ts';
import { afterPaint, later } from '../load/later.ts';
import type { Authors } from './authors.ts';
import { clipboard } from './clipboard.ts';
import { remoteCursors } from './cursors.ts';
import { drawing } from './decorations.ts';
import { directionByLine } from './direction.ts';
import { type KeyActions, keys, type Shortcuts } from './keymap.ts';
import type { TypingAids } from './late.ts';
import { redrawGaps } from './lineGaps.ts';
import { numberedLines } from './lineNumbers.ts';
import { markerRules } from './markers.ts';
import { showWhole, wholeText } from './screenReader.ts';
import type { SectionTools } from './sectionTools.ts';
import { padRuns, typingFormats, writer } from './state.ts';

const late = later(() => import('./late.ts'));

// Who has typed more than that before the late part is here does not wait for it.
const MOST_EARLY = 1_000;

export interface EditorLook {
  readonly lineNumbers: boolean;
  readonly authorship: 'background' | 'stripe' | 'off';
  readonly font: string;
  readonly size: number;
  readonly width: number;
  readonly direction: 'auto' | 'ltr' | 'rtl';
  // For screen readers, as long as the text is short.
  readonly whole: boolean;
  readonly readable: boolean;
}

export interface EditorConfig {
  readonly place: HTMLElement;
  readonly nonce: string;
  readonly author: string;
  readonly authors: Authors;
  readonly readOnly: boolean;
  readonly look: EditorLook;
  readonly words: {
    readonly label: string;
    readonly placeholder: string;
    unnamed(author: string): string;
    readonly task: string;
    readonly openLink: string;
    readonly editLink: string;
    readonly removeLink: string;
    readonly copy: string;
    readonly copied: string;
    sections(): Promise<SectionTools>;
  };
  readonly shortcuts: Shortcuts;
  readonly indents: boolean;
  readonly actions: KeyActions;
  readonly aids?: TypingAids;
  // Takes note of transactions before they are shown.
  record(transactions: readonly Transaction[]): void;
  shown(transactions: readonly Transaction[]): void;
  // Showing failed; the editor has to be refilled.
  failed(error: unknown): void;
}

export class PadEditor {
  readonly view: EditorView;
  readonly #config: EditorConfig;
  readonly #look = new Compartment();
  readonly #right = new Compartment();
  readonly #late = new Compartment();
  // What is done before the late part is here.
  readonly #early: Transaction[] = [];
  #lookNow: EditorLook;

  constructor(config: EditorConfig, document: PadDocument) {
    this.#config = config;
    this.#lookNow = config.look;
    config.place.classList.add('pad-text');
    this.view = new EditorView({
      state: this.#stateOf(document, EditorSelection.single(0), config.readOnly),
      parent: config.place,
      dispatchTransactions: (transactions, view) => {
        try {
          config.record(transactions);
          view.update(transactions);
        } catch (error) {
          config.failed(error);
          return;
        }
        config.shown(transactions);
      },
    });
    redrawGaps(this.view);
    this.#applyLook(config.look);
    if (!late.now) void this.#addLate();
  }

  get isComposing(): boolean {
    return this.view.compositionStarted;
  }

  // Refills the editor, with the caret where it was as far as that is.
  reset(document: PadDocument): void {
    const end = document.length - 1;
    const { anchor, head } = this.view.state.selection.main;
    const selection = EditorSelection.single(Math.min(anchor, end), Math.min(head, end));
    this.#early.length = 0;
    this.view.setState(this.#stateOf(document, selection, this.view.state.readOnly));
    redrawGaps(this.view);
  }

  setReadOnly(readOnly: boolean): void {
    this.view.dispatch({ effects: this.#right.reconfigure(rightOf(readOnly)) });
  }

  setLook(look: EditorLook): void {
    this.#lookNow = look;
    this.view.dispatch({ effects: this.#look.reconfigure(lookOf(look)) });
    this.#applyLook(look);
  }

  destroy(): void {
    this.view.destroy();
  }

  #applyLook({ authorship, readable, font, size, width }: EditorLook): void {
    const { place } = this.#config;
    place.dataset.authorship = authorship;
    place.dataset.colours = readable ? 'readable' : 'exact';
    place.style.setProperty('--pad-font', font || 'inherit');
    place.style.setProperty('--pad-size', `${size}px`);
    place.style.setProperty('--pad-width', width > 0 ? `${width}ch` : 'none');
  }

  async #addLate(): Promise<void> {
    await afterPaint();
    const part = await late.load().catch(() => null);
    if (!part) return;
    this.view.dispatch({ effects: this.#late.reconfigure(this.#lateNow()) });
    const early = this.#early.splice(0);
    if (early.length < MOST_EARLY) part.catchUpOn(this.view, this.#config, early);
  }

  #lateNow(): Extension {
    return (
      late.now?.lateExtension(this.#config) ??
      EditorView.updateListener.of(({ docChanged, transactions }) => {
        if (docChanged && this.#early.length < MOST_EARLY) this.#early.push(...transactions);
      })
    );
  }

  #stateOf(document: PadDocument, selection: EditorSelection, readOnly: boolean): EditorState {
    const { nonce, author, authors, words, shortcuts, indents, actions } = this.#config;
    return EditorState.create({
      // The final newline is never in the editor, so nobody can delete it.
      doc: document.text.slice(0, document.length - 1),
      selection,
      extensions: [
        EditorState.lineSeparator.of('\n'),
        EditorView.cspNonce.of(nonce),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({
          'aria-label': words.label,
          tabindex: '0',
          spellcheck: 'true',
          autocorrect: 'on',
          autocapitalize: 'sentences',
          enterkeyhint: 'enter',
        }),
        writer.of({ sets: document.sets, author }),
        padRuns.init(() => document.runs),
        typingFormats,
        markerRules,
        keys(shortcuts, indents, actions),
        clipboard,
        caretWithFocus,
        drawing(authors, words),
        this.#late.of(this.#lateNow()),
        showWhole,
        remoteCursors,
        placeholder(words.placeholder),
        this.#look.of(lookOf(this.#lookNow)),
        this.#right.of(rightOf(readOnly)),
      ],
    });
  }
}

// A dialog that closes gives the focus back and leaves the selection where it was: without a caret in
// the text the next key would do nothing. CodeMirror would put it there some milliseconds later.
const caretWithFocus = EditorView.domEventHandlers({
  focus: (_, view) => {
    if (!view.contentDOM.contains(getSelection()?.focusNode ?? null)) view.focus();
  },
});

function rightOf(readOnly: boolean): Extension {
  return [EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)];
}

function lookOf(look: EditorLook): Extension {
  const forced = look.direction !== 'auto';
  return [
    look.lineNumbers ? numberedLines : [],
    directionByLine.of(!forced),
    forced ? EditorView.contentAttributes.of({ dir: look.direction }) : [],
    wholeText.of(look.whole),
  ];
}
