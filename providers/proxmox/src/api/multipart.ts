/** A file that a call uploads. */
export interface UploadedFile {
  readonly name: string
  readonly content: Uint8Array
}

/**
 * Returns the body of an upload in the form of Proxmox: the fields, and then the file (RFC 7578).
 *
 * @param boundary a text that the content certainly does not contain
 */
export const multipartBody = (
  fields: Readonly<Record<string, string>>,
  { name, content }: UploadedFile,
  boundary: string,
): Buffer => {
  const part = (disposition: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`
  const texts = Object.entries(fields).map(([field, value]) => `${part(`name="${field}"`)}\r\n${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`${texts.join('')}${part(`name="filename"; filename="${name}"`)}`),
    Buffer.from('Content-Type: application/octet-stream\r\n\r\n'),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
}
