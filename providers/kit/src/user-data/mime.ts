import { UserDataError } from './user-data-error.ts'

/** A part of a MIME document: its body, and its header lines, which are unfolded but otherwise unchanged. */
export interface MimePart {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

const REMEDY =
  'write a multipart/mixed document with a boundary and a Content-Type for each part, or a plain shell script without MIME headers'
const malformed = (problem: string): UserDataError => new UserDataError('MIME', problem, REMEDY)

/** Returns whether the text begins with a MIME header. */
export const isMime = (text: string): boolean => /^(MIME-Version|Content-Type):/.test(text.trimStart())

/**
 * Splits lines into the headers, which end at the first empty line, and the rest. A line that begins with a blank continues the previous
 * line.
 */
const splitHeaders = (lines: readonly string[]): { headers: MimePart['headers']; body: readonly string[] } => {
  const end = lines.indexOf('')
  const headers: [string, string][] = []
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const last = headers.at(-1)
    if (/^[ \t]/.test(line) && last !== undefined) {
      last[1] = `${last[1]} ${line.trim()}`.trim()
      continue
    }
    const [, name, value] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw malformed(`${JSON.stringify(line)} is not a header`)
    headers.push([name, value.trimEnd()])
  }
  return { headers, body: end < 0 ? [] : lines.slice(end + 1) }
}

/** Returns the value of a header. Ignores the case of the name. */
export const mimeHeader = (part: Pick<MimePart, 'headers'>, name: string): string | undefined =>
  part.headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]

/** Decodes a quoted-printable part into plain text, as upstream does (RFC 2045, 6.7). */
const decoded = (part: MimePart): MimePart => {
  if (mimeHeader(part, 'Content-Transfer-Encoding')?.toLowerCase() !== 'quoted-printable') return part
  const text = part.body.replaceAll(/[ \t]+$/gm, '').replaceAll('=\n', '')
  const bytes = text
    .split(/(=[0-9A-Fa-f]{2})/)
    .map((piece, at) => (at % 2 === 0 ? Buffer.from(piece) : Buffer.from(piece.slice(1), 'hex')))
  return {
    headers: part.headers.filter(([name]) => name.toLowerCase() !== 'content-transfer-encoding'),
    body: Buffer.concat(bytes).toString(),
  }
}

const mimeBoundary = (contentType: string): string => {
  if (!/^multipart\//i.test(contentType)) throw malformed(`its Content-Type is ${contentType}, not multipart/mixed`)
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw malformed('its Content-Type has no boundary')
  return boundary
}

/**
 * Returns the parts of a multipart document, without carriage returns. As in upstream, a document in which no part begins has no parts. In
 * this case, a remark is added.
 *
 * @throws UserDataError if the text is not a multipart document or ends within a part.
 */
export const parseMime = (
  text: string,
): { readonly parts: readonly MimePart[]; readonly remarks: readonly string[] } => {
  const { headers, body } = splitHeaders(text.trimStart().replaceAll('\r', '').split('\n'))
  const contentType = mimeHeader({ headers }, 'Content-Type')
  if (contentType === undefined) throw malformed('it has no Content-Type')
  const delimiter = `--${mimeBoundary(contentType)}`
  const parts: string[][] = []
  let current: string[] | undefined
  let isClosed = false
  for (const line of body) {
    if (isClosed) break
    const trimmed = line.trimEnd()
    if (trimmed === `${delimiter}--`) isClosed = true
    else if (trimmed === delimiter) {
      current = []
      parts.push(current)
    } else current?.push(line)
  }
  if (!isClosed && parts.length > 0) throw malformed(`the line ${delimiter}-- that ends it is missing`)
  return {
    parts: parts.map((lines) => {
      const { headers, body } = splitHeaders(lines)
      return decoded({ headers, body: body.join('\n') })
    }),
    remarks:
      parts.length > 0
        ? []
        : [`the MIME document of spec.userData has no line ${delimiter}, so nodes ignore all of it; ${REMEDY}`],
  }
}

/** Returns a boundary that does not occur in any part. */
const freeBoundary = (parts: readonly MimePart[]): string => {
  const isTaken = (boundary: string): boolean =>
    parts.some(({ body }) => body.split('\n').some((line) => line.startsWith(`--${boundary}`)))
  let boundary = '//'
  for (let turn = 1; isTaken(boundary); turn++) boundary = `//${turn}`
  return boundary
}

/** Returns the document with these parts in this order. */
export const formatMime = (parts: readonly MimePart[]): string => {
  const boundary = freeBoundary(parts)
  const lines = ['MIME-Version: 1.0', `Content-Type: multipart/mixed; boundary="${boundary}"`, '']
  for (const { headers, body } of parts) {
    lines.push(`--${boundary}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', body.replaceAll('\r', ''))
  }
  lines.push(`--${boundary}--`, '')
  return lines.join('\n')
}

export const SHELL_SCRIPT = 'text/x-shellscript; charset="us-ascii"'

export const mimePart = (contentType: string, body: string): MimePart => ({
  headers: [['Content-Type', contentType]],
  body,
})
