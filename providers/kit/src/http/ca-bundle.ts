import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Thrown if a CA bundle cannot be used. The message does not contain the file name. */
export class CaBundleError extends Error {
  override readonly name = 'CaBundleError'
}

/**
 * Returns the content of a PEM file in which every certificate can be parsed.
 *
 * @throws CaBundleError when the file does not exist or contains no usable certificate.
 */
export const readCaBundle = (file: string): string => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new CaBundleError(error instanceof Error ? error.message : String(error), { cause: error })
  }
  const certificates = text.match(CERTIFICATE) ?? []
  if (certificates.length === 0) throw new CaBundleError('it contains no certificate in PEM format')
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate)
    } catch (error) {
      throw new CaBundleError(`its certificate ${index + 1} cannot be read`, { cause: error })
    }
  }
  return certificates.join('\n')
}
