/** Downloads the file at a URL. */
export function downloadLink(url: string, name = ''): void {
  const link = document.createElement('a')
  link.download = name
  link.href = url
  link.click()
}

/** Downloads a file. */
export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  downloadLink(url, name)
  URL.revokeObjectURL(url)
}
