import {
  annotations,
  finalizers,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  type Pod,
  type PodDisruptionBudget,
  taints,
} from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { apiError, LifeWorld, plain } from '../testing/life-world.ts'

const minutes = (count: number): number => count * 60_000
const SLOW = 'pod-delete.stage.kwok.x-k8s.io/delay'
const everything = { tolerations: [{ operator: 'Exists' }] } as const

/** A world with one initialised node. */
const withNode = async (options: Parameters<typeof LifeWorld.create>[0] = {}, traits = {}) => {
  const world = await LifeWorld.create(options)
  await world.readyClaim('a', traits)
  const node = await world.node()
  return { world, node, name: node.metadata.name ?? '' }
}

const budget = async (world: LifeWorld, name: string, app: string): Promise<PodDisruptionBudget> =>
  await world.admin.create(kinds.PodDisruptionBudget, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app } }, maxUnavailable: 0 },
  })

const messages = (world: LifeWorld, reason: string): readonly string[] =>
  world.events.events.filter((event) => event.reason === reason).map(({ message }) => message)

describe('a node is deleted', () => {
  test('it is cordoned and drained, its instance ends, the finalizer goes last, and the claim goes too', async () => {
    const { world, node, name } = await withNode({ kwok: { instanceTerminationDelay: 3_000 } })
    await world.pod('web', name, {
      metadata: { annotations: { [SLOW]: '2s' } },
      spec: { terminationGracePeriodSeconds: 30 },
    })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(500)
    const leaving = await world.node()
    expect(leaving.spec.taints).toContainEqual(taints.disrupted)
    expect(leaving.metadata.labels?.[labels.excludeFromLoadBalancers]).toBe('karpenter')
    expect((await world.readClaim())?.metadata.deletionTimestamp).toBeDefined()
    expect(await world.condition('Drained')).toBe('Unknown Draining')
    expect(messages(world, 'FailedDraining')[0]).toBe('Failed to drain node, 1 pods are waiting to be evicted')
    await world.pass(7_000)
    expect(await world.pods()).toEqual([])
    expect(await world.condition('Drained')).toBe('True Drained')
    expect(await world.condition('VolumesDetached')).toBe('True VolumesDetached')
    expect(await world.condition('InstanceTerminating')).toBe('True InstanceTerminating')
    expect(await world.condition('Ready')).toBe('True Ready')
    expect((await world.node()).metadata.finalizers).toEqual([finalizers.termination])
    await world.pass(6_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodes_terminated_total', { nodepool: 'default' })).toBe(1)
    expect(await world.metric('karpenter_nodes_drained_total')).toBe(1)
    expect(await world.metric('karpenter_nodes_termination_duration_seconds_count')).toBe(1)
    expect(await world.metric('karpenter_nodes_lifetime_duration_seconds_count')).toBe(1)
    expect(await world.metric('karpenter_nodeclaims_terminated_total', { capacity_type: 'spot' })).toBe(1)
    expect(await world.metric('karpenter_nodeclaims_instance_termination_duration_seconds_count')).toBe(1)
    expect(await world.metric('karpenter_nodeclaims_termination_duration_seconds_count')).toBe(1)
    expect(await world.metric('karpenter_pods_drained_total', { reason: 'Forceful Termination' })).toBe(1)
    expect(world.log.messages('error')).toEqual([])
  })

  test('even an empty node drains for five seconds', async () => {
    const { world, node } = await withNode()
    await world.delete(kinds.Node, node)
    await world.pass(3_900)
    expect(await world.condition('Drained')).toBe('Unknown Draining')
    await world.pass(2_500)
    expect(await world.nodes()).toEqual([])
  })

  test('a node without a claim is drained and let go at once', async () => {
    const { world, node, name } = await withNode()
    world.kill()
    await world.patch(karpenterKinds.NodeClaim, (await world.readClaim()) as NodeClaim, {
      metadata: { finalizers: null },
    })
    await world.admin.delete(karpenterKinds.NodeClaim, { name: 'a' }, { propagationPolicy: 'Orphan' })
    await world.pod('web', name)
    await world.delete(kinds.Node, node)
    world.start()
    await world.pass(3_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.pods()).toEqual([])
  })

  test('with two claims of its provider ID it is treated as one without a claim', async () => {
    const { world, node } = await withNode()
    await world.claim('b', {
      spec: { nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } },
    })
    await world.pass(3_000)
    const b = (await world.readClaim('b')) as NodeClaim
    await world.patch(karpenterKinds.NodeClaim, b, { status: { providerID: node.spec.providerID } }, 'status')
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(3_000)
    expect(await world.read(kinds.Node, node.metadata.name ?? '')).toBeUndefined()
    expect((await world.readClaim('a'))?.metadata.deletionTimestamp).toBeUndefined()
  })

  test('a node of somebody else is not touched', async () => {
    const world = await LifeWorld.create()
    const foreign = await world.admin.create(kinds.Node, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'foreign', finalizers: [finalizers.termination] },
      spec: {},
    })
    await world.delete(kinds.Node, foreign)
    await world.pass(10_000)
    expect((await world.node()).spec.taints ?? []).not.toContainEqual(taints.disrupted)
  })

  test('many nodes at once do not get into each other’s way', async () => {
    const world = await LifeWorld.create()
    for (const name of ['a', 'b', 'c', 'd']) await world.readyClaim(name)
    for (const node of await world.nodes()) {
      await world.pod(`pod-${node.metadata.name}`, node.metadata.name ?? '')
      await world.delete(kinds.Node, node)
    }
    await world.pass(15_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.pods()).toEqual([])
    for (const name of ['a', 'b', 'c', 'd']) expect(await world.readClaim(name)).toBeUndefined()
  })

  test('a taint of the same key with another effect is replaced', async () => {
    const { world, node } = await withNode()
    await world.patch(kinds.Node, node, { spec: { taints: [{ key: taints.disrupted.key, effect: 'NoExecute' }] } })
    await world.delete(kinds.Node, await world.node())
    await world.pass(500)
    const found = (await world.node()).spec.taints?.filter(({ key }) => key === taints.disrupted.key)
    expect(found).toEqual([taints.disrupted])
  })

  test('a foreign finalizer survives, and keeps the node', async () => {
    const { world, node } = await withNode()
    await world.patch(kinds.Node, node, { metadata: { finalizers: [finalizers.termination, 'example.com/mine'] } })
    await world.delete(kinds.Node, await world.node())
    await world.pass(15_000)
    expect((await world.node()).metadata.finalizers).toEqual(['example.com/mine'])
    expect(await world.metric('karpenter_nodes_terminated_total')).toBe(1)
  })
})

describe('which pods leave', () => {
  test('those that tolerate the disruption taint, static ones and finished ones stay', async () => {
    const { world, node, name } = await withNode()
    const uid = node.metadata.uid ?? ''
    await world.pod('exists', name, { spec: everything })
    await world.pod('equal', name, {
      spec: { tolerations: [{ key: taints.disrupted.key, operator: 'Equal', effect: 'NoSchedule' }] },
    })
    await world.pod('cordon', name, {
      spec: { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }] },
    })
    await world.pod('static', name, {
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
    })
    const finished = await world.pod('finished', name)
    await world.pass(500)
    await world.patch(kinds.Pod, finished, { status: { phase: 'Succeeded' } }, 'status')
    const evicted: string[] = []
    world.fault = (call, when) => {
      if (call.verb === 'evict' && when === 'before') evicted.push(call.ref?.name ?? '')
      return undefined
    }
    await world.delete(kinds.Node, node)
    await world.pass(8_000)
    expect(evicted).toEqual(['cordon'])
    expect(await world.nodes()).toEqual([])
  })

  test('ordinary pods, ordinary daemons, critical pods, critical daemons: one tier after the other', async () => {
    const { world, node, name } = await withNode()
    const daemon = await world.admin.create(kinds.DaemonSet, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template: {
          metadata: { labels: { app: 'agent' } },
          spec: { nodeSelector: { nowhere: 'true' }, containers: [{ name: 'main', image: 'main' }] },
        },
      },
    })
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: daemon.metadata.uid ?? '' }
    const slow = { annotations: { [SLOW]: '2s' } }
    const grace = { terminationGracePeriodSeconds: 30 }
    const critical = { ...grace, priorityClassName: 'system-cluster-critical' }
    await world.pod('d-critical-daemon', name, {
      metadata: { ...slow, ownerReferences: [owner] },
      spec: { ...grace, priorityClassName: 'system-node-critical' },
    })
    await world.pod('c-critical', name, { metadata: slow, spec: critical })
    await world.pod('b-daemon', name, { metadata: { ...slow, ownerReferences: [owner] }, spec: grace })
    await world.pod('a-web', name, { metadata: slow, spec: grace })
    await world.pass(500)
    const order: string[] = []
    const alive: number[] = []
    world.fault = (call, when) => {
      if (call.verb === 'evict' && when === 'before') {
        order.push(call.ref?.name ?? '')
        alive.push(world.api.list(kinds.Pod, {}).items.length)
      }
      return undefined
    }
    await world.delete(kinds.Node, node)
    await world.pass(30_000)
    expect(order).toEqual(['a-web', 'b-daemon', 'c-critical', 'd-critical-daemon'])
    expect(alive).toEqual([4, 3, 2, 1])
  })

  test('a stuck pod is given up a minute after its end was due', async () => {
    const { world, node, name } = await withNode()
    await world.pod('stuck', name, {
      metadata: { finalizers: ['example.com/never'] },
      spec: { terminationGracePeriodSeconds: 5 },
    })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(55_000)
    expect(await world.nodes()).toHaveLength(1)
    await world.pass(35_000)
    expect(await world.nodes()).toEqual([])
  })

  test('do-not-disrupt keeps a pod, and the node, until the annotation goes', async () => {
    const { world, node, name } = await withNode()
    const pod = await world.pod('shy', name, { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(20))
    expect(await world.pods()).toEqual(['shy'])
    await world.patch(kinds.Pod, pod, { metadata: { annotations: { [annotations.doNotDisrupt]: null } } })
    await world.pass(30_000)
    expect(await world.nodes()).toEqual([])
  })

  test('do-not-disrupt for a time keeps it for that time; what is no time is warned about and ignored', async () => {
    const { world, node, name } = await withNode()
    await world.pod('hour', name, { metadata: { annotations: { [annotations.doNotDisrupt]: '1h' } } })
    await world.pod('false', name, { metadata: { annotations: { [annotations.doNotDisrupt]: 'false' } } })
    await world.pass(1_000)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(59))
    expect(await world.pods()).toEqual(['hour'])
    expect(messages(world, 'DoNotDisruptUntil')[0]).toMatch(
      /^The karpenter.sh\/do-not-disrupt grace period will elapse at /,
    )
    await world.pass(minutes(2))
    expect(await world.nodes()).toEqual([])
  })

  test('a new pod of an old name is not evicted for the old one', async () => {
    const { world, node, name } = await withNode()
    await budget(world, 'block', 'web')
    const pod = await world.pod('web', name, { metadata: { labels: { app: 'web' } } })
    await world.pass(1_000)
    await world.delete(kinds.Node, node)
    await world.pass(2_000)
    await world.admin.delete(kinds.Pod, { name: 'web', namespace: 'default' }, { gracePeriodSeconds: 0 })
    await world.pod('web', 'elsewhere')
    await world.pass(20_000)
    expect((await world.read(kinds.Pod, 'web', 'default'))?.metadata.uid).not.toBe(pod.metadata.uid)
    expect(messages(world, 'Evicted')).toEqual([])
    expect(await world.nodes()).toEqual([])
  })
})

describe('disruption budgets', () => {
  test('one that allows nothing keeps pod and node, until it is relaxed', async () => {
    const { world, node, name } = await withNode()
    const pdb = await budget(world, 'block', 'web')
    await world.pod('web', name, { metadata: { labels: { app: 'web' } } })
    await world.pass(1_000)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(10))
    expect(await world.pods()).toEqual(['web'])
    expect(messages(world, 'FailedDraining')).toContain(
      'Failed to drain node, evicting pod violates a PDB (Pod=default/web)',
    )
    expect(await world.metric('karpenter_pods_eviction_requests_total', { code: '429' })).toBeGreaterThan(5)
    await world.patch(kinds.PodDisruptionBudget, pdb, { spec: { maxUnavailable: null, minAvailable: 0 } })
    await world.pass(30_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.metric('karpenter_pods_eviction_requests_total', { code: '200' })).toBe(1)
    expect(messages(world, 'Evicted')).toEqual(['Evicted pod: Forceful Termination'])
  })

  test('two on one pod have their own text', async () => {
    const { world, node, name } = await withNode()
    for (const one of ['one', 'two']) await budget(world, one, 'web')
    await world.pod('web', name, { metadata: { labels: { app: 'web' } } })
    await world.pass(1_000)
    await world.delete(kinds.Node, node)
    await world.pass(5_000)
    expect(messages(world, 'FailedDraining')).toContain(
      'Failed to drain node, eviction does not support multiple PDBs (Pod=default/web)',
    )
  })

  test('the reason of a disruption is told', async () => {
    const { world, node, name } = await withNode()
    const claim = (await world.readClaim()) as NodeClaim
    const conditions = [
      ...(claim.status?.conditions ?? []),
      { type: 'DisruptionReason', status: 'True', reason: 'Drifted', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]
    await world.patch(karpenterKinds.NodeClaim, claim, { status: { conditions } }, 'status')
    await world.pod('web', name)
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(5_000)
    expect(messages(world, 'Evicted')).toEqual(['Evicted pod: Drifted'])
    expect(await world.metric('karpenter_pods_drained_total', { reason: 'Drifted' })).toBe(1)
  })
})

describe('the deadline of terminationGracePeriod', () => {
  const grace = (seconds: number): { spec: Partial<Pod['spec']> } => ({
    spec: { terminationGracePeriodSeconds: seconds },
  })
  const shy = { annotations: { [annotations.doNotDisrupt]: 'true', [SLOW]: '1h' } }

  test('is written once, when the claim is deleted; a claim without the field has none', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await world.pod('shy', name, { metadata: shy, ...grace(60) })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(1_000)
    const claim = (await world.readClaim()) as NodeClaim
    const deadline = claim.metadata.annotations?.[annotations.terminationTimestamp] ?? ''
    expect(Date.parse(deadline) - Date.parse(claim.metadata.deletionTimestamp ?? '')).toBe(300_000)
    expect(messages(world, 'TerminationGracePeriodExpiring')[0]).toBe(`All pods will be deleted by ${deadline}`)
    const other = await withNode()
    await other.world.delete(kinds.Node, other.node)
    await other.world.pass(1_000)
    expect((await other.world.readClaim())?.metadata.annotations?.[annotations.terminationTimestamp]).toBeUndefined()
  })

  test('one that is there already stays', async () => {
    const { world, node } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    const claim = (await world.readClaim()) as NodeClaim
    await world.patch(karpenterKinds.NodeClaim, claim, {
      metadata: { annotations: { [annotations.terminationTimestamp]: '2026-01-01T00:00:01Z' } },
    })
    await world.delete(kinds.Node, node)
    await world.pass(1_000)
    expect((await world.readClaim())?.metadata.annotations?.[annotations.terminationTimestamp]).toBe(
      '2026-01-01T00:00:01Z',
    )
  })

  test('a pod of 60 s under 300 s lives at 90 s and is deleted at 240 s, with what is left', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await world.pod('shy', name, { metadata: shy, ...grace(60) })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(90_000)
    expect((await world.read(kinds.Pod, 'shy', 'default'))?.metadata.deletionTimestamp).toBeUndefined()
    await world.pass(148_000)
    expect((await world.read(kinds.Pod, 'shy', 'default'))?.metadata.deletionTimestamp).toBeUndefined()
    await world.pass(5_000)
    const deleted = (await world.read(kinds.Pod, 'shy', 'default')) as Pod
    expect(deleted.metadata.deletionTimestamp).toBeDefined()
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeGreaterThanOrEqual(55)
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeLessThanOrEqual(60)
    expect(messages(world, 'Disrupted')[0]).toContain(
      'This bypasses the PDB of the pod and the do-not-disrupt annotation',
    )
    await world.pass(70_000)
    expect(await world.nodes()).toEqual([])
  })

  test('a pod whose grace is the whole time is deleted at once, past its budget', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await budget(world, 'block', 'web')
    await world.pod('web', name, { metadata: { labels: { app: 'web' }, annotations: { [SLOW]: '1h' } }, ...grace(300) })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(4_000)
    const deleted = (await world.read(kinds.Pod, 'web', 'default')) as Pod
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeGreaterThan(290)
    expect(messages(world, 'Disrupted')).not.toEqual([])
  })

  test('a critical pod that is due does not wait for an ordinary one that a budget holds', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await budget(world, 'block', 'web')
    await world.pod('web', name, { metadata: { labels: { app: 'web' } }, ...grace(10) })
    await world.pod('critical', name, {
      spec: { terminationGracePeriodSeconds: 300, priorityClassName: 'system-cluster-critical' },
    })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(10_000)
    expect(await world.pods()).toEqual(['web'])
  })

  test('a pod that was deleted with too long a grace is deleted again with a shorter one', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '210s' } })
    await world.pod('slow', name, { metadata: { annotations: { [SLOW]: '2h' } }, ...grace(6_000) })
    await world.pass(500)
    await world.admin.delete(kinds.Pod, { name: 'slow', namespace: 'default' })
    await world.delete(kinds.Node, node)
    await world.pass(3_000)
    const shortened = (await world.read(kinds.Pod, 'slow', 'default'))?.metadata.deletionGracePeriodSeconds
    expect(shortened).toBeGreaterThan(200)
    expect(shortened).toBeLessThanOrEqual(210)
  })

  test('past the deadline a pod gets one second, never none', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    const granted: (number | undefined)[] = []
    const past = { metadata: { annotations: { [annotations.terminationTimestamp]: '2025-12-31T23:00:00Z' } } }
    await world.patch(karpenterKinds.NodeClaim, (await world.readClaim()) as NodeClaim, past)
    await world.pod('late', name, { metadata: { annotations: { [SLOW]: '1h' } }, ...grace(30) })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    for (let step = 0; step < 20; step++) {
      await world.pass(100)
      granted.push((await world.read(kinds.Pod, 'late', 'default'))?.metadata.deletionGracePeriodSeconds)
    }
    expect(granted.filter((seconds) => seconds !== undefined)).toContain(1)
    expect(granted).not.toContain(0)
  })

  test('a deadline that cannot be read stops everything with an error, until it is corrected', async () => {
    const { world, node } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    const set = async (value: string) =>
      await world.patch(karpenterKinds.NodeClaim, (await world.readClaim()) as NodeClaim, {
        metadata: { annotations: { [annotations.terminationTimestamp]: value } },
      })
    await set('soon')
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(2))
    expect(await world.nodes()).toHaveLength(1)
    expect((await world.node()).spec.taints ?? []).not.toContainEqual(taints.disrupted)
    expect(world.log.messages('error')).toContain('Reconciler error')
    await set('2026-01-01T01:00:00Z')
    await world.pass(30_000)
    expect(await world.nodes()).toEqual([])
  })
})

describe('volumes', () => {
  const attach = async (world: LifeWorld, nodeName: string, volume = 'pv') => {
    world.volumesStick = true
    await world.admin.create(kinds.VolumeAttachment, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: `va-${volume}` },
      spec: { attacher: 'csi.example.com', nodeName, source: { persistentVolumeName: volume } },
    })
  }

  test('attached ones are waited for', async () => {
    const { world, node, name } = await withNode()
    await attach(world, name)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(2))
    expect(await world.condition('VolumesDetached')).toBe('Unknown AwaitingVolumeDetachment')
    expect(messages(world, 'AwaitingVolumeDetachment')[0]).toBe('Awaiting deletion of bound volumeattachments (va-pv)')
    await world.admin.delete(kinds.VolumeAttachment, { name: 'va-pv' })
    await world.pass(5_000)
    expect(await world.nodes()).toEqual([])
  })

  test('not those of pods that stay', async () => {
    const { world, node, name } = await withNode()
    await world.admin.create(kinds.PersistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { volumeName: 'pv', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
    await world.pod('stays', name, {
      spec: { ...everything, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
    })
    await attach(world, name)
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(10_000)
    expect(await world.nodes()).toEqual([])
  })

  test('they are given up after the deadline', async () => {
    const { world, node, name } = await withNode(
      { kwok: { instanceTerminationDelay: 30_000 } },
      { spec: { terminationGracePeriod: '60s' } },
    )
    await attach(world, name)
    await world.delete(kinds.Node, node)
    await world.pass(58_000)
    expect(await world.condition('VolumesDetached')).toBe('Unknown AwaitingVolumeDetachment')
    await world.pass(5_000)
    expect(await world.condition('VolumesDetached')).toBe('False TerminationGracePeriodElapsed')
    await world.pass(40_000)
    expect(await world.nodes()).toEqual([])
  })
})

describe('the instance', () => {
  test('gone under a node that is not ready: the node is let go in the middle of its drain', async () => {
    const { world, node, name } = await withNode({
      provider: (kwok) =>
        Object.assign(plain(kwok), { get: () => Promise.reject(new NodeClaimNotFoundError('it is gone')) }),
    })
    await budget(world, 'block', 'web')
    await world.pod('web', name, { metadata: { labels: { app: 'web' } } })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(20_000)
    // Ready: it goes on draining although the instance is gone.
    expect(await world.nodes()).toHaveLength(1)
    await world.patch(kinds.Node, await world.node(), {
      metadata: { annotations: { 'karpenter.kwok.sh/kubelet': 'stopped' } },
    })
    await world.pass(minutes(2))
    expect(await world.nodes()).toEqual([])
  })

  test('an error of the provider is tried again', async () => {
    const { world, node } = await withNode()
    world.outages.failNext('terminate', new Error('the cloud is down'))
    await world.delete(kinds.Node, node)
    await world.pass(5_500)
    await world.pass(10_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
    expect(world.log.messages('error')).toContain('Reconciler error')
  })
})

describe('a claim is deleted', () => {
  test('its node is deleted and drained first', async () => {
    const { world, name } = await withNode()
    await world.pod('web', name)
    await world.pass(500)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    await world.pass(500)
    expect((await world.node()).metadata.deletionTimestamp).toBeDefined()
    await world.pass(15_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.pods()).toEqual([])
  })

  test('that never launched loses its finalizer, without a call to the provider', async () => {
    const deleted: string[] = []
    const world = await LifeWorld.create({
      provider: (kwok) =>
        Object.assign(plain(kwok), {
          create: () => Promise.reject(new Error('never')),
          delete: async (claim: NodeClaim) => void deleted.push(claim.metadata.name ?? ''),
        }),
    })
    await world.claim()
    await world.pass(1_000)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    await world.pass(1_000)
    expect(await world.readClaim()).toBeUndefined()
    expect(deleted).toEqual([])
  })

  test('before its node appears, no node is left behind', async () => {
    const world = await LifeWorld.create({ registrationDelay: '30s' })
    await world.claim()
    await world.pass(5_000)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    await world.pass(1_000)
    expect(await world.readClaim()).toBeUndefined()
    await world.pass(minutes(5))
    expect(await world.nodes()).toEqual([])
  })

  test('several nodes with its provider ID are all deleted and waited for', async () => {
    const { world, node } = await withNode()
    const { metadata, spec } = node
    await world.admin.create(kinds.Node, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'twin', finalizers: ['example.com/mine'], labels: { ...metadata.labels } },
      spec: { providerID: spec.providerID ?? '' },
    })
    await world.pass(500)
    await world.delete(karpenterKinds.NodeClaim, await world.readClaim())
    await world.pass(20_000)
    expect((await world.nodes()).map((each) => each.metadata.name)).toEqual(['twin'])
    expect(await world.readClaim()).toBeDefined()
    await world.patch(kinds.Node, await world.node(), { metadata: { finalizers: null } })
    await world.pass(10_000)
    expect(await world.readClaim()).toBeUndefined()
  })

  test('of another node class kind is left to others', async () => {
    const world = await LifeWorld.create()
    const foreign = await world.claim('a', {
      metadata: { finalizers: [finalizers.termination] },
      spec: { nodeClassRef: { group: 'other.sh', kind: 'OtherNodeClass', name: 'x' } },
    })
    await world.delete(karpenterKinds.NodeClaim, foreign)
    await world.pass(10_000)
    expect(await world.readClaim()).toBeDefined()
  })

  test('the termination mode and the conditions survive API errors of every kind', async () => {
    const { world, node, name } = await withNode({ kwok: { instanceTerminationDelay: 2_000 } })
    await world.pod('web', name)
    await world.pass(500)
    const codes = [409, 429, 500, 503]
    let count = 0
    world.fault = (call, when) => {
      if (when !== 'before' || call.verb === 'watch' || call.verb === 'list') return undefined
      count++
      return count % 3 === 0 ? apiError(codes[count % codes.length] ?? 500) : undefined
    }
    await world.delete(kinds.Node, node)
    await world.pass(minutes(3))
    world.fault = undefined
    await world.pass(minutes(2))
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodes_terminated_total')).toBe(1)
  })
})
