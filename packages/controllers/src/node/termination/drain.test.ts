import { annotations, karpenterKinds, kinds, type NodeClaim, taints } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { budget, everything, minutes, SLOW, withNode } from '../../testing/leaving-node.ts'
import { createInstantPodOn } from '../../testing/world/index.ts'

describe('which pods are evicted', () => {
  test('pods that tolerate the disruption taint, static pods and finished pods stay', async () => {
    const { world, node, name } = await withNode()
    const uid = node.metadata.uid ?? ''
    await createInstantPodOn(world, 'exists', name, { spec: everything })
    await createInstantPodOn(world, 'equal', name, {
      spec: { tolerations: [{ key: taints.disrupted.key, operator: 'Equal', effect: 'NoSchedule' }] },
    })
    await createInstantPodOn(world, 'cordon', name, {
      spec: { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }] },
    })
    await createInstantPodOn(world, 'static', name, {
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
    })
    const finished = await createInstantPodOn(world, 'finished', name)
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
    await createInstantPodOn(world, 'd-critical-daemon', name, {
      metadata: { ...slow, ownerReferences: [owner] },
      spec: { ...grace, priorityClassName: 'system-node-critical' },
    })
    await createInstantPodOn(world, 'c-critical', name, { metadata: slow, spec: critical })
    await createInstantPodOn(world, 'b-daemon', name, { metadata: { ...slow, ownerReferences: [owner] }, spec: grace })
    await createInstantPodOn(world, 'a-web', name, { metadata: slow, spec: grace })
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

  test('a stuck pod is ignored a minute after its deletion was due', async () => {
    const { world, node, name } = await withNode()
    await createInstantPodOn(world, 'stuck', name, {
      metadata: { finalizers: ['example.com/never'] },
      spec: { terminationGracePeriodSeconds: 5 },
    })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(3_000)
    const due = Date.parse((await world.read(kinds.Pod, 'stuck', 'default'))?.metadata.deletionTimestamp ?? '')
    await world.pass(due + 59_000 - world.clock.now())
    expect(await world.condition('Drained')).toBe('Unknown Draining')
    await world.pass(5_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.podNames()).toEqual(['stuck'])
  })

  test('do-not-disrupt keeps a pod and its node until the annotation is removed', async () => {
    const { world, node, name } = await withNode()
    const pod = await createInstantPodOn(world, 'shy', name, {
      metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } },
    })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(20))
    expect(await world.podNames()).toEqual(['shy'])
    await world.patch(kinds.Pod, pod, { metadata: { annotations: { [annotations.doNotDisrupt]: null } } })
    await world.pass(30_000)
    expect(await world.nodes()).toEqual([])
  })

  test('do-not-disrupt with a duration protects for that time; an invalid duration is reported and ignored', async () => {
    const { world, node, name } = await withNode()
    await createInstantPodOn(world, 'hour', name, { metadata: { annotations: { [annotations.doNotDisrupt]: '1h' } } })
    await createInstantPodOn(world, 'false', name, {
      metadata: { annotations: { [annotations.doNotDisrupt]: 'false' } },
    })
    await world.pass(1_000)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(59))
    expect(await world.podNames()).toEqual(['hour'])
    expect(world.messages('DoNotDisruptUntil')[0]).toMatch(
      /^The karpenter.sh\/do-not-disrupt grace period will elapse at /,
    )
    await world.pass(minutes(2))
    expect(await world.nodes()).toEqual([])
  })

  test('a new pod with an old name is not evicted in place of the old one', async () => {
    const { world, node, name } = await withNode()
    await budget(world, 'block', 'web')
    const pod = await createInstantPodOn(world, 'web', name, { metadata: { labels: { app: 'web' } } })
    await world.pass(1_000)
    await world.delete(kinds.Node, node)
    await world.pass(2_000)
    await world.admin.delete(kinds.Pod, { name: 'web', namespace: 'default' }, { gracePeriodSeconds: 0 })
    await createInstantPodOn(world, 'web', 'elsewhere')
    await world.pass(20_000)
    expect((await world.read(kinds.Pod, 'web', 'default'))?.metadata.uid).not.toBe(pod.metadata.uid)
    expect(world.messages('Evicted')).toEqual([])
    expect(await world.nodes()).toEqual([])
  })
})

describe('disruption budgets', () => {
  test('a budget that allows nothing keeps pod and node, until it is relaxed', async () => {
    const { world, node, name } = await withNode()
    const pdb = await budget(world, 'block', 'web')
    await createInstantPodOn(world, 'web', name, { metadata: { labels: { app: 'web' } } })
    await world.pass(1_000)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(10))
    expect(await world.podNames()).toEqual(['web'])
    expect(world.messages('FailedDraining')).toContain(
      'Failed to drain node, evicting pod violates a PDB (Pod=default/web)',
    )
    expect(await world.metric('karpenter_pods_eviction_requests_total', { code: '429' })).toBeGreaterThan(5)
    await world.patch(kinds.PodDisruptionBudget, pdb, { spec: { maxUnavailable: null, minAvailable: 0 } })
    await world.pass(30_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.metric('karpenter_pods_eviction_requests_total', { code: '200' })).toBe(1)
    expect(world.messages('Evicted')).toEqual(['Evicted pod: Forceful Termination'])
  })

  test('two budgets on one pod have their own message', async () => {
    const { world, node, name } = await withNode()
    for (const one of ['one', 'two']) await budget(world, one, 'web')
    await createInstantPodOn(world, 'web', name, { metadata: { labels: { app: 'web' } } })
    await world.pass(1_000)
    await world.delete(kinds.Node, node)
    await world.pass(5_000)
    expect(world.messages('FailedDraining')).toContain(
      'Failed to drain node, eviction does not support multiple PDBs (Pod=default/web)',
    )
  })

  test('the reason of a disruption is reported', async () => {
    const { world, node, name } = await withNode()
    const claim = (await world.readClaim()) as NodeClaim
    const conditions = [
      ...(claim.status?.conditions ?? []),
      { type: 'DisruptionReason', status: 'True', reason: 'Drifted', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]
    await world.patch(karpenterKinds.NodeClaim, claim, { status: { conditions } }, 'status')
    await createInstantPodOn(world, 'web', name)
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(5_000)
    expect(world.messages('Evicted')).toEqual(['Evicted pod: Drifted'])
    expect(await world.metric('karpenter_pods_drained_total', { reason: 'Drifted' })).toBe(1)
  })
})
