import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { AccessTokens } from './access-tokens.ts'

const never = new AbortController().signal
const request = { method: 'GET', url: new URL('https://api.invalid/'), headers: { accept: 'text/plain' } } as const

const harness = (options: { readonly endless?: boolean } = {}) => {
  const clock = new VirtualClock()
  let asked = 0
  const tokens = new AccessTokens(clock, async () => {
    const value = `token-${++asked}`
    return options.endless === true ? { value } : { value, expiresAt: clock.now() + 3_600_000 }
  })
  const signed = () => tokens.authorize(request, never)
  const header = async () => (await signed()).headers?.['authorization']
  return { clock, tokens, signed, header, asked: () => asked }
}

test('one token is shared by all requests until shortly before it expires', async () => {
  const { clock, header } = harness()
  expect(await Promise.all([header(), header()])).toEqual(['Bearer token-1', 'Bearer token-1'])
  await clock.advance(3_600_000 - 60_001)
  expect(await header()).toBe('Bearer token-1')
  await clock.advance(1)
  expect(await header()).toBe('Bearer token-2')
})

test('a refused token is replaced; otherwise, a token without an expiry is kept', async () => {
  const { clock, tokens, signed, header } = harness({ endless: true })
  const early = await signed()
  await clock.advance(365 * 86_400_000)
  expect(await header()).toBe('Bearer token-1')
  tokens.invalidate(await signed())
  expect(await header()).toBe('Bearer token-2')
  // The refusal of a request with the first token arrives only now.
  tokens.invalidate(early)
  expect(await header()).toBe('Bearer token-2')
})

test('the request keeps its headers; the provider chooses the header for the token', async () => {
  const tokens = new AccessTokens(
    new VirtualClock(),
    async () => ({ value: 't' }),
    (token) => ({ 'x-auth-token': token }),
  )
  expect((await tokens.authorize(request, never)).headers).toEqual({ accept: 'text/plain', 'x-auth-token': 't' })
})

test('after a failed token request, the next call tries again', async () => {
  let isBroken = true
  const tokens = new AccessTokens(new VirtualClock(), async () => {
    if (isBroken) throw new Error('no token today')
    return { value: 't' }
  })
  await expect(tokens.authorize(request, never)).rejects.toThrow('no token today')
  isBroken = false
  expect((await tokens.authorize(request, never)).headers?.['authorization']).toBe('Bearer t')
})
