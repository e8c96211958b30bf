declare module 'bidi-js' {
  type Levels = { levels: Uint8Array }
  type Bidi = {
    getEmbeddingLevels(text: string): Levels
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>
  }
  /** The Unicode bidirectional algorithm. The package's own types are not where its `exports` points. */
  export default function bidiOf(): Bidi
}
