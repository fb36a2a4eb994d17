import { annotations, karpenterKinds, kinds, labels } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import type { DisruptionWorld, DisruptionWorldOptions, Made } from '../testing/disruption-world.ts'
import { nodeClassRef } from '../testing/objects.ts'
import { worldPerTest } from '../testing/world-per-test.ts'

const start = worldPerTest()
const TYPE = 'c-4x-amd64-linux'

const template = {
  spec: {
    nodeClassRef,
    expireAfter: 'Never',
    requirements: [
      { key: labels.instanceType, operator: 'In' as const, values: [TYPE] },
      { key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] },
    ],
  },
}

/** A pool that consolidates nothing and, until `release`, lets nothing go for drift either. */
const held = async (options: DisruptionWorldOptions = {}, name = 'general'): Promise<DisruptionWorld> => {
  const w = await start(options)
  await w.pool(name, { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } }, template)
  return w
}
const release = (w: DisruptionWorld, nodes = '100%', pool = 'general') =>
  w.patchPool(pool, { spec: { disruption: { budgets: [{ nodes }] } } })
/** Makes every node of the pool drift. */
const change = (w: DisruptionWorld, team: string, pool = 'general') =>
  w.patchPool(pool, { spec: { template: { metadata: { labels: { team } } } } })

const drifted = (w: DisruptionWorld, nodepool?: string) =>
  w.metric('karpenter_nodeclaims_disrupted_total', {
    reason: 'drifted',
    ...(nodepool === undefined ? {} : { nodepool }),
  })
const decisions = (w: DisruptionWorld, decision: string) =>
  w.metric('karpenter_voluntary_disruption_decisions_total', { decision, reason: 'drifted', consolidation_type: '' })

const deployedOn = async (w: DisruptionWorld, made: readonly Made[]): Promise<void> => {
  await w.deployment('web', made.length, '3')
  await w.pass(5_000)
}

describe('the condition Drifted (§1.8)', () => {
  test('a changed template, requirements that the labels do not meet; and gone again with the cause', async () => {
    const w = await held()
    const { claim } = await w.node()
    expect(await w.condition('Drifted', claim)).toBeUndefined()
    await change(w, 'a')
    await w.pass(500)
    expect(await w.condition('Drifted', claim)).toBe('True NodePoolDrifted')
    await w.patchPool('general', { spec: { template: { metadata: { labels: null } } } })
    await w.pass(500)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
    const requirements = [{ key: labels.capacityType, operator: 'In', values: ['spot'] }]
    await w.patchPool('general', { spec: { template: { spec: { requirements } } } })
    await w.pass(500)
    expect(await w.condition('Drifted', claim)).toBe('True RequirementsDrifted')
  })

  test('a requirement on a label that the claim lacks drifts it; NotIn and DoesNotExist do not (edge case 134)', async () => {
    const w = await held()
    const { claim } = await w.node()
    const require = async (operator: string, values?: string[]) => {
      const own = { key: 'example.com/team', operator, ...(values === undefined ? {} : { values }) }
      await w.patchPool('general', {
        spec: { template: { spec: { requirements: [...template.spec.requirements, own] } } },
      })
      await w.pass(500)
      return await w.condition('Drifted', claim)
    }
    expect(await require('In', ['a'])).toBe('True RequirementsDrifted')
    expect(await require('NotIn', ['a'])).toBeUndefined()
    expect(await require('DoesNotExist')).toBeUndefined()
    expect(await require('Exists')).toBe('True RequirementsDrifted')
  })

  test('no fingerprint or another version of it: no drift of the template', async () => {
    const w = await held()
    const { claim } = await w.node()
    await w.patch(karpenterKinds.NodeClaim, claim, { metadata: { annotations: { [annotations.nodePoolHash]: null } } })
    await change(w, 'a')
    await w.pass(500)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
  })

  test('an instance type that is not offered any more, after an hour, looked at every half hour at most', async () => {
    let isOffered = true
    let asked = 0
    const w = await held({
      provider: (kwok) => ({
        name: kwok.name,
        nodeClasses: kwok.nodeClasses,
        wellKnownLabels: kwok.wellKnownLabels,
        repairPolicies: kwok.repairPolicies,
        create: (claim, signal) => kwok.create(claim, signal),
        delete: (claim, signal) => kwok.delete(claim, signal),
        get: (id, signal) => kwok.get(id, signal),
        list: (signal) => kwok.list(signal),
        isDrifted: async () => undefined,
        controllers: () => kwok.controllers(),
        instanceTypes: async (pool, signal) => {
          asked++
          const types = await kwok.instanceTypes(pool, signal)
          return isOffered ? types : types.filter(({ name }) => name !== TYPE)
        },
      }),
    })
    const { claim } = await w.node()
    isOffered = false
    await w.pass(3_000_000)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
    await w.pass(1_000_000)
    expect(await w.condition('Drifted', claim)).toBe('True InstanceTypeNotFound')
    expect(asked).toBeGreaterThan(0)
    isOffered = true
    await w.pass(300_000)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
  })
})

describe('drift (§7.18)', () => {
  test('budgets: gauges before, as many as allowed at a time', async () => {
    const w = await held()
    await w.nodes(10)
    await release(w, '30%')
    await w.pass(11_000)
    expect(await w.metric('karpenter_nodepools_allowed_disruptions', { reason: 'Drifted' })).toBe(3)
    expect(await w.metric('karpenter_nodepools_nodes_consuming_budgets', { reason: 'Drifted' })).toBe(0)
    await change(w, 'a')
    await w.pass(500)
    let most = 0
    for (let step = 0; step < 120 && (await w.staying()).length > 0; step++) {
      await w.pass(500)
      const claims = await w.claims()
      most = Math.max(most, claims.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length)
    }
    expect(await drifted(w)).toBe(10)
    expect(most).toBeLessThanOrEqual(3)
    expect(await decisions(w, 'delete')).toBe(10)
  })

  test('a busy node is replaced: the new one is ready before the old one goes, and it may cost more', async () => {
    const w = await held({ registrationDelay: '20s' })
    const made = await w.nodes(1)
    await deployedOn(w, made)
    await w.patchPool('general', {
      spec: {
        template: {
          spec: { requirements: [{ key: labels.instanceType, operator: 'In', values: ['m-8x-amd64-linux'] }] },
        },
      },
    })
    await release(w)
    await w.pass(11_000)
    const [old] = made
    if (old === undefined) throw new Error()
    expect(await w.isStaying(old)).toBe(true)
    expect(await decisions(w, 'replace')).toBe(1)
    expect((await w.readNode(old.node)).spec.taints).toMatchObject([{ key: 'karpenter.sh/disrupted' }])
    const created = { reason: 'drifted', nodepool: 'general' }
    expect(await w.metric('karpenter_nodeclaims_created_total', created)).toBe(1)
    await w.pass(60_000)
    expect(await w.isStaying(old)).toBe(false)
    const running = (await w.admin.list(kinds.Pod)).items.filter(({ status }) => status?.phase === 'Running')
    expect(running.length).toBe(1)
    expect((await w.staying()).length).toBe(1)
  })

  test('one node may become several', async () => {
    const w = await held()
    await w.patchPool('general', {
      spec: { template: { spec: { requirements: [template.spec.requirements[1]] } } },
    })
    const big = await w.node({ type: 'c-16x-amd64-linux' })
    await w.deployment('web', 3, '3')
    await w.pass(4_000)
    await w.patchPool('general', { spec: { template: { spec: { requirements: template.spec.requirements } } } })
    await release(w)
    await w.pass(60_000)
    expect(await w.isStaying(big)).toBe(false)
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'drifted' })).toBe(3)
    expect((await w.staying()).length).toBe(3)
  })

  test('empty before busy, and of the busy ones the oldest first, one at a time', async () => {
    const w = await held({ registrationDelay: '30s' })
    const [first, second, empty] = await w.nodes(3)
    if (first === undefined || second === undefined || empty === undefined) throw new Error()
    await w.pod('one', first.node, { cpu: '3' })
    await w.pod('two', second.node, { cpu: '3' })
    const hash = (made: Made, value: string) =>
      w.patch(karpenterKinds.NodeClaim, made.claim, {
        metadata: { annotations: { [annotations.nodePoolHash]: value } },
      })
    await hash(second, '1')
    await w.pass(5_000)
    await hash(first, '1')
    await w.pass(5_000)
    await hash(empty, '1')
    await w.pass(500)
    await release(w, '1')
    await w.pass(12_000)
    expect(await w.isStaying(empty)).toBe(false)
    await w.pass(15_000)
    expect(await w.condition('DisruptionReason', second.claim)).toBe('True Drifted')
    expect(await w.condition('DisruptionReason', first.claim)).toBeUndefined()
  })

  test('a node whose pods would find no place is told and passed over', async () => {
    const w = await held()
    const [stuck, free] = await w.nodes(2)
    if (stuck === undefined || free === undefined) throw new Error()
    await w.patch(kinds.Node, stuck.node, { metadata: { labels: { home: 'here' } } })
    await w.pod('pinned', stuck.node, { spec: { nodeSelector: { home: 'here' } } })
    await w.pod('other', free.node)
    await w.pass(200)
    await change(w, 'a')
    await w.pass(200)
    await release(w)
    await w.pass(60_000)
    expect(await w.isStaying(stuck)).toBe(true)
    expect(await w.isStaying(free)).toBe(false)
    expect(w.messages('DisruptionBlocked', stuck.node)[0]).toMatch(/^Not all pods would schedule, default\/pinned => /)
  })

  test('do-not-disrupt: on the node only "true"; on a pod unless terminationGracePeriod ends it anyway', async () => {
    const w = await held()
    const [yes, no, guarded, ended] = await w.nodes(3)
    const last = await w.node({ spec: { terminationGracePeriod: '1h' } })
    if (yes === undefined || no === undefined || guarded === undefined) throw new Error()
    expect(ended).toBeUndefined()
    const guard = { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }
    await w.patch(kinds.Node, yes.node, guard)
    await w.patch(kinds.Node, no.node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'false' } } })
    await w.pod('guarded', guarded.node, guard)
    await w.pod('ended', last.node, guard)
    await change(w, 'a')
    await w.pass(500)
    await release(w)
    await w.pass(30_000)
    expect(await w.staying()).toEqual([yes.claim, guarded.claim].sort())
    // No capacity for a pod that may not be moved.
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'drifted' })).toBe(0)
  })

  test('a duration on a pod blocks until it has passed', async () => {
    const w = await held()
    const made = await w.node()
    await w.pod('guarded', made.node, { metadata: { annotations: { [annotations.doNotDisrupt]: '5m' } } })
    await change(w, 'a')
    await release(w)
    await w.pass(280_000)
    expect(await w.isStaying(made)).toBe(true)
    await w.pass(60_000)
    expect(await w.isStaying(made)).toBe(false)
  })

  test('budgets of ten pools do not mix', async () => {
    const w = await start()
    const pools = ['a', 'b', 'c']
    for (const pool of pools) {
      await w.pool(pool, { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } }, template)
      await w.nodes(2, { pool })
    }
    for (const pool of pools) await change(w, 'x', pool)
    await w.pass(300)
    await release(w, '1', 'b')
    await w.pass(40_000)
    expect([await drifted(w, 'a'), await drifted(w, 'b'), await drifted(w, 'c')]).toEqual([0, 2, 0])
  })
})

describe('a replacement that fails (§7.20)', () => {
  test('the node is opened again, without reason and mark', async () => {
    const w = await held({ registrationDelay: '1h' })
    await w.patch(karpenterKinds.KWOKNodeClass, 'default', { spec: { nodeRegistrationDelay: '0s' } })
    const made = await w.node()
    await w.pod('busy', made.node, { cpu: '3' })
    await w.patch(karpenterKinds.KWOKNodeClass, 'default', { spec: { nodeRegistrationDelay: '1h' } })
    await change(w, 'a')
    await w.pass(300)
    await release(w)
    await w.pass(11_000)
    expect((await w.readNode(made.node)).spec.taints).toMatchObject([{ key: 'karpenter.sh/disrupted' }])
    expect(await w.condition('DisruptionReason', made.claim)).toBe('True Drifted')
    await w.patchPool('general', { spec: { disruption: { budgets: [{ nodes: '0' }] } } })
    const replacement = (await w.claims()).find(({ metadata }) => metadata.name !== made.claim)
    await w.admin.delete(karpenterKinds.NodeClaim, { name: replacement?.metadata.name ?? '' })
    await w.pass(3_000)
    expect((await w.readNode(made.node)).spec.taints ?? []).toEqual([])
    expect(await w.condition('DisruptionReason', made.claim)).toBeUndefined()
    expect(w.kerf.disruption.queue.size).toBe(0)
    const failed = { decision: 'replace', reason: 'drifted', consolidation_type: 'replace' }
    expect(await w.metric('karpenter_voluntary_disruption_queue_failures_total', failed)).toBe(1)
  })

  test('a replacement that does not come up in ten minutes gives up the command, not before', async () => {
    const w = await held({ registrationDelay: '1h' })
    await w.patch(karpenterKinds.KWOKNodeClass, 'default', { spec: { nodeRegistrationDelay: '0s' } })
    const made = await w.node()
    await w.pod('busy', made.node, { cpu: '3' })
    await w.patch(karpenterKinds.KWOKNodeClass, 'default', { spec: { nodeRegistrationDelay: '1h' } })
    await change(w, 'a')
    await w.pass(300)
    await release(w)
    await w.pass(11_000)
    await w.patchPool('general', { spec: { disruption: { budgets: [{ nodes: '0' }] } } })
    await w.pass(580_000)
    expect((await w.readNode(made.node)).spec.taints).toMatchObject([{ key: 'karpenter.sh/disrupted' }])
    await w.pass(40_000)
    expect((await w.readNode(made.node)).spec.taints ?? []).toEqual([])
    expect(await w.isStaying(made)).toBe(true)
    expect((await w.staying()).length).toBe(2)
  })

  test('a node that vanishes while its replacement comes up ends the command all the same (edge case 99)', async () => {
    const w = await held({ registrationDelay: '30s' })
    const made = await w.node()
    await w.pod('busy', made.node, { cpu: '3' })
    await w.pass(300)
    await change(w, 'a')
    await w.pass(300)
    await release(w)
    await w.pass(12_000)
    expect(w.kerf.disruption.queue.size).toBe(1)
    await w.patch(karpenterKinds.NodeClaim, made.claim, { metadata: { finalizers: null } })
    await w.admin.delete(karpenterKinds.NodeClaim, { name: made.claim }).catch(() => {})
    await w.pass(90_000)
    expect(w.kerf.disruption.queue.size).toBe(0)
  })
})

describe('static drift (§7.19)', () => {
  const fixed = async (replicas: number, limit: number | undefined, nodes: string) => {
    const w = await start({ gates: { StaticCapacity: true }, registrationDelay: '20s' })
    const limits = limit === undefined ? {} : { limits: { nodes: String(limit) } }
    await w.pool('fixed', { replicas, ...limits, disruption: { budgets: [{ nodes }] } }, template)
    await w.pass(40_000)
    expect((await w.staying()).length).toBe(replicas)
    await change(w, 'a', 'fixed')
    await w.pass(15_000)
    return w
  }
  const started = (w: DisruptionWorld) => decisions(w, 'replace')

  test.each([
    ['a budget of two starts two', 4, undefined, '2', 2],
    ['20% of four starts one', 4, undefined, '20%', 1],
    ['no headroom under the limit starts none', 3, 3, '100%', 0],
    ['headroom for two starts two', 3, 5, '100%', 2],
  ])('%s', async (_name, replicas, limit, nodes, expected) => {
    const w = await fixed(replicas, limit, nodes)
    expect(await started(w)).toBe(expected)
    if (limit !== undefined) expect((await w.claims()).length).toBeLessThanOrEqual(limit)
    await w.pass(400_000)
    expect((await w.staying()).length).toBe(replicas)
    expect(await drifted(w, 'fixed')).toBe(expected === 0 ? 0 : replicas)
  })

  test('three pools start one, two and two; each by its own budget', async () => {
    const w = await start({ gates: { StaticCapacity: true }, registrationDelay: '20s' })
    const pools = { one: '1', two: '2', more: '2' }
    for (const [name, nodes] of Object.entries(pools)) {
      await w.pool(name, { replicas: 2, disruption: { budgets: [{ nodes }] } }, template)
    }
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(6)
    for (const name of Object.keys(pools)) await change(w, 'a', name)
    await w.pass(15_000)
    expect(await started(w)).toBe(5)
    for (const [name, nodes] of Object.entries(pools)) {
      const made = { reason: 'drifted', nodepool: name }
      expect(await w.metric('karpenter_nodeclaims_created_total', made)).toBe(Number(nodes))
    }
  })

  test('a pool that is over its replicas shrinks first', async () => {
    const w = await start({ gates: { StaticCapacity: true }, registrationDelay: '20s' })
    await w.pool('fixed', { replicas: 3, disruption: { budgets: [{ nodes: '100%' }] } }, template)
    await w.pass(40_000)
    const { active } = w.kerf.state.claims.counts('fixed')
    expect(active).toBe(3)
    w.kerf.state.claims.put('fixed', 'not-counted-yet', false)
    await change(w, 'a', 'fixed')
    await w.pass(15_000)
    expect(await started(w)).toBe(0)
    w.kerf.state.claims.remove('not-counted-yet')
    // Nothing tells of it, so it is seen when the rest ends.
    await w.pass(5 * 60_000)
    expect(await started(w)).toBeGreaterThan(0)
  })
})
