import { karpenterKinds, kinds, labels, type Pod, taints } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { node, nodeClassRef } from '@kerf/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { ClaimNodes } from '../node-claims/claim-nodes.ts'
import {
  bindPod,
  createPendingPods,
  createPool,
  createPoolOfType,
  makeNodesReady,
  World,
} from '../testing/world/index.ts'

let world: World
afterEach(() => world.stop())

const givenBack = (): readonly unknown[] =>
  world.log.lines.filter(({ message }) => message.startsWith('giving nomination(s) back')).map(({ fields }) => fields)

const nominated = async (): Promise<readonly (string | undefined)[]> =>
  (await world.admin.list(kinds.Pod)).items.map((pod: Pod) => pod.status?.nominatedNodeName)
const nodeNames = async (): Promise<readonly string[]> =>
  (await world.admin.list(kinds.Node)).items.map(({ metadata }) => metadata.name ?? '')

const planned = async (pods: number): Promise<string> => {
  world = await World.create()
  await createPoolOfType(world, 's-8x-amd64-linux')
  await createPendingPods(world, pods, { requests: { cpu: '500m' } })
  await world.pass(5_000)
  const [name = '', ...others] = await nodeNames()
  expect(others).toEqual([])
  return name
}

test('pods are nominated for the node they were planned for, as soon as it is there', async () => {
  const name = await planned(3)
  expect(await nominated()).toEqual([name, name, name])
})

test('a node that has room is named at once, and its room is taken', async () => {
  const name = await planned(3)
  const [first] = (await world.admin.list(kinds.Pod)).items
  if (first !== undefined) await bindPod(world, first, name)
  await createPendingPods(world, 5, { requests: { cpu: '500m' } }, 'late')
  await world.pass(5_000)
  expect(await nominated()).toEqual(Array.from({ length: 8 }, () => name))
  // 8 pods of half a CPU leave no room for 9 more of the same: nominated pods count as if they were bound.
  await createPendingPods(world, 9, { requests: { cpu: '500m' } }, 'more')
  await world.pass(5_000)
  expect(await nodeNames()).toHaveLength(2)
})

test('when the node goes, the nomination goes, and the pods get another node', async () => {
  const name = await planned(2)
  await world.admin.delete(kinds.Node, { name })
  await world.pass(60_000)
  const [other = '', ...others] = await nodeNames()
  expect(others).toEqual([])
  expect(other).not.toBe(name)
  expect(await nominated()).toEqual([other, other])
})

test('a ready node that does not take the pod for a while loses it', async () => {
  const name = await planned(1)
  await makeNodesReady(world)
  await world.pass(10_000)
  expect(await nominated()).toEqual([name])
  await world.pass(20_000)
  expect(givenBack()).toEqual([{ Pods: 'default/pod-0', pods: 1, Node: { name } }])
})

test('without the permission to patch pods/status Kerf goes on, says so once, and nominates when it may', async () => {
  world = await World.create()
  await createPoolOfType(world, 's-8x-amd64-linux')
  world.fault = ({ verb, subresource, kind }, when) =>
    when === 'before' && verb === 'patch' && subresource === 'status' && kind?.kind === 'Pod'
      ? new ApiError({ code: 403, reason: 'Forbidden', message: 'pods "pod-0" is forbidden' })
      : undefined
  await createPendingPods(world, 4)
  await world.pass(10_000)
  expect(await nodeNames()).toHaveLength(1)
  expect(await nominated()).toEqual([undefined, undefined, undefined, undefined])
  expect(world.log.lines.filter(({ message }) => message.includes('pods are not nominated'))).toHaveLength(1)
  const off = 'kerf_refused_by_api_server{action="patch pods/status"}'
  expect(await world.metrics.text()).toContain(`${off} 1`)
  world.fault = () => undefined
  await createPendingPods(world, 1, {}, 'later')
  await world.pass(60_000)
  expect((await nominated()).some((node) => node !== undefined)).toBe(true)
  expect(await world.metrics.text()).toContain(`${off} 0`)
})

test('members of a hard spread are nominated for a node one after the other', async () => {
  world = await World.create()
  const zones = { key: labels.zone, operator: 'In' as const, values: ['test-zone-a', 'test-zone-b'] }
  const type = { key: labels.instanceType, operator: 'In' as const, values: ['s-8x-amd64-linux'] }
  await createPool(world, 'general', {
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
  await createPendingPods(world, 6, {
    metadata: { labels: { app: 'web' } },
    requests: { cpu: '1' },
    spec: { topologySpreadConstraints },
  })
  await world.pass(5_000)
  expect(await nodeNames()).toHaveLength(2)
  const waiting = async (): Promise<readonly Pod[]> =>
    (await world.admin.list(kinds.Pod)).items.filter(({ spec }) => spec.nodeName === undefined)
  for (let left = 6; left > 0; left -= 2) {
    const named = (await waiting()).filter(({ status }) => status?.nominatedNodeName !== undefined)
    expect(new Set(named.map(({ status }) => status?.nominatedNodeName)).size).toBe(2)
    expect(named).toHaveLength(2)
    for (const pod of named) await bindPod(world, pod, pod.status?.nominatedNodeName ?? '')
    await world.pass(1_000)
  }
  expect(await waiting()).toEqual([])
})

test('a name that comes after the decision was told stays: kube-scheduler or a second Kerf is not argued with', async () => {
  const name = await planned(1)
  const other = await world.admin.create(kinds.Node, node('other'))
  const [pod] = (await world.admin.list(kinds.Pod)).items
  const ref = { name: pod?.metadata.name ?? '', namespace: 'default' }
  const rename = (nominatedNodeName: string): Promise<Pod> =>
    world.admin.patch(
      kinds.Pod,
      ref,
      { type: 'merge', body: { status: { nominatedNodeName } } },
      { subresource: 'status' },
    )
  let reported = 0
  world.fault = ({ verb, kind, subresource }, when) => {
    if (when === 'before' && verb === 'patch' && kind?.kind === 'Pod' && subresource === 'status') reported++
    return undefined
  }
  await rename(other.metadata.name ?? '')
  await world.pass(1_000)
  expect(await nominated()).toEqual(['other'])
  expect(reported).toBe(0)
  // What has gone is no place to wait for.
  await world.admin.delete(kinds.Node, { name: 'other' })
  await world.pass(15_000)
  expect(await nominated()).toEqual([name])
})

test('as long as kube-scheduler takes others it is working off its queue: two minutes at the most', async () => {
  const name = await planned(15)
  await makeNodesReady(world)
  const waiting = async (): Promise<readonly Pod[]> =>
    (await world.admin.list(kinds.Pod)).items.filter(({ spec }) => spec.nodeName === undefined)
  const left: number[] = []
  for (let turn = 0; turn < 12; turn++) {
    await world.pass(10_000)
    const named = (await waiting()).filter(({ status }) => status?.nominatedNodeName === name)
    left.push(named.length)
    const [next] = named
    if (next !== undefined) await bindPod(world, next, name)
  }
  expect(left.slice(0, 11)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5])
  expect(givenBack()).toEqual([
    { Pods: expect.stringMatching(/^(default\/pod-[6-9](, |$)){4}$/), pods: 4, Node: { name } },
  ])
})

test('however many pods a node has not taken, their loss is one line, that names five', async () => {
  const name = await planned(12)
  await makeNodesReady(world)
  const written = new Set<string | undefined>()
  world.fault = ({ verb, kind, subresource, ref }, when) => {
    if (when === 'before' && verb === 'patch' && kind?.kind === 'Pod' && subresource === 'status')
      written.add(ref?.name)
    return undefined
  }
  await world.pass(22_000)
  expect(givenBack()).toEqual([
    {
      Pods: expect.stringMatching(/^(default\/pod-\d+, ){4}default\/pod-\d+ and 7 other\(s\)$/),
      pods: 12,
      Node: { name },
    },
  ])
  expect(written.size).toBe(12)
})

/** As kube-scheduler does at each attempt that fails. */
const takeNameAway = async (name: string): Promise<void> => {
  const ref = { name, namespace: 'default' }
  const body = { status: { nominatedNodeName: null } }
  await world.admin.patch(kinds.Pod, ref, { type: 'merge', body }, { subresource: 'status' })
}

/** The taints that are left on a node. */
const leave = async (name: string, taints: readonly object[]): Promise<void> => {
  await world.admin.patch(kinds.Node, { name }, { type: 'merge', body: { spec: { taints } } })
}

test('who loses the name before the node is open hears it again soon, and once more when the node opens', async () => {
  const name = await planned(1)
  await takeNameAway('pod-0')
  await world.pass(100)
  expect(await nominated()).toEqual([name])
  await takeNameAway('pod-0')
  await world.pass(1_500)
  expect(await nominated()).toEqual([undefined])
  await world.pass(500)
  expect(await nominated()).toEqual([name])
  await takeNameAway('pod-0')
  await leave(name, [])
  await world.pass(100)
  expect(await nominated()).toEqual([name])
})

test('who lost the name a moment ago hears it again before the node opens', async () => {
  world = await World.create()
  await createPoolOfType(world, 's-8x-amd64-linux')
  await createPendingPods(world, 1)
  /** The pod's name when the Node is about to be opened, attempt by attempt. */
  const atOpening: (string | undefined)[] = []
  world.fault = async ({ verb, kind }, when) => {
    if (verb !== 'patch' || kind?.kind !== kinds.Node.kind || when !== 'before') return undefined
    const [name] = await nominated()
    if (name === undefined) return undefined
    atOpening.push(name)
    if (atOpening.length > 1) return undefined
    await takeNameAway('pod-0')
    return new ApiError({ code: 500, reason: 'InternalError', message: 'etcd has no leader' })
  }
  await world.pass(2_000)
  const [name] = await nodeNames()
  expect(atOpening.slice(0, 2)).toEqual([name, name])
})

/** Two pods of one plan, each for a node of its own; the second of them comes after `delay`. */
const plannedApart = async (first: string, second: string): Promise<void> => {
  world = await World.create()
  const pools = [
    ['one', 's-8x-amd64-linux', first],
    ['two', 's-4x-amd64-linux', second],
  ] as const
  for (const [name, type, nodeRegistrationDelay] of pools) {
    const { metadata: _, ...nodeClass } = await world.admin.get(karpenterKinds.KWOKNodeClass, { name: 'default' })
    await world.admin.create(karpenterKinds.KWOKNodeClass, {
      ...nodeClass,
      metadata: { name },
      spec: { ...nodeClass.spec, nodeRegistrationDelay },
    })
    const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: [type] }]
    await createPool(world, name, {
      template: { spec: { nodeClassRef: { ...nodeClassRef, name }, expireAfter: 'Never', requirements } },
    })
    await createPendingPods(world, 1, { spec: { nodeSelector: { [labels.nodePool]: name } } }, name)
  }
}

const openNodes = async (): Promise<number> =>
  (await world.admin.list(kinds.Node)).items.filter(
    ({ spec }) => !spec.taints?.some(({ key }) => key === taints.unregistered.key),
  ).length

test('a node opens a moment later when another of the plan may come any moment', async () => {
  await plannedApart('0s', '1h')
  await world.pass(2_500)
  expect([(await nodeNames()).length, await openNodes()]).toEqual([1, 0])
  await world.pass(2_000)
  expect(await openNodes()).toBe(1)
})

test('where the nodes of a plan come at different times, none waits for another', async () => {
  await plannedApart('20s', '60s')
  await world.pass(22_000)
  expect([(await nodeNames()).length, await openNodes()]).toEqual([1, 1])
})

/** The pod's attempt failed, and kube-scheduler says why. */
const refuse = async (name: string, message: string): Promise<void> => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }]
  const body = { status: { nominatedNodeName: null, conditions } }
  await world.admin.patch(kinds.Pod, { name, namespace: 'default' }, { type: 'merge', body }, { subresource: 'status' })
}

test('whom kube-scheduler refuses on the open node loses it within two seconds, he alone, and is planned anew', async () => {
  const name = await planned(2)
  await makeNodesReady(world)
  await world.pass(100)
  await refuse('pod-0', '0/1 nodes are available: 1 Insufficient cpu.')
  await world.pass(1_000)
  expect(givenBack()).toEqual([])
  await world.pass(1_000)
  const words = '0/1 nodes are available: 1 Insufficient cpu.'
  expect(givenBack()).toEqual([{ Pods: 'default/pod-0', pods: 1, Node: { name }, 'kube-scheduler': words }])
  await world.pass(3_000)
  // The next pass decides by what is bound then; here it sees room still.
  expect(await nominated()).toEqual([name, name])
})

test('as long as others are taken the refused pod waits: five seconds at the most', async () => {
  const name = await planned(8)
  await makeNodesReady(world)
  await world.pass(100)
  await refuse('pod-0', "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints.")
  for (let second = 1; second <= 5; second++) {
    expect(givenBack()).toEqual([])
    const next = (await world.admin.list(kinds.Pod)).items.find(({ metadata }) => metadata.name === `pod-${second}`)
    if (next !== undefined) await bindPod(world, next, name)
    await world.pass(1_000)
  }
  expect(givenBack()).toMatchObject([{ Pods: 'default/pod-0', pods: 1 }])
})

test('an attempt that may have begun before the node opened is no refusal; the second one is', async () => {
  const name = await planned(1)
  await makeNodesReady(world)
  await world.pass(100)
  await refuse('pod-0', '0/1 nodes are available: 1 node(s) had untolerated taint(s).')
  await world.pass(100)
  expect(await nominated()).toEqual([name])
  await world.pass(5_000)
  expect(givenBack()).toEqual([])
  await refuse('pod-0', '0/1 nodes are available: 1 node(s) had untolerated taint(s).')
  await world.pass(2_000)
  expect(givenBack()).toHaveLength(1)
})

/** Two pods of a hard spread, planned for one open node. Only the first is named. */
const spreadOnOneNode = async (): Promise<string> => {
  world = await World.create()
  await createPoolOfType(world, 's-8x-amd64-linux')
  const topologySpreadConstraints = [
    {
      maxSkew: 1,
      topologyKey: labels.zone,
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ]
  const spec = { topologySpreadConstraints, nodeSelector: { [labels.zone]: 'test-zone-a' } }
  await createPendingPods(world, 2, { metadata: { labels: { app: 'web' } }, requests: { cpu: '500m' }, spec })
  await world.pass(5_000)
  await makeNodesReady(world)
  await world.pass(100)
  const [name = ''] = await nodeNames()
  expect(await nominated()).toEqual([name, undefined])
  return name
}

const bindFirst = async (name: string): Promise<void> => {
  const [first] = (await world.admin.list(kinds.Pod)).items
  if (first !== undefined) await bindPod(world, first, name)
}

test('whom kube-scheduler refused on the open node before it had a name is planned anew within two seconds of it', async () => {
  const name = await spreadOnOneNode()
  await refuse('pod-1', "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints.")
  await world.pass(3_000)
  expect(givenBack()).toEqual([])
  await bindFirst(name)
  await world.pass(500)
  expect(await nominated()).toEqual([name, name])
  await world.pass(2_000)
  expect(givenBack()).toMatchObject([{ Pods: 'default/pod-1', pods: 1, Node: { name } }])
})

test('whom it refused for a taint before it had a name may still be taken', async () => {
  const name = await spreadOnOneNode()
  await refuse('pod-1', '0/1 nodes are available: 1 node(s) had untolerated taint(s).')
  await world.pass(3_000)
  await bindFirst(name)
  await world.pass(10_000)
  expect(await nominated()).toEqual([name, name])
  expect(givenBack()).toEqual([])
})

test('whose room another pod has taken is planned anew soon, and no more than are too many', async () => {
  const name = await planned(14)
  await makeNodesReady(world)
  await createPendingPods(world, 1, { requests: { cpu: '1500m' } }, 'stranger')
  const stranger = (await world.admin.list(kinds.Pod)).items.find(({ metadata }) =>
    metadata.name?.startsWith('stranger'),
  )
  if (stranger !== undefined) await bindPod(world, stranger, name)
  await world.pass(3_000)
  expect(givenBack()).toMatchObject([{ pods: 2, Node: { name }, withoutRoom: 2 }])
  await world.pass(10_000)
  const names = await nominated()
  expect(names.filter((each) => each === name)).toHaveLength(12)
  expect(await nodeNames()).toHaveLength(2)
})

test('whose room comes back while kube-scheduler is still at work keeps its place', async () => {
  const name = await planned(14)
  await makeNodesReady(world)
  const stranger = await createPendingPods(world, 1, { requests: { cpu: '1500m' } }, 'stranger')
  for (const pod of stranger) await bindPod(world, pod, name)
  await world.pass(1_000)
  for (const { metadata } of stranger) {
    await world.admin.delete(kinds.Pod, { namespace: 'default', name: metadata.name ?? '' })
  }
  await world.pass(5_000)
  expect(givenBack()).toEqual([])
  expect(await nominated()).toEqual(Array.from({ length: 14 }, () => name))
})

test('however many pods wait for a node, its room is looked at once a second', async () => {
  await planned(14)
  await makeNodesReady(world)
  await world.pass(500)
  const looks = vi.spyOn(ClaimNodes.prototype, 'podsOn')
  await world.pass(10_000)
  expect(looks.mock.calls.length).toBeGreaterThan(5)
  expect(looks.mock.calls.length).toBeLessThanOrEqual(10)
  looks.mockRestore()
})

test('a startup taint that stays for long costs no pod its node; patience begins when it goes', async () => {
  world = await World.create()
  const cni = { key: 'cni.example.com/not-there', effect: 'NoSchedule' } as const
  await createPool(world, 'general', {
    template: { spec: { nodeClassRef, expireAfter: 'Never', requirements: [], startupTaints: [cni] } },
  })
  await createPendingPods(world, 1, { requests: { cpu: '500m' } })
  await world.pass(5_000)
  const [name = ''] = await nodeNames()
  await leave(name, [cni])
  await world.pass(300_000)
  expect(await nominated()).toEqual([name])
  expect(givenBack()).toEqual([])
  await leave(name, [])
  await world.pass(19_000)
  expect(givenBack()).toEqual([])
  await world.pass(3_000)
  expect(givenBack()).toHaveLength(1)
})

test('a node is not taken from a pod for which room is kept on it, however long kube-scheduler needs', async () => {
  const name = await planned(12)
  await makeNodesReady(world)
  const first = (await world.admin.list(kinds.Pod)).items.find(({ metadata }) => metadata.name === 'pod-0')
  for (let turn = 0; turn < 10; turn++) {
    await world.pass(10_000)
    // Others are bound and gone at once: the node holds nothing but what it is kept for.
    const other = (await world.admin.list(kinds.Pod)).items.findLast(({ metadata }) => metadata.name !== 'pod-0')
    if (other === undefined) throw new Error('twelve pods are more than ten')
    await bindPod(world, other, name)
    await world.admin.delete(kinds.Pod, { name: other.metadata.name ?? '', namespace: 'default' })
  }
  expect(await nodeNames()).toEqual([name])
  expect(world.messages('DisruptionBlocked')).toContain('Node is nominated for a pending pod')
  if (first !== undefined) await bindPod(world, first, name)
})
