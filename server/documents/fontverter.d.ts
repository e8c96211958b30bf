declare module 'fontverter' {
  /** Converts a font file to another format. `sfnt` is the format of TrueType and OpenType files. */
  function convert(font: Buffer, format: 'sfnt' | 'woff' | 'woff2'): Promise<Buffer>
  const fontverter: { convert: typeof convert }
  export default fontverter
}
