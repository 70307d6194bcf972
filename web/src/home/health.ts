// Whether the server answers, in words beside a dot.

export function watchHealth(status: HTMLElement): void {
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
