import { expect, test } from 'vitest'
import { discover, servedKind, servedNodeClasses } from './served-kinds.ts'

const resource = (kind: string) => ({ resource: `${kind.toLowerCase()}s`, responseKind: { kind } })
const group = (name: string, kinds: readonly string[], ...versions: readonly string[]) => ({
  metadata: { name },
  versions: versions.map((version) => ({ version, resources: kinds.map(resource) })),
})
const aggregated = {
  kind: 'APIGroupDiscoveryList',
  items: [
    group('karpenter.sh', ['NodePool', 'NodeClaim'], 'v1', 'v1beta1'),
    group('karpenter.example.com', ['OtherNodeClass'], 'v2', 'v1'),
    group('apps', ['Deployment'], 'v1'),
    { metadata: { name: 'karpenter.odd.example' }, versions: [null, { version: 'v1', resources: [{}, 'x'] }] },
    null,
  ],
}

/** The responses of an API server before Kubernetes 1.30. */
const older: Readonly<Record<string, unknown>> = {
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      { name: 'karpenter.sh', versions: [{ groupVersion: 'karpenter.sh/v1', version: 'v1' }] },
      { name: 'apps', versions: [{ groupVersion: 'apps/v1', version: 'v1' }] },
    ],
  },
  '/apis/karpenter.sh/v1': {
    resources: [
      { name: 'nodepools', kind: 'NodePool' },
      { name: 'nodepools/status', kind: 'NodePool' },
    ],
  },
}

test('the kinds of the autoscaler and of any provider are found in one response', async () => {
  const found = await discover(() => Promise.resolve(aggregated))
  expect(found.state).toBe('present')
  expect(servedKind(found, 'karpenter.sh', 'NodePool')?.version).toBe('v1')
  expect(servedNodeClasses(found)).toEqual([
    { group: 'karpenter.example.com', version: 'v2', kind: 'OtherNodeClass', plural: 'othernodeclasss' },
  ])
  expect(servedKind(found, 'apps', 'Deployment')).toBeUndefined()
})

test('an older API server is asked for each group', async () => {
  const found = await discover((path) => Promise.resolve(older[path]))
  expect(found).toEqual({
    state: 'present',
    kinds: [{ group: 'karpenter.sh', version: 'v1', kind: 'NodePool', plural: 'nodepools' }],
  })
})

test('a cluster without NodePools has none', async () => {
  expect((await discover(() => Promise.resolve({ kind: 'APIGroupDiscoveryList', items: [] }))).state).toBe('absent')
})

test.each<readonly [string, unknown]>([
  ['the page of a login', '<html>login</html>'],
  ['nothing', undefined],
  ['a Status', { kind: 'Status', status: 'Failure' }],
])('%s in place of the groups does not say that NodePools are absent', async (_, response) => {
  await expect(discover(() => Promise.resolve(response))).rejects.toThrow('is not a list of API groups')
})

test('a group that cannot be read does not prove that its kinds are absent', async () => {
  const answer = discover((path) =>
    path === '/apis' ? Promise.resolve(older[path]) : Promise.reject(new TypeError('Failed to fetch')),
  )
  await expect(answer).rejects.toThrow('Failed to fetch')
})
