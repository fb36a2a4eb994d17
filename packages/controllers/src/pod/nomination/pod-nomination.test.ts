import { kinds, labels, type Pod, taints } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { ApiError } from '@kerf/runtime'
import { node, nodeClassRef } from '@kerf/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import {
  bindPod,
  createPendingPods,
  createPool,
  createPoolOfType,
  Harness,
  makeNodesReady,
} from '../../testing/harness/index.ts'

// More than 400 lines, because all tests use the same helpers, which act as kube-scheduler and the kubelet.

let harness: Harness
afterEach(() => harness.stop())

const givenBack = (): readonly unknown[] =>
  harness.log.lines.filter(({ message }) => message.startsWith('removing nomination(s)')).map(({ fields }) => fields)

const nominated = async (): Promise<readonly (string | undefined)[]> =>
  (await harness.admin.list(kinds.Pod)).items.map((pod: Pod) => pod.status?.nominatedNodeName)
const nodeNames = async (): Promise<readonly string[]> =>
  (await harness.admin.list(kinds.Node)).items.map(({ metadata }) => metadata.name ?? '')

const planned = async (pods: number): Promise<string> => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await createPendingPods(harness, pods, { requests: { cpu: '500m' } })
  await harness.pass(5_000)
  const [name = '', ...others] = await nodeNames()
  expect(others).toEqual([])
  return name
}

test('pods are nominated for the node they were planned for, as soon as it exists', async () => {
  const name = await planned(3)
  expect(await nominated()).toEqual([name, name, name])
})

test('pods are nominated at once for a node with free capacity, and the nominations use up that capacity', async () => {
  const name = await planned(3)
  const [first] = (await harness.admin.list(kinds.Pod)).items
  if (first !== undefined) await bindPod(harness, first, name)
  await createPendingPods(harness, 5, { requests: { cpu: '500m' } }, 'late')
  await harness.pass(5_000)
  expect(await nominated()).toEqual(Array.from({ length: 8 }, () => name))
  // The node's eight nominated pods count as if they were bound, so there is not enough capacity for nine more pods.
  await createPendingPods(harness, 9, { requests: { cpu: '500m' } }, 'more')
  await harness.pass(5_000)
  expect(await nodeNames()).toHaveLength(2)
})

test('when the node is deleted, its nominations are removed, and the pods get another node', async () => {
  const name = await planned(2)
  await harness.admin.delete(kinds.Node, { name })
  await harness.pass(60_000)
  const [other = '', ...others] = await nodeNames()
  expect(others).toEqual([])
  expect(other).not.toBe(name)
  expect(await nominated()).toEqual([other, other])
})

test('a pod that is not bound to its ready node within the timeout loses its nomination', async () => {
  const name = await planned(1)
  await makeNodesReady(harness)
  await harness.pass(10_000)
  expect(await nominated()).toEqual([name])
  await harness.pass(20_000)
  expect(givenBack()).toEqual([{ Pods: 'default/pod-0', pods: 1, Node: { name } }])
})

test('without permission to patch pods/status Kerf continues, logs it once, and nominates once it is permitted', async () => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  harness.fault = ({ verb, subresource, kind }, when) =>
    when === 'before' && verb === 'patch' && subresource === 'status' && kind?.kind === 'Pod'
      ? new ApiError({ code: 403, reason: 'Forbidden', message: 'pods "pod-0" is forbidden' })
      : undefined
  await createPendingPods(harness, 4)
  await harness.pass(10_000)
  expect(await nodeNames()).toHaveLength(1)
  expect(await nominated()).toEqual([undefined, undefined, undefined, undefined])
  expect(harness.log.lines.filter(({ message }) => message.includes('pods are not nominated'))).toHaveLength(1)
  const off = 'kerf_refused_by_api_server{action="patch pods/status"}'
  expect(await harness.metrics.text()).toContain(`${off} 1`)
  harness.fault = () => undefined
  await createPendingPods(harness, 1, {}, 'later')
  await harness.pass(60_000)
  expect((await nominated()).some((node) => node !== undefined)).toBe(true)
  expect(await harness.metrics.text()).toContain(`${off} 0`)
})

test('pods with a hard spread constraint are nominated for a node one after the other', async () => {
  harness = await Harness.create()
  const zones = { key: labels.zone, operator: 'In' as const, values: ['test-zone-a', 'test-zone-b'] }
  const type = { key: labels.instanceType, operator: 'In' as const, values: ['s-8x-amd64-linux'] }
  await createPool(harness, 'general', {
    template: { spec: { nodeClassRef, expireAfter: 'Never', requirements: [zones, type] } },
  })
  const topologySpreadConstraints = [
    {
      maxSkew: 1,
      topologyKey: labels.zone,
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ]
  await createPendingPods(harness, 6, {
    metadata: { labels: { app: 'web' } },
    requests: { cpu: '1' },
    spec: { topologySpreadConstraints },
  })
  await harness.pass(5_000)
  expect(await nodeNames()).toHaveLength(2)
  const waiting = async (): Promise<readonly Pod[]> =>
    (await harness.admin.list(kinds.Pod)).items.filter(({ spec }) => spec.nodeName === undefined)
  for (let left = 6; left > 0; left -= 2) {
    const named = (await waiting()).filter(({ status }) => status?.nominatedNodeName !== undefined)
    expect(new Set(named.map(({ status }) => status?.nominatedNodeName)).size).toBe(2)
    expect(named).toHaveLength(2)
    for (const pod of named) await bindPod(harness, pod, pod.status?.nominatedNodeName ?? '')
    await harness.pass(1_000)
  }
  expect(await waiting()).toEqual([])
})

test('a nomination that another client writes after the decision is not overwritten', async () => {
  const name = await planned(1)
  const other = await harness.admin.create(kinds.Node, node('other'))
  const [pod] = (await harness.admin.list(kinds.Pod)).items
  const ref = { name: pod?.metadata.name ?? '', namespace: 'default' }
  const rename = (nominatedNodeName: string): Promise<Pod> =>
    harness.admin.patch(
      kinds.Pod,
      ref,
      { type: 'merge', body: { status: { nominatedNodeName } } },
      { subresource: 'status' },
    )
  let reported = 0
  harness.fault = ({ verb, kind, subresource }, when) => {
    if (when === 'before' && verb === 'patch' && kind?.kind === 'Pod' && subresource === 'status') reported++
    return undefined
  }
  await rename(other.metadata.name ?? '')
  await harness.pass(1_000)
  expect(await nominated()).toEqual(['other'])
  expect(reported).toBe(0)
  // Kerf does not wait for a deleted node.
  await harness.admin.delete(kinds.Node, { name: 'other' })
  await harness.pass(15_000)
  expect(await nominated()).toEqual([name])
})

test('while kube-scheduler binds other pods, a pod keeps its nomination for at most two minutes', async () => {
  const name = await planned(15)
  await makeNodesReady(harness)
  const waiting = async (): Promise<readonly Pod[]> =>
    (await harness.admin.list(kinds.Pod)).items.filter(({ spec }) => spec.nodeName === undefined)
  const left: number[] = []
  for (let turn = 0; turn < 12; turn++) {
    await harness.pass(10_000)
    const named = (await waiting()).filter(({ status }) => status?.nominatedNodeName === name)
    left.push(named.length)
    const [next] = named
    if (next !== undefined) await bindPod(harness, next, name)
  }
  expect(left.slice(0, 11)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5])
  expect(givenBack()).toEqual([
    { Pods: expect.stringMatching(/^(default\/pod-[6-9](, |$)){4}$/), pods: 4, Node: { name } },
  ])
})

test('one log line reports all pods that were not bound to their node, and names five of them', async () => {
  const name = await planned(12)
  await makeNodesReady(harness)
  const written = new Set<string | undefined>()
  harness.fault = ({ verb, kind, subresource, ref }, when) => {
    if (when === 'before' && verb === 'patch' && kind?.kind === 'Pod' && subresource === 'status')
      written.add(ref?.name)
    return undefined
  }
  await harness.pass(22_000)
  expect(givenBack()).toEqual([
    {
      Pods: expect.stringMatching(/^(default\/pod-\d+, ){4}default\/pod-\d+ and 7 other\(s\)$/),
      pods: 12,
      Node: { name },
    },
  ])
  expect(written.size).toBe(12)
})

/** Clears the nomination, as kube-scheduler does after each failed attempt. */
const takeNameAway = async (name: string): Promise<void> => {
  const ref = { name, namespace: 'default' }
  const body = { status: { nominatedNodeName: null } }
  await harness.admin.patch(kinds.Pod, ref, { type: 'merge', body }, { subresource: 'status' })
}

/** Replaces the taints of a node. */
const leave = async (name: string, taints: readonly object[]): Promise<void> => {
  await harness.admin.patch(kinds.Node, { name }, { type: 'merge', body: { spec: { taints } } })
}

test('a nomination cleared before the node opens is written again after two seconds, and again when the node opens', async () => {
  const name = await planned(1)
  await takeNameAway('pod-0')
  await harness.pass(100)
  expect(await nominated()).toEqual([name])
  await takeNameAway('pod-0')
  await harness.pass(1_500)
  expect(await nominated()).toEqual([undefined])
  await harness.pass(500)
  expect(await nominated()).toEqual([name])
  await takeNameAway('pod-0')
  await leave(name, [])
  await harness.pass(100)
  expect(await nominated()).toEqual([name])
})

test('a nomination that was just cleared is written again before the node opens', async () => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await createPendingPods(harness, 1)
  /** The pod's nomination at each attempt to let the Node accept pods. */
  const atOpening: (string | undefined)[] = []
  harness.fault = async ({ verb, kind }, when) => {
    if (verb !== 'patch' || kind?.kind !== kinds.Node.kind || when !== 'before') return undefined
    const [name] = await nominated()
    if (name === undefined) return undefined
    atOpening.push(name)
    if (atOpening.length > 1) return undefined
    await takeNameAway('pod-0')
    return new ApiError({ code: 500, reason: 'InternalError', message: 'etcd has no leader' })
  }
  await harness.pass(2_000)
  const [name] = await nodeNames()
  expect(atOpening.slice(0, 2)).toEqual([name, name])
})

/** Creates two pods that need separate nodes, from two pools with these registration delays. */
const plannedApart = async (first: string, second: string): Promise<void> => {
  harness = await Harness.create()
  const pools = [
    ['one', 's-8x-amd64-linux', first],
    ['two', 's-4x-amd64-linux', second],
  ] as const
  for (const [name, type, nodeRegistrationDelay] of pools) {
    const { metadata: _, ...nodeClass } = await harness.admin.get(kwokNodeClassKind, { name: 'default' })
    await harness.admin.create(kwokNodeClassKind, {
      ...nodeClass,
      metadata: { name },
      spec: { ...nodeClass.spec, nodeRegistrationDelay },
    })
    const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: [type] }]
    await createPool(harness, name, {
      template: { spec: { nodeClassRef: { ...nodeClassRef, name }, expireAfter: 'Never', requirements } },
    })
    await createPendingPods(harness, 1, { spec: { nodeSelector: { [labels.nodePool]: name } } }, name)
  }
}

const openNodes = async (): Promise<number> =>
  (await harness.admin.list(kinds.Node)).items.filter(
    ({ spec }) => !spec.taints?.some(({ key }) => key === taints.unregistered.key),
  ).length

test('a node waits a moment before it opens if another node of its plan may appear soon', async () => {
  await plannedApart('0s', '1h')
  await harness.pass(2_500)
  expect([(await nodeNames()).length, await openNodes()]).toEqual([1, 0])
  await harness.pass(2_000)
  expect(await openNodes()).toBe(1)
})

test('if the nodes of a plan appear at different times, they do not wait for each other', async () => {
  await plannedApart('20s', '60s')
  await harness.pass(22_000)
  expect([(await nodeNames()).length, await openNodes()]).toEqual([1, 1])
})

/** Writes the pod status that kube-scheduler writes after a failed attempt, with this message. */
const refuse = async (name: string, message: string): Promise<void> => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }]
  const body = { status: { nominatedNodeName: null, conditions } }
  await harness.admin.patch(
    kinds.Pod,
    { name, namespace: 'default' },
    { type: 'merge', body },
    { subresource: 'status' },
  )
}

test('a pod refused on the open node loses its nomination within two seconds and is planned again', async () => {
  const name = await planned(2)
  await makeNodesReady(harness)
  await harness.pass(100)
  await refuse('pod-0', '0/1 nodes are available: 1 Insufficient cpu.')
  await harness.pass(1_000)
  expect(givenBack()).toEqual([])
  await harness.pass(1_000)
  const words = '0/1 nodes are available: 1 Insufficient cpu.'
  expect(givenBack()).toEqual([{ Pods: 'default/pod-0', pods: 1, Node: { name }, 'kube-scheduler': words }])
  await harness.pass(3_000)
  // The next pass plans with the pods that are bound by then. In this test, the node still has free capacity.
  expect(await nominated()).toEqual([name, name])
})

test('while other pods are bound, the refused pod keeps its nomination for at most five seconds', async () => {
  const name = await planned(8)
  await makeNodesReady(harness)
  await harness.pass(100)
  await refuse('pod-0', "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints.")
  for (let second = 1; second <= 5; second++) {
    expect(givenBack()).toEqual([])
    const next = (await harness.admin.list(kinds.Pod)).items.find(({ metadata }) => metadata.name === `pod-${second}`)
    if (next !== undefined) await bindPod(harness, next, name)
    await harness.pass(1_000)
  }
  expect(givenBack()).toMatchObject([{ Pods: 'default/pod-0', pods: 1 }])
})

test('a failed attempt that may have begun before the node opened does not count as a refusal, but the second one does', async () => {
  const name = await planned(1)
  await makeNodesReady(harness)
  await harness.pass(100)
  await refuse('pod-0', '0/1 nodes are available: 1 node(s) had untolerated taint(s).')
  await harness.pass(100)
  expect(await nominated()).toEqual([name])
  await harness.pass(5_000)
  expect(givenBack()).toEqual([])
  await refuse('pod-0', '0/1 nodes are available: 1 node(s) had untolerated taint(s).')
  await harness.pass(2_000)
  expect(givenBack()).toHaveLength(1)
})

/**
 * Creates two pods with a hard spread constraint that are planned for the same open node, so that only one of them is nominated. Returns
 * the name of the node and the indexes of the nominated pod and of the other pod.
 */
const spreadOnOneNode = async (): Promise<{ name: string; first: number; second: number }> => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  const topologySpreadConstraints = [
    {
      maxSkew: 1,
      topologyKey: labels.zone,
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ]
  const spec = { topologySpreadConstraints, nodeSelector: { [labels.zone]: 'test-zone-a' } }
  await createPendingPods(harness, 2, { metadata: { labels: { app: 'web' } }, requests: { cpu: '500m' }, spec })
  await harness.pass(5_000)
  await makeNodesReady(harness)
  await harness.pass(100)
  const [name = ''] = await nodeNames()
  const names = await nominated()
  // The order of the pods depends on their random UIDs.
  const first = names.indexOf(name)
  expect(names.toSorted()).toEqual([name, undefined])
  return { name, first, second: 1 - first }
}

const bindPodAt = async (index: number, name: string): Promise<void> => {
  const pod = (await harness.admin.list(kinds.Pod)).items[index]
  if (pod !== undefined) await bindPod(harness, pod, name)
}

test('a pod refused on the open node before its nomination is planned again within two seconds after it', async () => {
  const { name, first, second } = await spreadOnOneNode()
  await refuse(`pod-${second}`, "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints.")
  await harness.pass(3_000)
  expect(givenBack()).toEqual([])
  await bindPodAt(first, name)
  await harness.pass(500)
  expect(await nominated()).toEqual([name, name])
  await harness.pass(2_000)
  expect(givenBack()).toMatchObject([{ Pods: `default/pod-${second}`, pods: 1, Node: { name } }])
})

test('a pod refused because of a taint before its nomination keeps it', async () => {
  const { name, first, second } = await spreadOnOneNode()
  await refuse(`pod-${second}`, '0/1 nodes are available: 1 node(s) had untolerated taint(s).')
  await harness.pass(3_000)
  await bindPodAt(first, name)
  await harness.pass(10_000)
  expect(await nominated()).toEqual([name, name])
  expect(givenBack()).toEqual([])
})

test('pods whose capacity another pod has taken are planned again soon, and no more pods than necessary', async () => {
  const name = await planned(14)
  await makeNodesReady(harness)
  await createPendingPods(harness, 1, { requests: { cpu: '1500m' } }, 'stranger')
  const stranger = (await harness.admin.list(kinds.Pod)).items.find(({ metadata }) =>
    metadata.name?.startsWith('stranger'),
  )
  if (stranger !== undefined) await bindPod(harness, stranger, name)
  await harness.pass(3_000)
  expect(givenBack()).toMatchObject([{ pods: 2, Node: { name }, withoutRoom: 2 }])
  await harness.pass(10_000)
  const names = await nominated()
  expect(names.filter((each) => each === name)).toHaveLength(12)
  expect(await nodeNames()).toHaveLength(2)
})

test('a pod whose capacity becomes free again before the timeout keeps its place', async () => {
  const name = await planned(14)
  await makeNodesReady(harness)
  const stranger = await createPendingPods(harness, 1, { requests: { cpu: '1500m' } }, 'stranger')
  for (const pod of stranger) await bindPod(harness, pod, name)
  await harness.pass(1_000)
  for (const { metadata } of stranger) {
    await harness.admin.delete(kinds.Pod, { namespace: 'default', name: metadata.name ?? '' })
  }
  await harness.pass(5_000)
  expect(givenBack()).toEqual([])
  expect(await nominated()).toEqual(Array.from({ length: 14 }, () => name))
})

test('the capacity of a node is checked once a second, even if many pods wait for it', async () => {
  await planned(14)
  await makeNodesReady(harness)
  await harness.pass(500)
  const looks = vi.spyOn(ClaimNodes.prototype, 'podsOn')
  await harness.pass(10_000)
  expect(looks.mock.calls.length).toBeGreaterThan(5)
  expect(looks.mock.calls.length).toBeLessThanOrEqual(10)
  looks.mockRestore()
})

test('pods keep their node while a startup taint stays for long; the timeout starts when the taint is removed', async () => {
  harness = await Harness.create()
  const cni = { key: 'cni.example.com/not-there', effect: 'NoSchedule' } as const
  await createPool(harness, 'general', {
    template: { spec: { nodeClassRef, expireAfter: 'Never', requirements: [], startupTaints: [cni] } },
  })
  await createPendingPods(harness, 1, { requests: { cpu: '500m' } })
  await harness.pass(5_000)
  const [name = ''] = await nodeNames()
  await leave(name, [cni])
  await harness.pass(300_000)
  expect(await nominated()).toEqual([name])
  expect(givenBack()).toEqual([])
  await leave(name, [])
  await harness.pass(19_000)
  expect(givenBack()).toEqual([])
  await harness.pass(3_000)
  expect(givenBack()).toHaveLength(1)
})

test('a pod keeps its nomination for a node with reserved capacity, even if kube-scheduler takes long', async () => {
  const name = await planned(12)
  await makeNodesReady(harness)
  const first = (await harness.admin.list(kinds.Pod)).items.find(({ metadata }) => metadata.name === 'pod-0')
  for (let turn = 0; turn < 10; turn++) {
    await harness.pass(10_000)
    // The other pods are bound and then deleted. Only the reservation of pod-0 remains on the node.
    const other = (await harness.admin.list(kinds.Pod)).items.findLast(({ metadata }) => metadata.name !== 'pod-0')
    if (other === undefined) throw new Error('twelve pods are more than ten')
    await bindPod(harness, other, name)
    await harness.admin.delete(kinds.Pod, { name: other.metadata.name ?? '', namespace: 'default' })
  }
  expect(await nodeNames()).toEqual([name])
  expect(harness.messages('DisruptionBlocked')).toContain('Node is nominated for a pending pod')
  if (first !== undefined) await bindPod(harness, first, name)
})
