import type { Document, DocumentsListQuery } from 'openbenefits'
import { ob } from '../../api.ts'
import { downloadLink } from '../../parts/page/download.ts'
import { pagedList, resourceQuery } from '../../queries.ts'

export type DocumentFilter = Omit<DocumentsListQuery, 'limit' | 'page'>

export const documentsList = (filter: DocumentFilter) =>
  pagedList(['documents', filter], (paging, options) => ob.documents.list({ ...filter, ...paging }, options))

export const documentQuery = (id: string) =>
  resourceQuery(['documents', id], (options) => ob.documents.get(id, options))

export const receiptsList = (id: string) =>
  pagedList(['documents', id, 'receipts'], (paging, options) => ob.documents.listReceipts(id, paging, options))

export const unopenedList = (id: string) =>
  pagedList(['documents', id, 'unopened'], (paging, options) => ob.documents.listUnopened(id, paging, options))

/** The plans that a document can concern. */
export const plansQuery = () =>
  resourceQuery(['plans'], (options) => Array.fromAsync(ob.plans.list({ limit: 100 }, options)))

/** Saves the file of a document on the user's computer. */
export async function downloadDocument({ id }: Pick<Document, 'id'>): Promise<void> {
  const { download_url } = await ob.documents.getLink(id)
  downloadLink(download_url)
}
