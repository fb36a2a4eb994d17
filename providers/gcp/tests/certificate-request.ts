import { generateKeyPairSync, sign } from 'node:crypto'

/** The content of a certificate request. */
export interface RequestedCertificate {
  readonly commonName: string
  readonly organizations: readonly string[]
  readonly dnsNames?: readonly string[]
  /** IPv4 addresses. */
  readonly ipAddresses?: readonly string[]
}

const SEQUENCE = 0x30
const SET = 0x31
const OCTET_STRING = 0x04
const BIT_STRING = 0x03
const UTF8_STRING = 0x0c
const ATTRIBUTES = 0xa0
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

/** Encodes one value in DER. The value must be shorter than 65,536 bytes. */
const der = (tag: number, ...content: readonly Uint8Array[]): Uint8Array => {
  const bytes = Buffer.concat(content)
  const { length } = bytes
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), bytes])
}

const oid = (hex: string): Uint8Array => der(0x06, Buffer.from(hex, 'hex'))
const name = (hex: string, text: string): Uint8Array =>
  der(SET, der(SEQUENCE, oid(hex), der(UTF8_STRING, Buffer.from(text))))

const subject = ({ commonName, organizations }: RequestedCertificate): Uint8Array =>
  der(SEQUENCE, ...organizations.map((each) => name('55040a', each)), name('550403', commonName))

const alternativeNames = ({ dnsNames = [], ipAddresses = [] }: RequestedCertificate): Uint8Array => {
  const names = [
    ...dnsNames.map((each) => der(DNS_NAME, Buffer.from(each))),
    ...ipAddresses.map((each) => der(IP_ADDRESS, Buffer.from(each.split('.').map(Number)))),
  ]
  if (names.length === 0) return der(ATTRIBUTES)
  const extension = der(SEQUENCE, oid('551d11'), der(OCTET_STRING, der(SEQUENCE, ...names)))
  return der(ATTRIBUTES, der(SEQUENCE, oid('2a864886f70d01090e'), der(SET, der(SEQUENCE, extension))))
}

/** Returns a certificate request (RFC 2986) in PEM, signed with a new key, like the requests of kubelets. */
export const certificateRequest = (requested: RequestedCertificate): string => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const version = Buffer.from([0x02, 0x01, 0x00])
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const info = der(SEQUENCE, version, subject(requested), key, alternativeNames(requested))
  const algorithm = der(SEQUENCE, oid('2a8648ce3d040302'))
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', info, privateKey))
  const base64 = Buffer.from(der(SEQUENCE, info, algorithm, signature)).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----', ''].join('\n')
}
