/** What runs in the thread of pdf-rendering.ts: it draws one invoice after the other. */
import { parentPort } from 'node:worker_threads'
import { type InvoiceDocument, renderInvoice } from './invoice-pdf.ts'

parentPort!.on('message', async (document: InvoiceDocument) => {
  try {
    parentPort!.postMessage({ pdf: await renderInvoice(document) })
  } catch (error) {
    parentPort!.postMessage({ error })
  }
})
