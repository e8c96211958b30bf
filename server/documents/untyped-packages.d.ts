declare module 'bidi-js' {
  type Levels = { levels: Uint8Array }
  type Bidi = {
    getEmbeddingLevels(text: string): Levels
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>
  }
  /** The Unicode bidirectional algorithm. The package's own types are not where its `exports` points. */
  export default function bidiOf(): Bidi
}
declare module 'fontverter' {
  /** Converts a font file to another format. `sfnt` is the format of TrueType and OpenType files. */
  function convert(font: Buffer, format: 'sfnt' | 'woff' | 'woff2'): Promise<Buffer>
  const fontverter: { convert: typeof convert }
  export default fontverter
}
