import type { LifeEvent } from 'openbenefits'

/** The documents of a life event, each a file to open; one that is scanned, or was refused, says so instead. */
export function Documents({ of }: { of: Pick<LifeEvent, 'attachments'> | undefined }) {
  return of?.attachments.map(({ id, file_name, file, scan }) => (
    <span className="block" key={id}>
      {file ? <a href={file.download_url}>{file_name}</a> : `${file_name} (${scan})`}
    </span>
  ))
}
