import { expect, test } from 'vitest'
import { networkFrom } from './network.ts'

test.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])(
  '%s sets the proxy, unless it is empty',
  (name) => {
    expect(networkFrom({ [name]: 'http://proxy.invalid:3128' }, '').hasProxy).toBe(true)
    expect(networkFrom({ [name]: '' }, '').hasProxy).toBe(false)
  },
)

test('without a file, no certificate authorities are set, so those of the system are trusted', () => {
  expect('ca' in networkFrom({}, '')).toBe(false)
  expect(networkFrom({ NO_PROXY: 'a.invalid' }, '').hasProxy).toBe(false)
})
