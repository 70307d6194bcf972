// The colours of people, in the order of their names in `people.colours`: twelve hues of the same
// lightness and chroma. The server gives them to guests (`crates/pad/src/colours.rs`).

export const PEOPLE_COLOURS: readonly string[] = [
  '#ea89a1',
  '#eb9070',
  '#d2a249',
  '#a4b558',
  '#7fbe75',
  '#61c28e',
  '#3bc3ac',
  '#30bed9',
  '#7aacf6',
  '#bb97e8',
  '#d38fd2',
  '#e28bb9',
];
