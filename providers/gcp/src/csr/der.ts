/** A parser for DER (ITU-T X.690), the encoding of certificate requests. */

/** A DER value: its tag and its content, which may contain nested values. */
export interface DerValue {
  readonly tag: number
  readonly content: Uint8Array
}

/** Returns the length of the content and the position where it begins. Returns undefined if there are too few bytes. */
const lengthAt = (bytes: Uint8Array, at: number): { readonly length: number; readonly from: number } | undefined => {
  const first = bytes[at]
  if (first === undefined) return undefined
  if (first < 0x80) return { length: first, from: at + 1 }
  const count = first & 0x7f
  // In a certificate request, no length needs more than three bytes.
  if (count === 0 || count > 3 || at + 1 + count > bytes.length) return undefined
  const length = bytes.slice(at + 1, at + 1 + count).reduce((sum, byte) => sum * 256 + byte, 0)
  return { length, from: at + 1 + count }
}

/** Returns the values in the bytes, or undefined if the bytes are not valid DER. */
export const derValues = (bytes: Uint8Array): readonly DerValue[] | undefined => {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0
    const found = lengthAt(bytes, at + 1)
    if (found === undefined || found.from + found.length > bytes.length) return undefined
    values.push({ tag, content: bytes.slice(found.from, found.from + found.length) })
    at = found.from + found.length
  }
  return values
}
