import { expect, test } from 'vitest'
import { readCloudConfig } from './cloud-config.ts'

const token = { token_id: 'kerf@pve!kerf', token_secret: 'secret' }
const url = 'https://pve-1.example.com:8006/api2/json'
const read = (...clusters: readonly object[]) => readCloudConfig(JSON.stringify({ clusters }))

test('a cluster has a region, a URL and a login', () => {
  expect(read({ url, region: 'home', insecure: true, ca_file: '/ca.pem', ...token })).toEqual({
    clusters: [
      {
        ...{ region: 'home', url, isInsecure: true, caFile: '/ca.pem' },
        login: { kind: 'token', id: { text: 'kerf@pve!kerf' }, secret: { text: 'secret' } },
      },
    ],
  })
  const files = { token_id_file: '/id', token_secret_file: '/secret' }
  expect(read({ url, region: 'home', ...files })).toMatchObject({
    clusters: [{ isInsecure: false, login: { id: { file: '/id' }, secret: { file: '/secret' } } }],
  })
  expect(read({ url, region: 'home', username: 'root@pam', password: 'x' })).toMatchObject({
    clusters: [{ login: { kind: 'password', username: 'root@pam', password: 'x' } }],
  })
})

test.each([
  ['no clusters', [], 'has no clusters'],
  ['no region', [{ url, ...token }], 'clusters[0] has no region; give the Proxmox cluster a name'],
  ['no URL', [{ url: 'pve-1', region: 'a', ...token }], 'clusters[0].url must be a URL such as'],
  ['half a token', [{ url, region: 'a', token_id: 'x' }], 'clusters[0] needs token_id and token_secret'],
  ['a token and a user', [{ url, region: 'a', ...token, username: 'x' }], 'clusters[0] has a token and a user'],
  ['an unknown key', [{ url, region: 'a', ...token, tokenid: 'x' }], 'clusters[0] has the unknown keys tokenid'],
  [
    'one region twice',
    [
      { url, region: 'a', ...token },
      { url, region: 'a', ...token },
    ],
    'two clusters have the region a',
  ],
])('%s is a problem', (_what, clusters, problem) => {
  expect(read(...clusters)).toEqual({ problems: [expect.stringContaining(problem)] })
})

test('text that is not YAML is a problem', () => {
  expect(readCloudConfig('clusters: [')).toEqual({ problems: [expect.stringMatching(/^is not YAML: /)] })
})
