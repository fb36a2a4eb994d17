import { expect, test, vi } from 'vitest'
import { serverTls } from './server-tls.ts'

test.each([
  ['if the server is verified without a CA of its own', {}, 1],
  ['but not with a CA of the kubeconfig', { ca: 'a' }, 0],
  ['but not if the server is not verified', { insecure: true }, 0],
])('the authorities of the system are read %s', (_when, tls, times) => {
  const authorities = vi.fn(() => [])
  serverTls(tls, undefined, authorities)
  expect(authorities).toHaveBeenCalledTimes(times)
})
