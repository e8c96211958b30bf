import { Worker } from 'node:worker_threads'
import { limits_of_thread, rest_ms } from '../kernel/background-thread.ts'

/** An `InvoiceDocument` or a `ConfirmationDocument`. */
export type DocumentKind = 'invoice' | 'confirmation'

/** Renders a document, as JSON: whoever has thousands of lines need not read them for us. */
type Render = (kind: DocumentKind, document: string) => Promise<Buffer>

/** What the thread is sent. `request` tells the answer to it from all else that comes from there. */
export type ToDraw = { request: number; kind: DocumentKind; document: string }

/** What it answers. */
export type Drawn = { request: number } & ({ pdf: Uint8Array<ArrayBuffer> } | { error: Error })

/**
 * Milliseconds: far beyond the largest invoice. A thread that takes longer is ended, or it would hold up all others.
 */
const patience_ms = 5 * 60_000

/**
 * Renders in a thread, started with the first document, which answers each `ToDraw` with a `Drawn`. It has one at a
 * time, so that when it crashes only that one fails; the next document gets a new thread. An idle thread keeps no
 * process alive, and ends after a rest.
 */
export function renderIn(file: URL): Render {
  let thread: Worker | undefined
  let rest: NodeJS.Timeout | undefined
  let before: Promise<unknown> = Promise.resolve()
  let requests = 0

  const start = (): Worker => {
    // Not with the flags of the process, such as those of a program given in words, which a file refuses.
    const started = new Worker(file, { execArgv: [], resourceLimits: limits_of_thread })
    const forget = () => {
      if (thread === started) thread = undefined
    }
    return started.on('error', forget).on('exit', forget)
  }
  const end = () => {
    void thread?.terminate()
    thread = undefined
  }
  const render = async (kind: DocumentKind, document: string) => {
    clearTimeout(rest)
    thread ??= start()
    thread.ref()
    const drawn = await answerOf(thread, { request: ++requests, kind, document })
    thread?.unref()
    rest = setTimeout(end, rest_ms).unref()
    if ('error' in drawn) throw drawn.error
    return Buffer.from(drawn.pdf.buffer, drawn.pdf.byteOffset, drawn.pdf.byteLength)
  }
  return (kind, document) => {
    const rendered = before.then(() => render(kind, document))
    before = rendered.catch(() => undefined)
    return rendered
  }
}

/**
 * Node posts messages of its own through threads, as with `--watch`: what does not answer this request is passed over.
 */
async function answerOf(thread: Worker, wanted: ToDraw): Promise<Drawn> {
  const { promise, resolve, reject } = Promise.withResolvers<Drawn>()
  const hear = (message: Partial<Drawn> | null) => {
    if (message?.request === wanted.request) resolve(message as Drawn)
  }
  const miss = () => reject(new Error('The thread that renders PDFs ended.'))
  const late = setTimeout(() => void thread.terminate(), patience_ms)
  thread.on('message', hear).on('messageerror', reject).on('error', reject).on('exit', miss)
  try {
    thread.postMessage(wanted)
    return await promise
  } finally {
    clearTimeout(late)
    thread.off('message', hear).off('messageerror', reject).off('error', reject).off('exit', miss)
  }
}

/** The PDF of a document, rendered beside whatever else the process does, which may be to serve requests. */
export const renderApart: Render = renderIn(new URL('./thread.ts', import.meta.url))
