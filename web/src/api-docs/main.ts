// The page about the API. The server writes its HTML; this adds the styles and some comforts: a
// button to copy a call, the address of this very server, calls in other languages and sent from here, and
// a mark on where the reader is.
//
//   <nav class="contents"><a href="#id">…</a></nav>
//   <main id="content"> … <h2 id="id"> <h3 id="id"> …
//     <span data-address>…</span>
//     <div class="code" data-copy="Copy" data-copied="Copied"><pre>…</pre></div>
//   </main>
//
// Invariant: without this script nothing is missing but the comforts.

import './api-docs.css';
import './tryCall.css';
import { addTrying } from './tryCall.ts';

const root = new URL('.', location.href).href.replace(/\/$/, '');
const address = document.querySelector<HTMLElement>('[data-address]');
if (address) address.textContent = root;
addTrying(root);

// Browsers offer the clipboard only to pages that came by a safe way.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll<HTMLElement>('.code[data-copy]')) addCopy(block);
}

followReader();

function addCopy(block: HTMLElement): void {
  const { copy = '', copied = '' } = block.dataset;
  const code = block.querySelector('code');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = copy;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code?.textContent ?? '');
    button.textContent = copied;
  });
  button.addEventListener('blur', () => {
    button.textContent = copy;
  });
  // Before the text, so that the text flows around it.
  code?.before(button);
}

// Marks the link of the last heading above the upper third of the window.
function followReader(): void {
  const links = new Map<Element, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.contents a[href^="#"]')) {
    const heading = document.getElementById(link.hash.slice(1));
    if (heading) links.set(heading, link);
  }
  const headings = [...links.keys()];
  let marked: HTMLAnchorElement | undefined;

  const mark = (): void => {
    const above = headings.filter(
      (heading) => heading.getBoundingClientRect().top < innerHeight / 3,
    );
    const link = shown(links.get(above.at(-1) ?? (headings[0] as Element)));
    if (!link || link === marked) return;
    marked?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    marked = link;
    keepInView(link);
  };

  let waiting = false;
  addEventListener(
    'scroll',
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

// Small windows show the headings only; there the heading stands for what is below it.
function shown(link: HTMLAnchorElement | undefined): HTMLAnchorElement | null | undefined {
  return link?.offsetParent
    ? link
    : link?.closest('.contents > ul > li')?.querySelector<HTMLAnchorElement>('.chapter');
}

// Scrolls the list and nothing else: the page itself belongs to the reader.
function keepInView(link: HTMLElement): void {
  const list = link.closest<HTMLElement>('.contents');
  if (!list) return;
  const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    list.scrollTop += inner.top - outer.top - outer.height / 3;
  }
  if (inner.left < outer.left || inner.right > outer.right) {
    list.scrollLeft += inner.left - outer.left - outer.width / 3;
  }
}
