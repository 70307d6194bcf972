// The address of a heading: that of the page as one sees it, with the name of the heading.

import type { Boot } from './boot.ts';
import { padAddress } from './frame.ts';

export function headingAddress(boot: Boot, slug: string): string {
  const address = new URL(padAddress(boot, boot.padId));
  address.hash = slug;
  return address.href;
}
