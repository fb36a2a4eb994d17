/** The properties of an option such as `virtio=BC:24:11:00:00:01,bridge=vmbr0`. */
export type Properties = ReadonlyMap<string, string>

/**
 * Parses an option of a guest (`providers/proxmox/docs/spec/proxmox.md#api-calls`).
 *
 * @param defaultKey the key of a value without a key, which only the first entry may have.
 */
export const parseProperties = (text: string, defaultKey: string): Properties =>
  new Map(
    text
      .split(',')
      .filter((entry) => entry !== '')
      .map((entry): readonly [string, string] => {
        const at = entry.indexOf('=')
        return at < 0 ? [defaultKey, entry] : [entry.slice(0, at), entry.slice(at + 1)]
      }),
  )

/** Formats an option, with the properties in their order. The value of `defaultKey` is written without a key. */
export const formatProperties = (properties: Properties, defaultKey = ''): string =>
  [...properties].map(([key, value]) => (key === defaultKey ? value : `${key}=${value}`)).join(',')
