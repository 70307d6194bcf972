// Modules of the page that tests touch may import styles, which mean nothing in Node.
declare module '*.css';
