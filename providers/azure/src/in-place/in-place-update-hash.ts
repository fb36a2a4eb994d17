/** The properties of a VM that Kerf changes without replacing the VM. */
export interface InPlaceUpdate {
  /** Resource IDs of user-assigned identities. */
  readonly identities: readonly string[]
  readonly tags: Readonly<Record<string, string>>
}

const OFFSET = 2_166_136_261
const PRIME = 16_777_619

/** Returns the 32-bit FNV-1a hash in decimal. */
const fnv1a = (text: string): string => {
  let hash = OFFSET
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, PRIME) >>> 0
  return hash.toString()
}

const byUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Escapes a string like Go's JSON encoder, which also escapes HTML characters. */
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
 * Returns the hash of the properties that Kerf updates in place, equal to the one in upstream's NodeClaim annotation
 * `karpenter.azure.com/in-place-update-hash` (`providers/azure/docs/spec/azure.md#in-place-update-controller`). It hashes Go's JSON with
 * sorted keys and without empty fields. If the hash differed from upstream's, Kerf would update every VM of a cluster that it takes over.
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
