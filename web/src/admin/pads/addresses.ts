// Addresses around a pad: where it is written in, its own page here, and its files.

import type { MenuItem } from '../../ui/menu.tsx';
import type { Boot } from '../boot.ts';
import { say } from '../words.ts';

export function padAddress(boot: Boot, id: string): string {
  return `${boot.base}p/${encodeURIComponent(id)}`;
}

export function detailsAddress(boot: Boot, id: string): string {
  return `${boot.base}admin/pads?${new URLSearchParams({ pad: id })}`;
}

export function downloads(boot: Boot, id: string): MenuItem[] {
  const folder = `${boot.base}admin/api/pads/${encodeURIComponent(id)}/export`;
  return boot.exports.map((ending) => ({
    kind: 'link',
    icon: 'download',
    label: say('pads.download', { format: ending }),
    href: `${folder}/${ending}`,
  }));
}
