import { annotations, karpenterKinds, kinds, type NodeClaim, taints } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { createInstantPodOn } from '../../testing/harness/index.ts'
import { budget, everything, minutes, SLOW, withNode } from '../../testing/leaving-node.ts'

describe('the pods that a drain evicts', () => {
  test('pods that tolerate the disruption taint, static pods and finished pods stay', async () => {
    const { harness, node, name } = await withNode()
    const uid = node.metadata.uid ?? ''
    await createInstantPodOn(harness, 'exists', name, { spec: everything })
    await createInstantPodOn(harness, 'equal', name, {
      spec: { tolerations: [{ key: taints.disrupted.key, operator: 'Equal', effect: 'NoSchedule' }] },
    })
    await createInstantPodOn(harness, 'cordon', name, {
      spec: { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }] },
    })
    await createInstantPodOn(harness, 'static', name, {
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
    })
    const finished = await createInstantPodOn(harness, 'finished', name)
    await harness.pass(500)
    await harness.patch(kinds.Pod, finished, { status: { phase: 'Succeeded' } }, 'status')
    const evicted: string[] = []
    harness.fault = (call, when) => {
      if (call.verb === 'evict' && when === 'before') evicted.push(call.ref?.name ?? '')
      return undefined
    }
    await harness.delete(kinds.Node, node)
    await harness.pass(8_000)
    expect(evicted).toEqual(['cordon'])
    expect(await harness.nodes()).toEqual([])
  })

  test('ordinary pods, ordinary daemons, critical pods and critical daemons are evicted tier by tier', async () => {
    const { harness, node, name } = await withNode()
    const daemon = await harness.admin.create(kinds.DaemonSet, {
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
    await createInstantPodOn(harness, 'd-critical-daemon', name, {
      metadata: { ...slow, ownerReferences: [owner] },
      spec: { ...grace, priorityClassName: 'system-node-critical' },
    })
    await createInstantPodOn(harness, 'c-critical', name, { metadata: slow, spec: critical })
    await createInstantPodOn(harness, 'b-daemon', name, {
      metadata: { ...slow, ownerReferences: [owner] },
      spec: grace,
    })
    await createInstantPodOn(harness, 'a-web', name, { metadata: slow, spec: grace })
    await harness.pass(500)
    const order: string[] = []
    const alive: number[] = []
    harness.fault = (call, when) => {
      if (call.verb === 'evict' && when === 'before') {
        order.push(call.ref?.name ?? '')
        alive.push(harness.api.list(kinds.Pod, {}).items.length)
      }
      return undefined
    }
    await harness.delete(kinds.Node, node)
    await harness.pass(30_000)
    expect(order).toEqual(['a-web', 'b-daemon', 'c-critical', 'd-critical-daemon'])
    expect(alive).toEqual([4, 3, 2, 1])
  })

  test('a pod that is still terminating a minute after its grace period is ignored', async () => {
    const { harness, node, name } = await withNode()
    await createInstantPodOn(harness, 'stuck', name, {
      metadata: { finalizers: ['example.com/never'] },
      spec: { terminationGracePeriodSeconds: 5 },
    })
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(3_000)
    const due = Date.parse((await harness.read(kinds.Pod, 'stuck', 'default'))?.metadata.deletionTimestamp ?? '')
    await harness.pass(due + 59_000 - harness.clock.now())
    expect(await harness.condition('Drained')).toBe('Unknown Draining')
    await harness.pass(5_000)
    expect(await harness.nodes()).toEqual([])
    expect(await harness.podNames()).toEqual(['stuck'])
  })

  test('a pod with do-not-disrupt and its node stay until the annotation is removed', async () => {
    const { harness, node, name } = await withNode()
    const pod = await createInstantPodOn(harness, 'shy', name, {
      metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } },
    })
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(minutes(20))
    expect(await harness.podNames()).toEqual(['shy'])
    await harness.patch(kinds.Pod, pod, { metadata: { annotations: { [annotations.doNotDisrupt]: null } } })
    await harness.pass(30_000)
    expect(await harness.nodes()).toEqual([])
  })

  test('do-not-disrupt with a duration protects the pod for that time; an invalid duration is reported and ignored', async () => {
    const { harness, node, name } = await withNode()
    await createInstantPodOn(harness, 'hour', name, { metadata: { annotations: { [annotations.doNotDisrupt]: '1h' } } })
    await createInstantPodOn(harness, 'false', name, {
      metadata: { annotations: { [annotations.doNotDisrupt]: 'false' } },
    })
    await harness.pass(1_000)
    await harness.delete(kinds.Node, node)
    await harness.pass(minutes(59))
    expect(await harness.podNames()).toEqual(['hour'])
    expect(harness.messages('DoNotDisruptUntil')[0]).toMatch(
      /^The karpenter.sh\/do-not-disrupt grace period will elapse at /,
    )
    await harness.pass(minutes(2))
    expect(await harness.nodes()).toEqual([])
  })

  test('a new pod with the name of an old one is not evicted in its place', async () => {
    const { harness, node, name } = await withNode()
    await budget(harness, 'block', 'web')
    const pod = await createInstantPodOn(harness, 'web', name, { metadata: { labels: { app: 'web' } } })
    await harness.pass(1_000)
    await harness.delete(kinds.Node, node)
    await harness.pass(2_000)
    await harness.admin.delete(kinds.Pod, { name: 'web', namespace: 'default' }, { gracePeriodSeconds: 0 })
    await createInstantPodOn(harness, 'web', 'elsewhere')
    await harness.pass(20_000)
    expect((await harness.read(kinds.Pod, 'web', 'default'))?.metadata.uid).not.toBe(pod.metadata.uid)
    expect(harness.messages('Evicted')).toEqual([])
    expect(await harness.nodes()).toEqual([])
  })
})

describe('PodDisruptionBudgets', () => {
  test('pod and node stay while a PDB allows no eviction', async () => {
    const { harness, node, name } = await withNode()
    const pdb = await budget(harness, 'block', 'web')
    await createInstantPodOn(harness, 'web', name, { metadata: { labels: { app: 'web' } } })
    await harness.pass(1_000)
    await harness.delete(kinds.Node, node)
    await harness.pass(minutes(10))
    expect(await harness.podNames()).toEqual(['web'])
    expect(harness.messages('FailedDraining')).toContain(
      'Failed to drain node, evicting pod violates a PDB (Pod=default/web)',
    )
    expect(await harness.metric('karpenter_pods_eviction_requests_total', { code: '429' })).toBeGreaterThan(5)
    await harness.patch(kinds.PodDisruptionBudget, pdb, { spec: { maxUnavailable: null, minAvailable: 0 } })
    await harness.pass(30_000)
    expect(await harness.nodes()).toEqual([])
    expect(await harness.metric('karpenter_pods_eviction_requests_total', { code: '200' })).toBe(1)
    expect(harness.messages('Evicted')).toEqual(['Evicted pod: Forceful Termination'])
  })

  test('two PDBs that select the same pod are reported with a separate message', async () => {
    const { harness, node, name } = await withNode()
    for (const one of ['one', 'two']) await budget(harness, one, 'web')
    await createInstantPodOn(harness, 'web', name, { metadata: { labels: { app: 'web' } } })
    await harness.pass(1_000)
    await harness.delete(kinds.Node, node)
    await harness.pass(5_000)
    expect(harness.messages('FailedDraining')).toContain(
      'Failed to drain node, eviction does not support multiple PDBs (Pod=default/web)',
    )
  })

  test('the Event of an eviction has the reason of the disruption', async () => {
    const { harness, node, name } = await withNode()
    const claim = (await harness.readClaim()) as NodeClaim
    const conditions = [
      ...(claim.status?.conditions ?? []),
      { type: 'DisruptionReason', status: 'True', reason: 'Drifted', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]
    await harness.patch(karpenterKinds.NodeClaim, claim, { status: { conditions } }, 'status')
    await createInstantPodOn(harness, 'web', name)
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(5_000)
    expect(harness.messages('Evicted')).toEqual(['Evicted pod: Drifted'])
    expect(await harness.metric('karpenter_pods_drained_total', { reason: 'Drifted' })).toBe(1)
  })
})
