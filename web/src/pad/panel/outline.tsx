// The outline: the headings of the pad as a tree. A click goes there; a section is moved by dragging
// it, by its buttons, or by Alt and the arrows.
//
// Invariant: only what the pad says is shown. A move is one change of the text, and the list follows
// from it.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../../a11y/announcer.ts';
import { nextSection, stepTarget } from '../../document/headings.ts';
import { t } from '../../i18n/text.ts';
import { addStyles } from '../../load/styles.ts';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { isWide } from '../breakpoints.ts';
import { useFrame } from '../frame.ts';
import { headingAddress } from '../headingAddress.ts';
import type { Outline, OutlineEntry } from '../live.ts';
import styles from './outline.css?inline';

addStyles(styles);

interface Node {
  readonly index: number;
  readonly children: Node[];
}

// Deeper headings are below the nearest one that is less deep.
function treeOf(entries: readonly OutlineEntry[]): Node[] {
  const root: Node[] = [];
  const open: { level: number; children: Node[] }[] = [{ level: 0, children: root }];
  entries.forEach(({ level }, index) => {
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    const node: Node = { index, children: [] };
    open.at(-1)?.children.push(node);
    open.push({ level, children: node.children });
  });
  return root;
}

export function OutlineView() {
  const { live } = useFrame();
  const outline = useSignal<Outline | null>(null);
  useEffect(() => {
    let gone = false;
    void live.outline().then((opened) => {
      if (gone) opened?.close();
      else outline.value = opened;
    });
    return () => {
      gone = true;
      outline.peek()?.close();
    };
  }, []);
  if (!outline.value) return null;
  return <Tree outline={outline.value} />;
}

function Tree({ outline }: { outline: Outline }) {
  const { live } = useFrame();
  const nav = useRef<HTMLElement>(null);
  // What is dragged, and before which entry it would go.
  const dragged = useSignal<string | null>(null);
  const gap = useSignal(-1);
  const entries = outline.entries.value;
  const current = outline.current.value;
  const writes = live.info.value?.readOnly === false;

  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  // Unless somebody has gone on to the text before the list was drawn again.
  const keepFocus = (slug: string) =>
    requestAnimationFrame(() => {
      const active = document.activeElement;
      if (active !== document.body && !nav.current?.contains(active)) return;
      nav.current?.querySelector<HTMLElement>(`[data-slug="${CSS.escape(slug)}"]`)?.focus();
    });

  const moveTo = (index: number, before: number) => {
    const entry = entries[index];
    if (!entry || !outline.move(entry.slug, entries[before]?.slug ?? null)) return false;
    announce(t('outline.moved', { heading: nameOf(entry) }));
    return true;
  };

  const step = (index: number, by: 1 | -1) => {
    const headings = entries.map((entry) => ({ ...entry, from: 0, to: 0 }));
    const target = stepTarget(headings, index, by);
    if (target === null || !moveTo(index, target)) return;
    // Equal headings may have changed their names with their places.
    const size = nextSection(headings, index) - index;
    const now = outline.entries.peek()[by < 0 ? target : target - size];
    if (now) keepFocus(now.slug);
  };

  const drop = () => {
    const index = entries.findIndex(({ slug }) => slug === dragged.peek());
    if (index >= 0 && gap.peek() >= 0) moveTo(index, gap.peek());
    dragged.value = null;
    gap.value = -1;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1 as const, ArrowDown: 1 as const }[event.key];
    const links = [...(nav.current?.querySelectorAll<HTMLElement>('.outline-link') ?? [])];
    const here = links.findIndex((link) => link.parentElement?.contains(document.activeElement));
    if (!by || here < 0 || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!event.altKey) links[here + by]?.focus();
    else if (writes) step(here, by);
  };

  const row = ({ index, children }: Node) => {
    const entry = entries[index] as OutlineEntry;
    return (
      <li key={entry.slug}>
        <Row
          entry={entry}
          isCurrent={index === current}
          writes={writes}
          mark={gap.value === index ? 'before' : gap.value === index + 1 ? 'after' : undefined}
          onJump={() => outline.jump(entry.slug)}
          onStep={(by) => step(index, by)}
          onDrag={(on) => {
            dragged.value = on ? entry.slug : null;
            gap.value = -1;
          }}
          onOver={(below) => {
            if (dragged.peek() === null) return false;
            gap.value = index + (below ? 1 : 0);
            return true;
          }}
          onDrop={drop}
        />
        {children.length > 0 && <ul>{children.map(row)}</ul>}
      </li>
    );
  };

  return (
    <nav ref={nav} class="outline" aria-label={t('outline.label')} onKeyDown={onKeyDown}>
      {entries.length === 0 ? (
        <p class="empty">{t('outline.empty')}</p>
      ) : (
        <ul>{treeOf(entries).map(row)}</ul>
      )}
      {writes && entries.length > 1 && <p class="outline-hint">{t('outline.hint')}</p>}
    </nav>
  );
}

function nameOf({ text }: OutlineEntry): string {
  return text || t('outline.untitled');
}

interface RowProps {
  entry: OutlineEntry;
  isCurrent: boolean;
  writes: boolean;
  // Where something that is dragged would go.
  mark: 'before' | 'after' | undefined;
  onJump: () => void;
  onStep: (by: 1 | -1) => void;
  onDrag: (on: boolean) => void;
  onOver: (below: boolean) => boolean;
  onDrop: () => void;
}

function Row({ entry, isCurrent, writes, mark, ...on }: RowProps) {
  const { boot, panel, toast } = useFrame();
  const heading = nameOf(entry);
  const copy = async () => {
    if (!(await copyText(headingAddress(boot, entry.slug)))) return;
    toast({ text: t('outline.copied'), tone: 'good' });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons and Alt with arrows do the same.
    <div
      class="outline-row"
      data-level={entry.level}
      data-drop={mark}
      draggable={writes}
      onDragStart={(event) => {
        event.dataTransfer?.setData('text/plain', heading);
        on.onDrag(true);
      }}
      onDragEnd={() => on.onDrag(false)}
      onDragOver={(event) => {
        const { top, height } = event.currentTarget.getBoundingClientRect();
        if (on.onOver(event.clientY > top + height / 2)) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        on.onDrop();
      }}
    >
      <button
        type="button"
        class="outline-link"
        data-slug={entry.slug}
        title={heading}
        aria-current={isCurrent ? 'location' : undefined}
        aria-keyshortcuts={writes ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
        onClick={() => {
          on.onJump();
          // The sheet of a phone would cover what one came for.
          if (!isWide()) panel.value = null;
        }}
      >
        <bdi>{heading}</bdi>
      </button>
      <span class="outline-actions">
        {writes && (
          <>
            <IconButton
              icon="up"
              label={t('outline.up', { heading })}
              onClick={() => on.onStep(-1)}
            />
            <IconButton
              icon="down"
              label={t('outline.down', { heading })}
              onClick={() => on.onStep(1)}
            />
          </>
        )}
        <IconButton
          icon="link"
          label={t('outline.copy', { heading })}
          onClick={() => void copy()}
        />
      </span>
    </div>
  );
}
