const BYTE_ORDER_MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * Returns the text of a file without its byte order mark. The mark distinguishes UTF-16, which Windows PowerShell writes, from UTF-8. Like
 * kubectl, it reads a file without a mark as UTF-8.
 */
export const decodeText = (bytes: Uint8Array): string => {
  const found = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  return new TextDecoder(found?.[0] ?? 'utf-8').decode(bytes)
}
