// Modules of the page that tests touch may import styles, which mean nothing in Node.
declare module '*.css';
declare module '*.css?inline' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how Vite gives it.
  export default text;
}
