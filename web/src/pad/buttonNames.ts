// Names of toolbar buttons. Made from the settings: `UPDATE_EXPECT=1 cargo test -p settings` writes it.

export type ButtonName =
  | 'bold'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'orderedlist'
  | 'unorderedlist'
  | 'indent'
  | 'outdent'
  | 'undo'
  | 'redo'
  | 'clearauthorship'
  | 'importexport'
  | 'timeslider'
  | 'savedrevision'
  | 'settings'
  | 'embed'
  | 'home'
  | 'showusers'
  | 'style'
  | 'clearformatting'
  | 'authorship'
  | 'find'
  | 'link'
  | 'tasklist'
  | 'formats'
  | 'fonts'
  | 'align'
  | 'outline';

export type HistoryButtonName =
  | 'timeslider_export'
  | 'timeslider_settings'
  | 'timeslider_returnToPad';
