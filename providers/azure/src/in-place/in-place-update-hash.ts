/** What of a VM is changed without replacing it. */
export interface InPlaceUpdate {
  /** Resource IDs of user-assigned identities. */
  readonly identities: readonly string[]
  readonly tags: Readonly<Record<string, string>>
}

const OFFSET = 2_166_136_261
const PRIME = 16_777_619

/** FNV-1a with 32 bits, in decimal. */
const fnv1a = (text: string): string => {
  let hash = OFFSET
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, PRIME) >>> 0
  return hash.toString()
}

const byUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** As Go escapes it, so that the text is safe in HTML. */
const quote = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const sortedObject = <T>(entries: readonly (readonly [string, T])[], write: (value: T) => string): string =>
  `{${entries
    .toSorted(([a], [b]) => byUtf8(a, b))
    .map(([key, value]) => `${quote(key)}:${write(value)}`)
    .join(',')}}`

/**
 * The fingerprint of what is changed in place, as upstream writes it to the annotation
 * `karpenter.azure.com/in-place-update-hash` of a NodeClaim (`docs/spec/azure.md#in-place-update-controller`). A wrong number
 * patches every VM of a cluster that is taken over. It is of the JSON that Go makes: keys sorted, empty parts left out.
 */
export const inPlaceUpdateHash = ({ identities, tags }: InPlaceUpdate): string => {
  const parts: string[] = []
  const unique = [...new Set(identities)]
  if (unique.length > 0)
    parts.push(
      `"identities":${sortedObject(
        unique.map((id) => [id, undefined] as const),
        () => '{}',
      )}`,
    )
  if (Object.keys(tags).length > 0) parts.push(`"tags":${sortedObject(Object.entries(tags), quote)}`)
  return fnv1a(`{${parts.join(',')}}`)
}
