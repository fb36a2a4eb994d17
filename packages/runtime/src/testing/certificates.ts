import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate and its private key in PEM format. As the `signer` of another certificate, it signs that one. */
export interface Issued {
  readonly cert: string
  readonly key: string
  readonly signer: { readonly name: string; readonly key: KeyObject }
}

// Encodes a value in DER as X.509 certificates need it: tag, length, content.
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const time = (text: string): Buffer => der(0x18, Buffer.from(text))
const nameOf = (common: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(common)))))
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value))

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
let serial = 1

/**
 * Issues a certificate for loopback and `dnsNames`, signed by `issuer` or self-signed. It is valid until 2100, or `until`. A
 * self-signed certificate is a CA, and others are CAs only with `isAuthority`. For tests only.
 */
export const issueCertificate = (
  common: string,
  {
    issuer,
    dnsNames = [],
    until,
    isAuthority = issuer === undefined,
  }: {
    readonly issuer?: Issued
    readonly dnsNames?: readonly string[]
    readonly until?: Date
    readonly isAuthority?: boolean
  } = {},
): Issued => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer = issuer?.signer ?? { name: common, key: pair.privateKey }
  const alternatives = sequence(
    ...dnsNames.map((name) => der(0x82, Buffer.from(name))),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  )
  const extensions = sequence(
    extension('551d13', isAuthority ? sequence(der(0x01, Buffer.from([0xff]))) : sequence()),
    extension('551d11', alternatives),
  )
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([++serial])),
    ECDSA_WITH_SHA256,
    nameOf(signer.name),
    sequence(
      time('20200101000000Z'),
      time(until === undefined ? '21000101000000Z' : `${until.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`),
    ),
    nameOf(common),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer.key))
  const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signer: { name: common, key: pair.privateKey },
  }
}
