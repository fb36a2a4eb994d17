import { karpenterKinds, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { FakeApi } from '../testing/fake-api.ts'
import { guardedClient, type UndeclaredCallError } from './guarded-client.ts'
import { may, mirrors, OWN_NAMESPACE, type Permission, type PermissionCondition } from './permission.ts'

const guarded = (permissions: readonly Permission[], options: readonly PermissionCondition[] = []) => {
  const refusals: UndeclaredCallError[] = []
  const client = guardedClient(new FakeApi(), {
    permissions,
    options,
    namespace: 'kube-system',
    onRefusal: (refusal) => void refusals.push(refusal),
  })
  return { client, refusals }
}

const node = { name: 'a' }
const merge = { type: 'merge', body: {} } as const

test('declared requests are sent and return the response of the server', async () => {
  const { client, refusals } = guarded([mirrors(kinds.Node, 'x'), may(['get'], kinds.Node, 'x')])
  expect((await client.list(kinds.Node)).items).toEqual([])
  await expect(client.get(kinds.Node, node)).rejects.toThrow('not found')
  expect(refusals).toEqual([])
})

test('another verb, kind or subresource is refused and reported', async () => {
  const { client, refusals } = guarded([may(['patch'], kinds.Pod, 'x', { subresource: 'status' })])
  const pod = { name: 'web', namespace: 'default' }
  await expect(client.get(kinds.Pod, pod)).rejects.toThrow('no declared permission covers: get pods web in default')
  await expect(client.patch(kinds.Pod, pod, merge)).rejects.toThrow('patch pods web in default')
  await expect(client.patch(kinds.Node, node, merge, { subresource: 'status' })).rejects.toThrow('patch nodes/status a')
  await expect(client.list(karpenterKinds.NodePool)).rejects.toThrow('list nodepools.karpenter.sh')
  await expect(client.evict(pod)).rejects.toThrow('create pods/eviction')
  await expect(client.bind(pod, 'a')).rejects.toThrow('create pods/binding')
  expect(() => client.watch(kinds.Node, {})).toThrow('watch nodes')
  expect(refusals.length).toBe(7)
})

test('a permission may be limited to a namespace and to names, and does not allow a list in all namespaces then', async () => {
  const { client } = guarded([
    may(['get', 'list'], kinds.Lease, 'x', { namespace: OWN_NAMESPACE, names: ['mine'] }),
    may(['list'], kinds.Pod, 'x', { namespace: 'web' }),
  ])
  await expect(client.get(kinds.Lease, { name: 'mine', namespace: 'kube-system' })).rejects.toThrow('not found')
  await expect(client.get(kinds.Lease, { name: 'other', namespace: 'kube-system' })).rejects.toThrow(
    'no declared permission',
  )
  await expect(client.get(kinds.Lease, { name: 'mine', namespace: 'default' })).rejects.toThrow(
    'no declared permission',
  )
  await expect(client.list(kinds.Lease, { namespace: 'kube-system' })).rejects.toThrow('no declared permission')
  expect((await client.list(kinds.Pod, { namespace: 'web' })).items).toEqual([])
  await expect(client.list(kinds.Pod)).rejects.toThrow('no declared permission')
})

test('a permission with an option applies only if the option is on', async () => {
  const permissions = [mirrors(karpenterKinds.NodeOverlay, 'x', { when: 'NodeOverlay' })]
  await expect(guarded(permissions).client.list(karpenterKinds.NodeOverlay)).rejects.toThrow('no declared permission')
  expect((await guarded(permissions, ['NodeOverlay']).client.list(karpenterKinds.NodeOverlay)).items).toEqual([])
})

test('in observe mode, writes need a permission that observe mode itself uses', async () => {
  const permissions = [may(['get', 'patch'], kinds.Node, 'x'), may(['patch'], kinds.Pod, 'x', { observing: true })]
  const { client } = guarded(permissions, ['Observe'])
  await expect(client.get(kinds.Node, node)).rejects.toThrow('not found')
  await expect(client.patch(kinds.Node, node, merge)).rejects.toThrow('no declared permission')
  await expect(client.patch(kinds.Pod, { name: 'web', namespace: 'default' }, merge)).rejects.toThrow('not found')
  await expect(guarded(permissions).client.patch(kinds.Node, node, merge)).rejects.toThrow('not found')
})

test('discovery is always allowed, but other paths are not', async () => {
  const { client } = guarded([])
  for (const path of ['/version', '/api/v1', '/apis/karpenter.sh/v1']) expect(await client.raw(path)).toEqual({})
  await expect(client.raw('/metrics')).rejects.toThrow('no declared permission covers: GET /metrics')
})
