import {
  type DeviceRequest,
  type KubeObject,
  kinds,
  type Pod,
  type ResourceClaim,
  type ResourceSlice,
} from '@kerf/apis'
import { expect, test } from 'vitest'
import { node, podSpec, Story } from '../cluster/story.ts'

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

const pod = (name: string, use: object): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: podSpec({ cpu: '100m' }, { resourceClaims: [{ name: 'r', ...use }] }),
})

const homes = (story: Story): Record<string, string> =>
  Object.fromEntries(story.pods().map((one) => [one.metadata.name ?? '', one.spec.nodeName ?? '-']))

const why = (story: Story, name: string): string | undefined =>
  story
    .pods()
    .find((one) => one.metadata.name === name)
    ?.status?.conditions?.find((one) => one.type === 'PodScheduled')?.message

const claims = async (story: Story): Promise<readonly ResourceClaim[]> =>
  (await story.cluster.client.list(kinds.ResourceClaim)).items

test('a pod goes where its devices are, holds them, and gives them back when it ends', async () => {
  await using story = await Story.start()
  await story.apply(gpu, node('a', { cpu: '4' }), node('b', { cpu: '4' }), slice('b', 'x'))
  await story.apply(claim('first', exactly(1)), claim('second', exactly(1)))
  await story.apply(pod('first', { resourceClaimName: 'first' }))
  await story.settle()
  await story.apply(pod('second', { resourceClaimName: 'second' }))
  await story.settle()
  expect(homes(story)).toEqual({ first: 'b', second: '-' })
  expect(why(story, 'second')).toBe('0/2 nodes are available: 2 cannot allocate all claims.')
  const [first] = await claims(story)
  expect(first?.status?.allocation?.devices?.results).toEqual([
    { request: 'r', driver: 'd.io', pool: 'b', device: 'gpu-0' },
  ])
  expect(first?.status?.reservedFor?.map(({ name }) => name)).toEqual(['first'])
  await story.cluster.client.delete(kinds.Pod, { namespace: 'default', name: 'first' })
  await story.settle()
  expect(homes(story)).toEqual({ second: 'b' })
  expect((await claims(story))[0]?.status?.allocation).toBeUndefined()
})

test('claims are made from templates, one for each pod, and go with it', async () => {
  await using story = await Story.start()
  const template: KubeObject = {
    apiVersion: group,
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'one' },
    ...{ spec: { spec: { devices: { requests: [exactly(1)] } } } },
  }
  await story.apply(gpu, node('a', { cpu: '4' }), slice('a', 'x', 'y'))
  const names = ['p', 'q', 'r'] as const
  await story.apply(...names.map((name) => pod(name, { resourceClaimTemplateName: 'one' })))
  await story.settle()
  expect(why(story, 'p')).toContain('ResourceClaim not created yet')
  await story.apply(template)
  await story.settle()
  expect(Object.values(homes(story)).sort()).toEqual(['-', 'a', 'a'])
  expect(await claims(story)).toHaveLength(3)
  for (const name of names) await story.cluster.client.delete(kinds.Pod, { namespace: 'default', name })
  await story.settle()
  expect(await claims(story)).toEqual([])
})

test('pods share a claim on its node; claims that are missing or cannot be read hold their pod up', async () => {
  await using story = await Story.start()
  await story.apply(gpu, node('a', { cpu: '4' }), node('b', { cpu: '4' }), slice('a', 'x'), slice('b', 'x'))
  await story.apply(
    claim('shared', exactly(1)),
    claim('broken', exactly(1, { selectors: [{ cel: { expression: 'device.' } }] })),
  )
  await story.apply(
    pod('p', { resourceClaimName: 'shared' }),
    pod('q', { resourceClaimName: 'shared' }),
    pod('lost', { resourceClaimName: 'none' }),
    pod('broken', { resourceClaimName: 'broken' }),
  )
  await story.settle()
  const { p, q, ...others } = homes(story)
  expect(p).toBe(q)
  expect(p).not.toBe('-')
  expect(others).toEqual({ lost: '-', broken: '-' })
  expect(why(story, 'lost')).toContain('resourceclaim.resource.k8s.io "none" not found')
})

test('constraints, all, and the first that can be had', async () => {
  await using story = await Story.start()
  await story.apply(gpu, node('a', { cpu: '4' }), slice('a', 'x', 'y', 'y'), node('b', { cpu: '4' }), slice('b', 'z'))
  const only = (root: string) => ({
    selectors: [{ cel: { expression: `device.attributes["d.io"].root == "${root}"` } }],
  })
  await story.apply(
    claim('pair', exactly(2), { constraints: [{ matchAttribute: 'd.io/root' }] }),
    claim('first', {
      name: 'r',
      firstAvailable: [
        { name: 'none', deviceClassName: 'gpu', ...only('w') },
        { name: 'all', deviceClassName: 'gpu', allocationMode: 'All', ...only('z') },
      ],
    }),
  )
  await story.apply(pod('pair', { resourceClaimName: 'pair' }), pod('first', { resourceClaimName: 'first' }))
  await story.settle()
  expect(homes(story)).toEqual({ pair: 'a', first: 'b' })
  const results = (await claims(story)).map(({ status }) =>
    status?.allocation?.devices?.results?.map(({ request, device }) => `${request} ${device}`),
  )
  expect(results).toEqual([['r/all gpu-0'], ['r gpu-1', 'r gpu-2']])
})
