/** What runs in the thread of rendering.ts: it draws one invoice after the other. */
import { parentPort } from 'node:worker_threads'
import { workBehindOthers } from '../kernel/background-thread.ts'
import { renderInvoice } from './invoice.ts'
import type { Drawn, ToDraw } from './rendering.ts'

workBehindOthers()

const answer = (drawn: Drawn) => parentPort!.postMessage(drawn)

parentPort!.on('message', async ({ request, document }: ToDraw) => {
  try {
    answer({ request, pdf: new Uint8Array(await renderInvoice(JSON.parse(document))) })
  } catch (error) {
    answer({ request, error: error as Error })
  }
})
