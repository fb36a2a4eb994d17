/** The parameters of a call. Kerf omits undefined ones, because Proxmox rejects empty values. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

/** Encodes parameters for forms and queries. Proxmox writes booleans as 1 and 0. */
export const encodeParameters = (parameters: Parameters): URLSearchParams => {
  const encoded = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    encoded.set(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  return encoded
}
