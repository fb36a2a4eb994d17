/** A form with a file that a client uploaded. */
export interface Upload {
  readonly fields: ReadonlyMap<string, string>
  readonly content: Buffer
}

/**
 * Parses a multipart form (RFC 7578). As in Proxmox, the name of the file becomes the field `filename`. Returns undefined for any other
 * body.
 */
export const parseUpload = (contentType: string, bytes: Uint8Array): Upload | undefined => {
  const boundary = /boundary=([^;]+)/.exec(contentType)?.[1]
  if (boundary === undefined) return undefined
  const fields = new Map<string, string>()
  let content = Buffer.alloc(0)
  for (const part of Buffer.from(bytes).toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const [, head = '', body = ''] = /^\r\n([\s\S]*?)\r\n\r\n([\s\S]*)\r\n$/.exec(part) ?? []
    const name = / name="([^"]*)"/.exec(head)?.[1] ?? ''
    const file = / filename="([^"]*)"/.exec(head)?.[1]
    if (file === undefined) fields.set(name, body)
    else {
      fields.set('filename', file)
      content = Buffer.from(body, 'latin1')
    }
  }
  return { fields, content }
}
