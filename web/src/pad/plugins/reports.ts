// Errors of plugins: caught here, sent to the administrators, and nothing else.
//
// Invariant: a page sends a bounded number of reports for each plugin, and a report never fails.

const MOST = 5;
const LONGEST = 1_000;

export class Reports {
  readonly #address: string;
  readonly #folder: string;
  #sent = 0;

  // Where reports go, and where the files of the plugin are.
  constructor(address: string, folder: string) {
    this.#address = address;
    this.#folder = folder;
    addEventListener('error', this.#thrown);
    addEventListener('unhandledrejection', this.#rejected);
  }

  close(): void {
    removeEventListener('error', this.#thrown);
    removeEventListener('unhandledrejection', this.#rejected);
  }

  // Runs something of the plugin.
  guard<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.send(error);
      return undefined;
    }
  }

  send(error: unknown): void {
    this.#sent += 1;
    if (this.#sent > MOST) return;
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const place = stack?.split('\n').find((line) => line.includes(this.#folder));
    const at = place ? ` (${place.trim().replace(this.#folder, '')})` : '';
    void fetch(this.#address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: `${message}${at}`.slice(0, LONGEST) }),
    }).catch(() => {});
  }

  // What nobody has caught, if it comes from the plugin's own file.
  readonly #thrown = (event: ErrorEvent): void => {
    if (!event.filename?.startsWith(this.#folder)) return;
    event.preventDefault();
    this.send(event.error ?? event.message);
  };

  readonly #rejected = ({ reason }: PromiseRejectionEvent): void => {
    if (reason instanceof Error && reason.stack?.includes(this.#folder)) this.send(reason);
  };
}
