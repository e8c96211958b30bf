import { arch, platform } from 'node:os'

/** Returns the path of the browser that npm installs on Linux x64. The first call on a machine unpacks it. */
export async function unpackBrowser(): Promise<string | undefined> {
  if (platform() !== 'linux' || arch() !== 'x64') return undefined
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}
