// What plugins have added to the page, as the page around the text sees it.

import type { ComponentType } from 'preact';
import type { DeclaredAttribute } from '../../editor/declared.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import type { BarTool } from '../bar.tsx';
import type { Command } from '../commands.ts';

export type PluginPanelName = `plugin:${string}`;

export interface Extras {
  // In the line below the text.
  readonly Status: ComponentType;
  // In the settings dialog.
  readonly Settings: ComponentType;
  readonly panels: readonly {
    readonly name: PluginPanelName;
    readonly label: string;
    readonly View: ComponentType;
  }[];
  // For the palette, by names that no command of the page has.
  readonly commands: Readonly<Record<string, Command>>;
  items(): readonly MenuItem[];
  // At the end of the toolbar.
  tools(): readonly BarTool[];
}

// What the server says of a plugin with a part in the page.
export interface PagePlugin {
  readonly name: string;
  readonly version: string;
  // Where its files are, from the root of the service. Another one is another package.
  readonly base: string;
  readonly style: boolean;
  readonly languages: readonly string[];
  readonly attributes: readonly DeclaredAttribute[];
  readonly vars: unknown;
}
