import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Loaded, Section } from '../../parts/page.tsx'
import { pdfLink } from '../../queries.ts'

export type InvoiceOfEmployer = { employer_id: string; invoice_id: string }

/** Whether this browser shows a PDF within a page: others offer it as a file. */
export const shows_pdf = navigator.pdfViewerEnabled

/** Its link lasts a quarter of an hour; the file is fetched with it at once. Another origin's is linked to alone. */
const pdfOf = ({ employer_id, invoice_id }: InvoiceOfEmployer) => ({
  queryKey: ['invoices', invoice_id, 'pdf'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { download_url } = await pdfLink(employer_id, invoice_id, signal)
    const is_ours = new URL(download_url, location.href).origin === location.origin
    const answer = shows_pdf && is_ours ? await fetch(download_url, { signal }) : undefined
    // Whatever it is said to be, it is shown as what it is asked for as, and never as a page.
    const bytes = answer?.ok ? await answer.arrayBuffer() : undefined
    return { download_url, file: bytes ? new Blob([bytes], { type: 'application/pdf' }) : null }
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

const download = 'Download the PDF to see it'

/** The invoice as it is sent, for beside what the console says of it; on a phone it is downloaded, and has the screen. */
export const InvoiceSheet = (invoice: InvoiceOfEmployer) => (
  <Section title="As it is sent">
    {shows_pdf ? (
      <>
        <p className="quiet only-phone">{download}: here it would be too small to read.</p>
        <div className="only-middle">
          <Shown {...invoice} />
        </div>
      </>
    ) : (
      <p className="quiet">{download}: this browser shows none within a page, or is told not to.</p>
    )}
  </Section>
)

function Shown(invoice: InvoiceOfEmployer) {
  const pdf = useQuery(pdfOf(invoice))
  return (
    <Loaded query={pdf} lines={12}>
      {({ file }) =>
        file ? (
          <Sheet file={file} title={`PDF of ${invoice.invoice_id}`} />
        ) : (
          <p className="quiet">It is kept where the invoice is collected: download it.</p>
        )
      }
    </Loaded>
  )
}

function Sheet({ file, title }: { file: Blob; title: string }) {
  const sheet = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(file)
    // As wide as the frame; what the browser has beside a page stays away.
    if (sheet.current) sheet.current.src = `${url}#view=FitH&navpanes=0`
    return () => URL.revokeObjectURL(url)
  }, [file])
  // oxlint-disable-next-line react/iframe-missing-sandbox -- no browser shows a PDF in a sandbox, and it is nothing else
  return <iframe ref={sheet} className="sheet" title={title} />
}
