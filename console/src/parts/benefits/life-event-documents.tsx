import type { LifeEvent } from 'openbenefits'

/**
 * Links to the documents of a life event. Documents that are being scanned or were refused show their state instead.
 */
export function LifeEventDocuments({ of }: { of: Pick<LifeEvent, 'attachments'> | undefined }) {
  return of?.attachments.map(({ id, file_name, file, scan }) => (
    <span className="block" key={id}>
      {file ? <a href={file.download_url}>{file_name}</a> : `${file_name} (${scan})`}
    </span>
  ))
}
