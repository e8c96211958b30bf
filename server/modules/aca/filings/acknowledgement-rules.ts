/**
 * The error file of an acknowledgement (IRS Publication 5165, section 6.2). Names of the elements follow public
 * programs that read it, because the IRS gives its schemas only to transmitters. The file has no status of the
 * transmission.
 */

/** An error that the IRS reported. `unique_record_id`: null if it concerns no form. */
export type ReportedError = { unique_record_id: string | null; code: string; message: string }

const root = /<(?:[\w-]+:)?FormBCTransmitterSubmissionDtl[\s>/]/

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text of XML without references to characters. PostgreSQL cannot store null characters and lone surrogates. */
const plainText = (xml: string): string =>
  xml
    .replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (reference, hex, decimal, name) => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? 0)
      return name ? named[name.toLowerCase()]! : code <= 0x10ffff ? String.fromCodePoint(code) : reference
    })
    .replaceAll(/\p{Cc}+/gu, ' ')
    .toWellFormed()

/** The contents of the elements with a name, with any prefix. The elements must not be nested. */
const contentsOf = (xml: string, name: string): string[] =>
  xml
    .split(new RegExp(`<(?:[\\w-]+:)?${name}(?:\\s[^<>]*)?>`))
    .slice(1)
    .map((part) => part.split(new RegExp(`</(?:[\\w-]+:)?${name}\\s*>`))[0]!)

const valueOf = (xml: string, name: string): string | null => {
  const [content] = contentsOf(xml, name)
  return content === undefined ? null : plainText(content).trim()
}

/** The errors in an error file. Undefined if the text is another file. */
export function reportedErrors(xml: string): ReportedError[] | undefined {
  if (!root.test(xml)) return undefined
  return contentsOf(xml, 'TransmitterErrorDetailGrp').flatMap((group) => {
    const unique_record_id = valueOf(group, 'UniqueRecordId')
    return contentsOf(group, 'ErrorMessageDetail').map((detail) => ({
      unique_record_id,
      code: valueOf(detail, 'ErrorMessageCd') ?? '',
      message: valueOf(detail, 'ErrorMessageTxt') ?? '',
    }))
  })
}
