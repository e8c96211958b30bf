import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Loaded, Section } from '../../parts/page/page.tsx'
import { pdfLink } from '../../queries.ts'

export type InvoiceOfEmployer = { employer_id: string; invoice_id: string }

/** Whether this browser can display a PDF inside a page. Others only download it. */
export const shows_pdf = navigator.pdfViewerEnabled

/** The link lasts 15 minutes, so the file is fetched immediately. A PDF on another origin is only linked. */
const pdfOf = ({ employer_id, invoice_id }: InvoiceOfEmployer) => ({
  queryKey: ['invoices', invoice_id, 'pdf'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { download_url } = await pdfLink(employer_id, invoice_id, signal)
    const is_ours = new URL(download_url, location.href).origin === location.origin
    const answer = shows_pdf && is_ours ? await fetch(download_url, { signal }) : undefined
    // Force the PDF type, so that the file is never rendered as a page.
    const bytes = answer?.ok ? await answer.arrayBuffer() : undefined
    return { download_url, file: bytes ? new Blob([bytes], { type: 'application/pdf' }) : null }
  },
  // Reload the PDF of a draft when the draft changes.
  staleTime: 60_000,
})

export function DownloadPdf(invoice: InvoiceOfEmployer) {
  const { data, error } = useQuery(pdfOf(invoice))
  if (error) return <span className="quiet">The PDF is not available now.</span>
  const label = 'Download the PDF'
  // Reserves the space of the link until it is available.
  if (!data) return <span className="button quiet">{label}</span>
  return (
    <a className="button" href={data.download_url} download>
      {label}
    </a>
  )
}

const download = 'Download the PDF to view it'

/** The PDF of the invoice beside its data. On a phone, a download link replaces it. */
export const InvoicePdf = (invoice: InvoiceOfEmployer) => (
  <Section title="PDF">
    {shows_pdf ? (
      <>
        <p className="quiet only-phone">{download}. It is too small to read here.</p>
        <div className="only-middle">
          <Shown {...invoice} />
        </div>
      </>
    ) : (
      <p className="quiet">{download}. This browser does not display PDFs inside a page.</p>
    )}
  </Section>
)

function Shown(invoice: InvoiceOfEmployer) {
  const pdf = useQuery(pdfOf(invoice))
  return (
    <Loaded query={pdf} lines={12}>
      {({ file }) =>
        file ? (
          <PdfFrame file={file} title={`PDF of ${invoice.invoice_id}`} />
        ) : (
          <p className="quiet">The PDF is stored in the billing system. Download it to view it.</p>
        )
      }
    </Loaded>
  )
}

function PdfFrame({ file, title }: { file: Blob; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(file)
    // Fits the width and hides the browser's PDF sidebar.
    if (frame.current) frame.current.src = `${url}#view=FitH&navpanes=0`
    return () => URL.revokeObjectURL(url)
  }, [file])
  // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF in a sandboxed frame
  return <iframe ref={frame} className="sheet" title={title} />
}
