import { groupVersion, kinds, type Pod } from '@kerf/apis'
import {
  type ApiError,
  isConflict,
  isExpired,
  isNotFound,
  type KubeClient,
  SeededRandom,
  VirtualClock,
} from '@kerf/runtime'
import { node as buildNode, pod as buildPod } from '@kerf/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { SandboxApi } from './sandbox-api.ts'

let clock: VirtualClock
let api: SandboxApi
let client: KubeClient

beforeEach(() => {
  clock = new VirtualClock()
  api = new SandboxApi({ clock, random: new SeededRandom(1) })
  client = api.client()
})

const pod = (name: string, more: Partial<Pod['spec']> = {}): Pod =>
  buildPod(name, {
    labels: { app: name },
    requests: { cpu: '1000m' },
    container: { image: 'nginx:1.27' },
    spec: more,
  })

describe('objects', () => {
  test('a new pod gets the defaults of the API server', async () => {
    const created = await client.create(kinds.Pod, pod('a'))
    expect(created.metadata).toMatchObject({ generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' })
    expect(created.spec).toMatchObject({
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      schedulerName: 'default-scheduler',
      priority: 0,
      containers: [{ imagePullPolicy: 'IfNotPresent', resources: { requests: { cpu: '1' } } }],
    })
    expect(created.spec.tolerations).toHaveLength(2)
    expect(created.status).toEqual({ phase: 'Pending', qosClass: 'Burstable' })
    expect(Object.isFrozen(created.spec.containers[0])).toBe(true)
    expect(await client.get(kinds.Pod, { name: 'a', namespace: 'default' })).toBe(created)
  })

  test('a stale update conflicts, and an update without changes writes nothing', async () => {
    const created = await client.create(kinds.Pod, pod('a'))
    const labelled = await client.update(kinds.Pod, {
      ...created,
      metadata: { ...created.metadata, labels: { b: 'c' } },
    })
    expect(labelled.metadata.generation).toBe(1)
    await expect(client.update(kinds.Pod, created)).rejects.toSatisfy(isConflict)
    expect(await client.update(kinds.Pod, labelled)).toBe(labelled)
  })

  test('a bound pod stops gracefully, and grace period zero deletes it immediately', async () => {
    await client.create(kinds.Pod, pod('a'))
    await client.bind({ name: 'a', namespace: 'default' }, 'node-1')
    await client.delete(kinds.Pod, { name: 'a', namespace: 'default' })
    const stopping = await client.get(kinds.Pod, { name: 'a', namespace: 'default' })
    expect(stopping.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:30Z',
      deletionGracePeriodSeconds: 30,
    })
    await client.delete(kinds.Pod, { name: 'a', namespace: 'default' }, { gracePeriodSeconds: 0 })
    await expect(client.get(kinds.Pod, { name: 'a', namespace: 'default' })).rejects.toSatisfy(isNotFound)
  })

  test('a deleted object with a finalizer stays until the finalizer is removed', async () => {
    const node = buildNode('n', { metadata: { finalizers: ['karpenter.sh/termination'] } })
    await client.create(kinds.Node, node)
    await client.delete(kinds.Node, { name: 'n' })
    const waiting = await client.get(kinds.Node, { name: 'n' })
    expect(waiting.metadata.deletionTimestamp).toBeDefined()
    await client.patch(kinds.Node, { name: 'n' }, { type: 'merge', body: { metadata: { finalizers: null } } })
    await expect(client.get(kinds.Node, { name: 'n' })).rejects.toSatisfy(isNotFound)
  })
})

describe('lists and watches', () => {
  test('all pages of a list show the same revision', async () => {
    for (const name of ['a', 'b', 'c']) await client.create(kinds.Pod, pod(name))
    const first = await client.list(kinds.Pod, { limit: 2 })
    expect(first.items.map((one) => one.metadata.name)).toEqual(['a', 'b'])
    expect(first.metadata.remainingItemCount).toBe(1)
    await client.create(kinds.Pod, pod('d'))
    const token = first.metadata.continue ?? ''
    const second = await client.list(kinds.Pod, { limit: 2, continue: token })
    expect(second.items.map((one) => one.metadata.name)).toEqual(['c'])
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    api.compact()
    await expect(client.list(kinds.Pod, { limit: 2, continue: token })).rejects.toSatisfy(isExpired)
  })

  test('a watch with a selector reports objects that begin or cease to match', async () => {
    const { metadata } = await client.list(kinds.Pod, {})
    const seen: string[] = []
    const stop = new AbortController()
    const watching = (async () => {
      for await (const event of client.watch(kinds.Pod, {
        labelSelector: 'app=a',
        resourceVersion: metadata.resourceVersion ?? '',
        signal: stop.signal,
      })) {
        if (event.type !== 'BOOKMARK') seen.push(event.type)
        if (seen.length === 3) return
      }
    })()
    await client.create(kinds.Pod, pod('a'))
    await client.create(kinds.Pod, pod('b'))
    const ref = { name: 'a', namespace: 'default' }
    await client.patch(kinds.Pod, ref, { type: 'merge', body: { metadata: { annotations: { x: 'y' } } } })
    await client.patch(kinds.Pod, ref, { type: 'merge', body: { metadata: { labels: { app: 'z' } } } })
    await watching
    expect(seen).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
  })

  test('a watch from a revision before the compaction has expired', async () => {
    await client.create(kinds.Pod, pod('a'))
    api.compact()
    const events = client.watch(kinds.Pod, { resourceVersion: '1' })[Symbol.asyncIterator]()
    await expect(events.next()).rejects.toSatisfy(isExpired)
  })

  test('an interceptor can fail a write that has taken effect', async () => {
    const failing = api.client({
      interceptor: {
        after: () => {
          throw new Error('lost answer')
        },
      },
    })
    await expect(failing.create(kinds.Pod, pod('a'))).rejects.toThrow('lost answer')
    expect((await client.list(kinds.Pod, {})).items).toHaveLength(1)
  })
})

test('an unknown resource and a missing namespace get different errors', async () => {
  await expect(client.get({ ...kinds.Pod, plural: 'pots' }, { name: 'a', namespace: 'default' })).rejects.toThrow(
    'the server could not find the requested resource',
  )
  const error = await client
    .create(kinds.Pod, { ...pod('a'), metadata: { name: 'a', namespace: 'nowhere' } })
    .catch((caught: ApiError) => caught)
  expect(error).toMatchObject({ code: 404, message: 'namespaces "nowhere" not found' })
  expect(groupVersion(kinds.Pod)).toBe('v1')
})
