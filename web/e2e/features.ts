// The kinds of formatting: what each is in HTML, by which command one gets it, and how the page shows it.

export interface Feature {
  readonly name: string;
  readonly html: string;
  readonly shown: string;
  // The name of the command; absent where it needs more than that.
  readonly command?: string;
}

const inline = (name: string, html: string, shown: string, command = name): Feature => ({
  name,
  html: `<p>${html}</p>`,
  shown,
  command,
});

const line = (name: string, html: string, shown: string, command = name): Feature => ({
  name,
  html,
  shown,
  command,
});

export const FEATURES: readonly Feature[] = [
  inline('Bold', '<b>word</b>', 'strong'),
  inline('Italic', '<i>word</i>', 'em'),
  inline('Underline', '<u>word</u>', 'u'),
  inline('Strikethrough', '<s>word</s>', 's'),
  inline('Code', '<code>word</code>', 'code'),
  inline('Subscript', '<sub>word</sub>', 'sub'),
  inline('Superscript', '<sup>word</sup>', 'sup'),
  inline('colour', '<span class="color:red">word</span>', '.pad-ink-red', 'Text colour: Red'),
  inline('highlighting', '<mark>word</mark>', '.pad-mark-yellow', 'Highlight: Yellow'),
  inline('font', '<font face="serif">word</font>', '.pad-font-serif', 'Font: With serifs'),
  inline('size', '<span class="font-size:20">word</span>', '.pad-size-large', 'Size: Large'),
  { name: 'link', html: '<p><a href="https://a.b/">word</a></p>', shown: 'a.pad-link' },
  {
    name: 'mention',
    html: '<p><span class="mention:a.Zx1">@Ada</span></p>',
    shown: '.pad-mention',
  },
  line('heading', '<h2>word</h2>', '.pad-h2', 'Heading 2'),
  line('code block', '<pre>word</pre>', '.pad-code-line', 'Code block'),
  line('task', '<ul><li><input type="checkbox">word</li></ul>', '.pad-task', 'Check list'),
  line('quotation', '<blockquote>word</blockquote>', '.pad-quote', 'Quote'),
  line('rule', '<hr>', '.pad-rule', 'Insert a horizontal line'),
  line('bullets', '<ul><li>word</li></ul>', '.pad-bullet', 'Bulleted list'),
  line('numbers', '<ol><li>word</li></ol>', '.pad-number', 'Numbered list'),
  line('alignment', '<p align="center">word</p>', '.pad-align-center', 'Align centre'),
];
