import { arch, platform } from 'node:os'

/** Returns the path of the browser that npm installs, which only Linux x64 has. The first call on a machine unpacks it. */
export async function unpackBrowser(): Promise<string | undefined> {
  if (platform() !== 'linux' || arch() !== 'x64') return undefined
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}
