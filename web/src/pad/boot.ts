// What the server says in the page itself, before any connection.
//
// Invariant: the page starts with whatever is there; only the name of the pad and the way to the
// service's root are needed.

export interface Boot {
  padId: string;
  // The way to the root of the service, e.g. `../`.
  base: string;
  language: string;
  nonce: string;
  service: string;
  version: string;
  cookiePrefix: string;
  recentPads: boolean;
  darkMode: boolean;
  // How pads look to those who have not chosen, by the names that addresses have for it.
  padOptions: Readonly<Record<string, unknown>>;
  // What the server may or may not offer.
  history: boolean;
  versionStatus: boolean;
  // The largest file that can be imported.
  importMaxBytes: number;
  // The endings of files that can be imported, and that pads can be exported as.
  imports: readonly string[];
  exports: readonly string[];
  view: 'pad' | 'history';
}

export function readBoot(json: string): Boot {
  const given: Partial<Boot> = JSON.parse(json);
  return {
    padId: given.padId ?? '',
    base: given.base ?? '../',
    language: given.language ?? 'en',
    nonce: given.nonce ?? '',
    service: given.service ?? '',
    version: given.version ?? '',
    cookiePrefix: given.cookiePrefix ?? '',
    recentPads: given.recentPads ?? true,
    darkMode: given.darkMode ?? true,
    padOptions: given.padOptions ?? {},
    history: given.history ?? false,
    versionStatus: given.versionStatus ?? false,
    importMaxBytes: given.importMaxBytes ?? 0,
    imports: given.imports ?? [],
    exports: given.exports ?? [],
    view: given.view ?? 'pad',
  };
}
