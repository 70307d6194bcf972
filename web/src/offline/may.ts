// Which pads may be kept in the browser.

// Group pads are for those who have a session now, and a page inside another is that page's affair.
export function mayKeep(padId: string): boolean {
  return 'serviceWorker' in navigator && window.parent === window && !padId.includes('$');
}
