/** Bytes of the smallest that is kept; the next has twice as many, and so on. */
const smallest = 1024
/** Bytes that are kept for the next who asks. */
const most_kept = 64 * 1024 * 1024
/** Milliseconds after which nobody is thought to ask again. */
const idle_ms = 10_000

/**
 * Large buffers, in memory that threads may share, used again and again: one that is thrown away counts for the garbage
 * collector, and some megabytes a second of them have it stop the event loop several times a second.
 */
export class SharedBuffers {
  readonly #kept = new Map<number, SharedArrayBuffer[]>()
  #bytes_kept = 0
  #idle: NodeJS.Timeout | undefined

  /** A buffer of at least so many bytes, up to twice as many, with whatever was written there before. */
  take(bytes: number): Buffer<SharedArrayBuffer> {
    const length = smallest * 2 ** Math.ceil(Math.log2(Math.max(1, bytes / smallest)))
    const kept = this.#kept.get(length)?.pop()
    if (kept) this.#bytes_kept -= length
    return Buffer.from(kept ?? new SharedArrayBuffer(length))
  }

  /** Takes back a whole buffer that nobody reads or writes any more. */
  give({ buffer }: Buffer<SharedArrayBuffer>): void {
    if (this.#bytes_kept + buffer.byteLength > most_kept) return
    this.#bytes_kept += buffer.byteLength
    const alike = this.#kept.get(buffer.byteLength)
    if (alike) alike.push(buffer)
    else this.#kept.set(buffer.byteLength, [buffer])
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#forget(), idle_ms).unref()
  }

  #forget(): void {
    this.#kept.clear()
    this.#bytes_kept = 0
  }
}
