import { createHash, createHmac } from 'node:crypto'
import type { HttpRequest } from '@kerf/provider-kit'
import type { Refusal } from './request-shape.ts'

const ALGORITHM = 'ACS3-HMAC-SHA256'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Encodes a text as the canonical request requires: RFC 3986, with `~` unescaped and `!'()*` escaped. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

const refused = (status: number, code: string, message: string): Refusal => ({ status, code, message })

/**
 * Returns the error if the signature of a request is invalid. Implements the vendor's page "Request structure and signature method V3",
 * independently of the vendor's SDK. `keys` contains the secret of each existing access key, and the token of each temporary key.
 */
export const refuseSignature = (
  { method, url, headers = {}, body = '' }: HttpRequest,
  keys: ReadonlyMap<string, { readonly secret: string; readonly token?: string }>,
): Refusal | undefined => {
  const own = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const authorization = own.get('authorization') ?? ''
  const [, id = '', names = '', signature = ''] =
    /^ACS3-HMAC-SHA256 Credential=([^,]*),SignedHeaders=([^,]*),Signature=([0-9a-f]{64})$/.exec(authorization) ?? []
  const key = keys.get(id)
  if (key === undefined) return refused(404, 'InvalidAccessKeyId.NotFound', 'Specified access key is not found.')
  if ((own.get('x-acs-security-token') ?? '') !== (key.token ?? ''))
    return refused(403, 'InvalidSecurityToken.Expired', 'Specified SecurityToken is expired.')
  const hash = sha256(body)
  if (own.get('x-acs-content-sha256') !== hash)
    return refused(400, 'SignatureDoesNotMatch', 'The hash of the body is wrong.')
  const needed = [
    'host',
    'x-acs-action',
    'x-acs-version',
    'x-acs-date',
    'x-acs-signature-nonce',
    'x-acs-content-sha256',
  ]
  const signed = names.split(';')
  if (needed.some((name) => !signed.includes(name)))
    return refused(400, 'SignatureDoesNotMatch', 'A header is not signed.')
  const query = [...url.searchParams]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
  const canonical = [
    ...[method, url.pathname, query],
    `${signed.map((name) => `${name}:${(own.get(name) ?? '').trim()}\n`).join('')}`,
    ...[names, hash],
  ].join('\n')
  const wanted = createHmac('sha256', key.secret)
    .update(`${ALGORITHM}\n${sha256(canonical)}`)
    .digest('hex')
  return wanted === signature
    ? undefined
    : refused(400, 'SignatureDoesNotMatch', 'Specified signature is not matched with our calculation.')
}
