import { derValues } from './der.ts'

/** The content of a certificate request (RFC 2986 and RFC 5280). */
export interface CertificateRequest {
  readonly commonName: string
  readonly organizations: readonly string[]
  readonly dnsNames: readonly string[]
  readonly ipAddresses: readonly string[]
}

const COMMON_NAME = '550403'
const ORGANIZATION = '55040a'
const EXTENSION_REQUEST = '2a864886f70d01090e'
const SUBJECT_ALT_NAME = '551d11'
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87
const ATTRIBUTES = 0xa0

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const textIn = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

/** Returns the text of an IPv4 address (4 bytes) or an IPv6 address (16 bytes). Undefined for any other length. */
const addressIn = (bytes: Uint8Array): string | undefined => {
  if (bytes.length === 4) return [...bytes].join('.')
  if (bytes.length !== 16) return undefined
  const groups = Array.from({ length: 8 }, (_, index) => hex(bytes.slice(index * 2, index * 2 + 2)))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/**
 * Returns the pairs of identifier and value in a sequence of sequences, such as a name or extensions. The value is the last element of
 * each inner sequence.
 */
const pairsIn = (bytes: Uint8Array) =>
  (derValues(bytes) ?? []).flatMap(({ content }) => {
    const values = derValues(content) ?? []
    const [identifier] = values
    const value = values.at(-1)
    return identifier === undefined || value === undefined ? [] : [{ identifier: hex(identifier.content), value }]
  })

const subjectIn = (bytes: Uint8Array) =>
  (derValues(bytes) ?? [])
    .flatMap(({ content }) => pairsIn(content))
    .map(({ identifier, value }) => ({
      identifier,
      text: textIn(value.content),
    }))

/** Returns the alternative names, or undefined if one is neither a DNS name nor an IP address. */
const alternativeNames = (bytes: Uint8Array): Pick<CertificateRequest, 'dnsNames' | 'ipAddresses'> | undefined => {
  const [sequence] = derValues(bytes) ?? []
  const names = derValues(sequence?.content ?? new Uint8Array()) ?? []
  if (names.some(({ tag }) => tag !== DNS_NAME && tag !== IP_ADDRESS)) return undefined
  const addresses = names.flatMap(({ tag, content }) => (tag === IP_ADDRESS ? [addressIn(content)] : []))
  const ipAddresses = addresses.flatMap((address) => address ?? [])
  if (ipAddresses.length !== addresses.length) return undefined
  return { dnsNames: names.flatMap(({ tag, content }) => (tag === DNS_NAME ? [textIn(content)] : [])), ipAddresses }
}

/** Parses the PEM text of `spec.request`. Returns undefined if the text is not a valid certificate request. */
export const parseCertificateRequest = (pem: string): CertificateRequest | undefined => {
  const [, base64 = ''] = /-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----END CERTIFICATE REQUEST-----/.exec(pem) ?? []
  const [request] = derValues(Buffer.from(base64, 'base64')) ?? []
  const [info] = derValues(request?.content ?? new Uint8Array()) ?? []
  const [, subject, , ...rest] = derValues(info?.content ?? new Uint8Array()) ?? []
  if (subject === undefined) return undefined
  const names = subjectIn(subject.content)
  const [commonName, ...others] = names.flatMap(({ identifier, text }) => (identifier === COMMON_NAME ? [text] : []))
  if (commonName === undefined || others.length > 0) return undefined
  const attributes = rest.filter(({ tag }) => tag === ATTRIBUTES).flatMap(({ content }) => pairsIn(content))
  const extensions = attributes
    .filter(({ identifier }) => identifier === EXTENSION_REQUEST)
    .flatMap(({ value }) => (derValues(value.content) ?? []).flatMap(({ content }) => pairsIn(content)))
  const alternative = extensions.find(({ identifier }) => identifier === SUBJECT_ALT_NAME)
  const altNames =
    alternative === undefined ? { dnsNames: [], ipAddresses: [] } : alternativeNames(alternative.value.content)
  if (altNames === undefined) return undefined
  return {
    commonName,
    organizations: names.flatMap(({ identifier, text }) => (identifier === ORGANIZATION ? [text] : [])),
    ...altNames,
  }
}
