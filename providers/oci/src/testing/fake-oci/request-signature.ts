import { createHash, createPublicKey, createVerify, type KeyObject } from 'node:crypto'
import type { HttpRequest } from '@kerf/provider-kit'
import { notAuthenticated, type Refusal } from './refusal.ts'

const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Returns the error if the signature of a request is invalid. Implements Oracle's page "Request Signatures", independently of Oracle's SDK:
 * RSA-SHA256 over the date, the request target and the host. For requests with a body, the signature also covers its type, length and hash.
 */
export const refuseSignature = (
  { method, url, headers = {}, body = '' }: HttpRequest,
  keys: ReadonlyMap<string, KeyObject>,
  now: number,
): Refusal | undefined => {
  const own = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const field = (name: string): string =>
    new RegExp(`${name}="([^"]*)"`).exec(own.get('authorization') ?? '')?.[1] ?? ''
  const key = keys.get(field('keyId'))
  const names = field('headers').toLowerCase().split(' ')
  const date = Date.parse(own.get('x-date') ?? own.get('date') ?? '')
  const needed = ['(request-target)', 'host', ...(CHANGING.has(method) ? ['x-content-sha256', 'content-length'] : [])]
  if (key === undefined || needed.some((name) => !names.includes(name))) return notAuthenticated
  // The API accepts clock differences of up to five minutes.
  if (!(Math.abs(date - now) <= 300_000)) return notAuthenticated
  const hash = createHash('sha256').update(body).digest('base64')
  if (CHANGING.has(method) && own.get('x-content-sha256') !== hash) return notAuthenticated
  const target = `${method.toLowerCase()} ${url.pathname}${url.search}`
  const text = names
    .map((name) => `${name}: ${name === '(request-target)' ? target : (own.get(name) ?? '')}`)
    .join('\n')
  const isRight = createVerify('RSA-SHA256').update(text).verify(key, field('signature'), 'base64')
  return isRight ? undefined : notAuthenticated
}

/** Returns the public key that verifies signatures of the private key. */
export const verificationKey = (privateKey: string): KeyObject => createPublicKey(privateKey)
