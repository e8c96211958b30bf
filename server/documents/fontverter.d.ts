declare module 'fontverter' {
  /** Turns a font file into another format; `sfnt` is what TrueType and OpenType files are. */
  function convert(font: Buffer, format: 'sfnt' | 'woff' | 'woff2'): Promise<Buffer>
  const fontverter: { convert: typeof convert }
  export default fontverter
}
