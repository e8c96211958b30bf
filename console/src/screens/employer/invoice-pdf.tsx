import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ob } from '../../api.ts'
import { Loaded, Section } from '../../parts/page.tsx'

type InvoiceOfEmployer = { employer_id: string; invoice_id: string }

/** Whether this browser shows a PDF within a page: others offer it as a file. */
export const shows_pdf = navigator.pdfViewerEnabled

/** Its link lasts a quarter of an hour; the file is fetched with it at once. Another origin's is linked to alone. */
const pdfOf = ({ employer_id, invoice_id }: InvoiceOfEmployer) => ({
  queryKey: ['invoices', invoice_id, 'pdf'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { download_url } = await ob.invoices.getPdf(employer_id, invoice_id, { signal })
    const is_ours = new URL(download_url, location.href).origin === location.origin
    const answer = shows_pdf && is_ours ? await fetch(download_url, { signal }) : undefined
    return { download_url, file: answer?.ok ? await answer.blob() : null }
  },
  // A draft is drawn anew when it changes.
  staleTime: 60_000,
})

export function DownloadPdf(invoice: InvoiceOfEmployer) {
  const { data, error } = useQuery(pdfOf(invoice))
  if (error) return <span className="quiet">Its PDF can’t be had now.</span>
  const label = 'Download the PDF'
  // Holds the place of the link until there is one.
  if (!data) return <span className="button quiet">{label}</span>
  return (
    <a className="button" href={data.download_url} download>
      {label}
    </a>
  )
}

/** The invoice as it is sent, for beside what the console says of it. */
export function InvoiceSheet(invoice: InvoiceOfEmployer) {
  const pdf = useQuery(pdfOf(invoice))
  return (
    <Section title="As it is sent">
      <Loaded query={pdf} lines={12}>
        {({ file }) =>
          file ? (
            <Sheet file={file} title={`PDF of ${invoice.invoice_id}`} />
          ) : (
            <p className="quiet">It is kept where the invoice is collected: download it.</p>
          )
        }
      </Loaded>
    </Section>
  )
}

function Sheet({ file, title }: { file: Blob; title: string }) {
  const sheet = useRef<HTMLObjectElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(file)
    if (sheet.current) sheet.current.data = url
    return () => URL.revokeObjectURL(url)
  }, [file])
  return <object ref={sheet} className="sheet" type="application/pdf" aria-label={title} />
}
