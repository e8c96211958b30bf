import { FairQueue } from '../kernel/concurrency/fair-queue.ts'
import { openThread, type RunInThread } from '../kernel/concurrency/thread-pool.ts'

/** The kind of a document. `documents/` has a file for each. */
export type DocumentKind = 'invoice' | 'confirmation' | 'proposal' | 'form_1095' | 'form_1094' | 'benefits_statement'

/** `document` is JSON text, so that the caller need not parse documents with thousands of lines. */
export type RenderTask = { kind: DocumentKind; document: string }

/**
 * Keeps an idle thread for the next document, because loading one takes time. It ends after this many milliseconds,
 * because it uses half as much memory as the service.
 */
const idle_ms = 20_000

const renderInThread: RunInThread<RenderTask, Uint8Array<ArrayBuffer>> = openThread(
  new URL('./pdf-thread.ts', import.meta.url),
  { timeout_ms: 5 * 60_000, idle_ms },
)

/** Renders a PDF in a worker thread, so that the event loop can serve requests. */
export async function renderInWorker(kind: DocumentKind, document: string): Promise<Buffer> {
  const pdf = await renderInThread({ kind, document })
  return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
}

/** Limits concurrent rendering for each organization, so that one with many requests does not delay the others. */
const renderings = new FairQueue({
  max_running: 2,
  max_running_per_key: 1,
  max_waiting_per_key: 50,
  timeout_ms: 60_000,
})

/** Renders a PDF that is not stored. Organizations take turns. */
export const renderForOrganization = (organization_id: string, kind: DocumentKind, document: string): Promise<Buffer> =>
  renderings.run(organization_id, () => renderInWorker(kind, document))
