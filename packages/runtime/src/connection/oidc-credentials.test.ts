import { createServer } from 'node:https'
import { expect, test } from 'vitest'
import { VIRTUAL_EPOCH, VirtualClock } from '../clock/virtual-clock.ts'
import { type Issued, issueCertificate } from '../testing/certificates.ts'
import { listening, socks5 } from '../testing/http-fixture.ts'
import { OidcCredentials, type OidcUser } from './oidc-credentials.ts'

const HOUR = 3_600_000
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
const claimToken = (claims: object): string => `${encode({ alg: 'RS256' })}.${encode(claims)}.${'A'.repeat(86)}`
const expiring = (at: number): string => claimToken({ exp: at / 1000 })

interface Asked {
  readonly grant: string | null
  readonly refresh: string | null
  readonly secret: string | null
}

/**
 * Starts an identity provider over TLS. Its tokens are valid for two hours of real time. It accepts only the latest refresh token
 * that it issued. If it does not rotate, its responses have no refresh token, and the first one stays valid (RFC 6749, section 6).
 */
const identityProvider = async (authority: Issued, first: string, rotates = true) => {
  const { cert, key } = issueCertificate('idp', { issuer: authority })
  const asked: Asked[] = []
  let valid = first
  const server = createServer({ cert, key }, async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const answer = (body: object, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/.well-known/openid-configuration')
      return answer({ issuer, token_endpoint: `${issuer}/token`, id_token_signing_alg_values_supported: ['RS256'] })
    const form = new URLSearchParams(text)
    asked.push({
      grant: form.get('grant_type'),
      refresh: form.get('refresh_token'),
      secret: form.get('client_secret'),
    })
    if (form.get('refresh_token') !== valid) return answer({ error: 'invalid_grant' }, 400)
    if (rotates) valid = `refresh-${asked.length}`
    const now = Math.floor(performance.timeOrigin / 1000)
    const claims = { iss: issuer, aud: 'kerf', sub: 'ada', iat: now, exp: now + 7200, nth: asked.length }
    const renewed = rotates ? { refresh_token: valid } : {}
    answer({ access_token: 'a', token_type: 'bearer', ...renewed, id_token: claimToken(claims) })
  })
  const issuer = `https://127.0.0.1:${await listening(server)}`
  return { issuer, asked }
}

const nthOf = (authorization = ''): number =>
  JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString()).nth

const clock = new VirtualClock()
const over = (user: OidcUser) => new OidcCredentials(user, clock)

test('uses a valid token without a request to the provider', async () => {
  const idToken = expiring(VIRTUAL_EPOCH + HOUR)
  const user = { issuer: 'https://idp.invalid', clientId: 'kerf', idToken, refreshToken: 'r' }
  expect(await over(user).current()).toEqual({ authorization: `Bearer ${idToken}` })
})

test('uses an expired token if it cannot be refreshed', async () => {
  const idToken = expiring(VIRTUAL_EPOCH - HOUR)
  expect(await over({ idToken }).current()).toEqual({ authorization: `Bearer ${idToken}` })
  expect(await over({}).current()).toEqual({})
})

test('refreshes an expired token once for concurrent callers, and again after the server refused it', async () => {
  const authority = issueCertificate('authority')
  const idp = await identityProvider(authority, 'first')
  const credentials = over({
    issuer: idp.issuer,
    clientId: 'kerf',
    clientSecret: 's3cret',
    idToken: expiring(VIRTUAL_EPOCH + 5_000),
    refreshToken: 'first',
    ca: authority.cert,
  })
  const [one, other] = await Promise.all([credentials.current(), credentials.current()])
  expect(one).toEqual(other)
  expect(nthOf(one.authorization)).toBe(1)
  expect(idp.asked).toEqual([{ grant: 'refresh_token', refresh: 'first', secret: 's3cret' }])
  credentials.invalidate()
  // The provider's first response contained a new refresh token.
  expect(nthOf((await credentials.current()).authorization)).toBe(2)
  expect(idp.asked.map(({ refresh }) => refresh)).toEqual(['first', 'refresh-1'])
})

test('keeps its refresh token if the response has none', async () => {
  const authority = issueCertificate('authority')
  const idp = await identityProvider(authority, 'first', false)
  const credentials = over({ issuer: idp.issuer, clientId: 'kerf', refreshToken: 'first', ca: authority.cert })
  await credentials.current()
  credentials.invalidate()
  expect(nthOf((await credentials.current()).authorization)).toBe(2)
  expect(idp.asked.map(({ refresh }) => refresh)).toEqual(['first', 'first'])
})

test.each([
  ['a refresh token that is refused', (authority: Issued) => authority.cert, 'invalid_grant'],
  ['a certificate of another authority', () => issueCertificate('other').cert, 'certificate'],
])('names %s in the error', async (_case, caOf, words) => {
  const authority = issueCertificate('authority')
  const idp = await identityProvider(authority, 'another')
  const user = { issuer: idp.issuer, clientId: 'kerf', refreshToken: 'gone', ca: caOf(authority) }
  const error = await over(user)
    .current()
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'OidcRefresh' })
  expect(String(error)).toContain(words)
})

test('verifies a provider with the system’s authorities if the user names none', async () => {
  const authority = issueCertificate('company')
  const { issuer } = await identityProvider(authority, 'r')
  const user = { issuer, clientId: 'kerf', refreshToken: 'r' }
  const trusting = new OidcCredentials(user, clock, { authorities: () => [authority.cert], proxyFor: () => undefined })
  expect(nthOf((await trusting.current()).authorization)).toBe(1)
  await expect(
    new OidcCredentials(user, clock, { authorities: () => [], proxyFor: () => undefined }).current(),
  ).rejects.toMatchObject({ code: 'OidcRefresh' })
})

test('reaches a provider through the proxy of the environment', async () => {
  const authority = issueCertificate('company')
  const { issuer } = await identityProvider(authority, 'r')
  const reached: string[] = []
  const proxy = `socks5://127.0.0.1:${await socks5(reached)}`
  const proxyFor = (server: string): string | undefined => (server.startsWith(issuer) ? proxy : undefined)
  const user = { issuer, clientId: 'kerf', refreshToken: 'r' }
  const credentials = new OidcCredentials(user, clock, { authorities: () => [authority.cert], proxyFor })
  expect(nthOf((await credentials.current()).authorization)).toBe(1)
  // One request is for the provider's configuration, and one for the token.
  expect(reached).toEqual([new URL(issuer).host, new URL(issuer).host])
})
