declare module 'playground:samples' {
  const samples: readonly { readonly name: string; readonly title: string; readonly data: string }[];
  export default samples;
}
declare module 'playground:worker' {
  const source: string;
  export default source;
}
