import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { InvoiceDocument } from './invoice-pdf.ts'

type Render = (document: InvoiceDocument) => Promise<Buffer>

type Drawn = { pdf: Uint8Array<ArrayBuffer> } | { error: Error }

/**
 * Renders in a thread, started with the first document, which answers each with a `Drawn`. It has one at a time, so that
 * when it crashes only that one fails; the next document gets a new thread. An idle thread keeps no process alive.
 */
export function renderIn(file: URL): Render {
  let thread: Worker | undefined
  let before: Promise<unknown> = Promise.resolve()

  const start = (): Worker => {
    // Not with the flags of the process, such as those of a program given in words, which a file refuses.
    const started = new Worker(file, { execArgv: [] })
    const forget = () => {
      if (thread === started) thread = undefined
    }
    return started.on('error', forget).on('exit', forget)
  }
  const render: Render = async (document) => {
    thread ??= start()
    thread.ref()
    const drawn = await answerOf(thread, document)
    thread?.unref()
    if ('error' in drawn) throw drawn.error
    return Buffer.from(drawn.pdf.buffer, drawn.pdf.byteOffset, drawn.pdf.byteLength)
  }
  return (document) => {
    const rendered = before.then(() => render(document))
    before = rendered.catch(() => undefined)
    return rendered
  }
}

async function answerOf(thread: Worker, document: InvoiceDocument): Promise<Drawn> {
  thread.postMessage(document)
  const over = new AbortController()
  const ended = once(thread, 'exit', { signal: over.signal }).then(() => {
    throw new Error('The thread that renders PDFs ended.')
  })
  try {
    const [drawn] = await Promise.race([once(thread, 'message', { signal: over.signal }), ended])
    return drawn as Drawn
  } finally {
    over.abort()
  }
}

/** The PDF of an invoice, rendered beside whatever else the process does, which may be to serve requests. */
export const renderApart: Render = renderIn(new URL('./pdf-thread.ts', import.meta.url))
