// Policy of what the browser may cache for offline use.

// Group pads are for those who have a session now, and a page inside another is that page's affair.
export function mayCache(padId: string): boolean {
  return 'serviceWorker' in navigator && window.parent === window && !padId.includes('$');
}
