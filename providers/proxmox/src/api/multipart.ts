/** A file that a call uploads. */
export interface UploadedFile {
  readonly name: string
  readonly content: Uint8Array
}

/**
 * Returns the multipart body of an upload: the fields, followed by the file (RFC 7578).
 *
 * @param boundary a text that does not occur in the content
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
