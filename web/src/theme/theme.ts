// Light or dark: the visitor's choice, then the server's, then the system's.

type Theme = 'auto' | 'light' | 'dark';

export function applyTheme(choice: Theme, darkAllowed: boolean): void {
  const root = document.documentElement;
  if (choice !== 'auto') root.dataset.theme = choice;
  else if (!darkAllowed) root.dataset.theme = 'light';
  else delete root.dataset.theme;
}
