/** What runs in the thread of rendering.ts: it draws one document after the other. */
import { parentPort } from 'node:worker_threads'
import { workBehindOthers } from '../kernel/background-thread.ts'
import { renderConfirmation } from './confirmation.ts'
import { renderInvoice } from './invoice.ts'
import type { Drawn, ToDraw } from './rendering.ts'

workBehindOthers()

const renderers = { invoice: renderInvoice, confirmation: renderConfirmation }

const answer = (drawn: Drawn) => parentPort!.postMessage(drawn)

parentPort!.on('message', async ({ request, kind, document }: ToDraw) => {
  try {
    answer({ request, pdf: new Uint8Array(await renderers[kind](JSON.parse(document))) })
  } catch (error) {
    answer({ request, error: error as Error })
  }
})
