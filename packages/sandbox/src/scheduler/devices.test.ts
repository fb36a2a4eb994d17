import {
  type DeviceRequest,
  type KubeObject,
  kinds,
  type Pod,
  type ResourceClaim,
  type ResourceSlice,
} from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { node, podSpec, VirtualCluster } from '../testing/virtual-cluster.ts'

const group = 'resource.k8s.io/v1'
const gpu: KubeObject = {
  apiVersion: group,
  kind: 'DeviceClass',
  metadata: { name: 'gpu' },
  ...{ spec: { selectors: [{ cel: { expression: 'device.driver == "d.io"' } }] } },
}

const slice = (nodeName: string, ...roots: readonly string[]): ResourceSlice => ({
  apiVersion: group,
  kind: 'ResourceSlice',
  metadata: { name: nodeName },
  spec: {
    driver: 'd.io',
    nodeName,
    pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
    devices: roots.map((root, index) => ({ name: `gpu-${index}`, attributes: { root: { string: root } } })),
  },
})

const exactly = (count: number, more: object = {}): DeviceRequest => ({
  name: 'r',
  exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count, ...more },
})

const claim = (name: string, request: DeviceRequest, more: object = {}): KubeObject => ({
  apiVersion: group,
  kind: 'ResourceClaim',
  metadata: { name },
  ...{ spec: { devices: { requests: [request], ...more } } },
})

const pod = (name: string, use: object): Pod =>
  buildPod(name, { spec: podSpec({ cpu: '100m' }, { resourceClaims: [{ name: 'r', ...use }] }) })

const homes = (cluster: VirtualCluster): Record<string, string> =>
  Object.fromEntries(cluster.pods().map((one) => [one.metadata.name, one.spec.nodeName ?? '-']))

const why = (cluster: VirtualCluster, name: string): string | undefined =>
  cluster
    .pods()
    .find((one) => one.metadata.name === name)
    ?.status?.conditions?.find((one) => one.type === 'PodScheduled')?.message

const claims = async (cluster: VirtualCluster): Promise<readonly ResourceClaim[]> =>
  (await cluster.cluster.client.list(kinds.ResourceClaim)).items

test('a pod runs where its devices are, holds them, and releases them when it ends', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(gpu, node('a', { cpu: '4' }), node('b', { cpu: '4' }), slice('b', 'x'))
  await cluster.apply(claim('first', exactly(1)), claim('second', exactly(1)))
  await cluster.apply(pod('first', { resourceClaimName: 'first' }))
  await cluster.settle()
  await cluster.apply(pod('second', { resourceClaimName: 'second' }))
  await cluster.settle()
  expect(homes(cluster)).toEqual({ first: 'b', second: '-' })
  expect(why(cluster, 'second')).toBe('0/2 nodes are available: 2 cannot allocate all claims.')
  const [first] = await claims(cluster)
  expect(first?.status?.allocation?.devices?.results).toEqual([
    { request: 'r', driver: 'd.io', pool: 'b', device: 'gpu-0' },
  ])
  expect(first?.status?.reservedFor?.map(({ name }) => name)).toEqual(['first'])
  await cluster.cluster.client.delete(kinds.Pod, { namespace: 'default', name: 'first' })
  await cluster.settle()
  expect(homes(cluster)).toEqual({ second: 'b' })
  expect((await claims(cluster))[0]?.status?.allocation).toBeUndefined()
})

test('claims are created from templates, one for each pod, and deleted with it', async () => {
  await using cluster = await VirtualCluster.start()
  const template: KubeObject = {
    apiVersion: group,
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'one' },
    ...{ spec: { spec: { devices: { requests: [exactly(1)] } } } },
  }
  await cluster.apply(gpu, node('a', { cpu: '4' }), slice('a', 'x', 'y'))
  const names = ['p', 'q', 'r'] as const
  await cluster.apply(...names.map((name) => pod(name, { resourceClaimTemplateName: 'one' })))
  await cluster.settle()
  expect(why(cluster, 'p')).toContain('ResourceClaim not created yet')
  await cluster.apply(template)
  await cluster.settle()
  expect(Object.values(homes(cluster)).sort()).toEqual(['-', 'a', 'a'])
  expect(await claims(cluster)).toHaveLength(3)
  for (const name of names) await cluster.cluster.client.delete(kinds.Pod, { namespace: 'default', name })
  await cluster.settle()
  expect(await claims(cluster)).toEqual([])
})

test('pods share a claim on its node, and missing or unreadable claims keep their pod pending', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(gpu, node('a', { cpu: '4' }), node('b', { cpu: '4' }), slice('a', 'x'), slice('b', 'x'))
  await cluster.apply(
    claim('shared', exactly(1)),
    claim('broken', exactly(1, { selectors: [{ cel: { expression: 'device.' } }] })),
  )
  await cluster.apply(
    pod('p', { resourceClaimName: 'shared' }),
    pod('q', { resourceClaimName: 'shared' }),
    pod('lost', { resourceClaimName: 'none' }),
    pod('broken', { resourceClaimName: 'broken' }),
  )
  await cluster.settle()
  const { p, q, ...others } = homes(cluster)
  expect(p).toBe(q)
  expect(p).not.toBe('-')
  expect(others).toEqual({ lost: '-', broken: '-' })
  expect(why(cluster, 'lost')).toContain('resourceclaim.resource.k8s.io "none" not found')
})

test('constraints, allocation mode All, and the first available alternative are supported', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(gpu, node('a', { cpu: '4' }), slice('a', 'x', 'y', 'y'), node('b', { cpu: '4' }), slice('b', 'z'))
  const only = (root: string) => ({
    selectors: [{ cel: { expression: `device.attributes["d.io"].root == "${root}"` } }],
  })
  await cluster.apply(
    claim('pair', exactly(2), { constraints: [{ matchAttribute: 'd.io/root' }] }),
    claim('first', {
      name: 'r',
      firstAvailable: [
        { name: 'none', deviceClassName: 'gpu', ...only('w') },
        { name: 'all', deviceClassName: 'gpu', allocationMode: 'All', ...only('z') },
      ],
    }),
  )
  await cluster.apply(pod('pair', { resourceClaimName: 'pair' }), pod('first', { resourceClaimName: 'first' }))
  await cluster.settle()
  expect(homes(cluster)).toEqual({ pair: 'a', first: 'b' })
  const results = (await claims(cluster)).map(({ status }) =>
    status?.allocation?.devices?.results?.map(({ request, device }) => `${request} ${device}`),
  )
  expect(results).toEqual([['r/all gpu-0'], ['r gpu-1', 'r gpu-2']])
})
