// The start page. The server writes its HTML; this adds the styles and keeps the state honest.
//
//   <main class="welcome">
//     <h1>…</h1>
//     <p class="lead"><span class="hand">…</span> …</p>
//     <p class="note">…</p>
//     <p class="status" role="status" data-health="health" data-down="…">…</p>
//   </main>
//
// Invariant: every sentence a reader sees comes from the server, in the reader's language. Without
// this script the page says the same; with it, it notices when the service stops answering.

import './home.css';

const status = document.querySelector<HTMLElement>('.status[data-health]');

if (status) {
  const up = status.textContent ?? '';
  const down = status.dataset.down ?? up;

  const look = async (): Promise<void> => {
    const alive = await answers(status.dataset.health ?? 'health');
    const text = alive ? up : down;
    status.dataset.state = alive ? 'up' : 'down';
    // A live region is read aloud on every write, so only a change is written.
    if (status.textContent !== text) status.textContent = text;
  };

  void look();
  addEventListener('online', look);
  addEventListener('offline', look);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void look();
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { cache: 'no-store' });
    // A body that nobody reads keeps the request open in the browser.
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}
