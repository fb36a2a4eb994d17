const BYTE_ORDER_MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * Decodes the text of a file, without its byte order mark. The mark distinguishes UTF-8 from UTF-16, which Windows PowerShell
 * writes. A file without a mark is read as UTF-8, as in kubectl.
 */
export const decodeText = (bytes: Uint8Array): string => {
  const found = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  return new TextDecoder(found?.[0] ?? 'utf-8').decode(bytes)
}
