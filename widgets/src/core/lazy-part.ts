import { ConnectionError } from 'openbenefits'

/**
 * Loads a part of a widget that the first view does not need. `integrity` is the hash of its file, so that a page that
 * pins the widget also pins its parts. Empty if the page's own bundler made the files.
 */
export async function loadPart<Part>(file: string, integrity: string, load: () => Promise<Part>): Promise<Part> {
  try {
    if (integrity) await preload(import.meta.url.replace(/[^/]+$/, file), integrity)
    return await load()
  } catch {
    throw new ConnectionError(`${file} could not be loaded.`)
  }
}

/** Fetches a module into the page's module map. The browser refuses it if the hash differs. */
const preload = (href: string, integrity: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', crossOrigin: 'anonymous', integrity, href })
    link.addEventListener('load', resolve)
    link.addEventListener('error', reject)
    document.head.append(link)
  })
