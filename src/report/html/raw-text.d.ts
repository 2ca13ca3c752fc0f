/** A file as text: Vite reads it so in tests, rolldown puts it into the bundle. */
declare module '*?raw' {
  const text: string;
  export default text;
}
