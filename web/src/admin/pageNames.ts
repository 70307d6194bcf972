// Names of the admin pages. `UPDATE_EXPECT=1 cargo test -p admin` writes it.

export type PageName =
  | 'dashboard'
  | 'pads'
  | 'authors'
  | 'message'
  | 'nodes'
  | 'audit'
  | 'log'
  | 'settings'
  | 'update'
  | 'plugins'
  | 'help';
