import { annotations, isConditionTrue, karpenterKinds, kinds, labels } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { change, decisions, drifted, heldWith, release, template } from '../../testing/drifting-pools.ts'
import {
  createDeployment,
  createDisruptablePool,
  createPodDisruptionBudget,
  createPodOn,
  type Harness,
  launchNode,
  launchNodes,
  patchPool,
  type RunningNode,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const held = heldWith(start)

const deployedOn = async (w: Harness, made: readonly RunningNode[]): Promise<void> => {
  await createDeployment(w, 'web', made.length, '3')
  await w.pass(5_000)
}

describe('drift', () => {
  test('as many nodes are replaced at a time as the budget allows, and its gauges are set before', async () => {
    const w = await held()
    await launchNodes(w, 10)
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

  test('a node in use is deleted after its replacement is ready, and the replacement may cost more', async () => {
    const w = await held({ registrationDelay: '20s' })
    const made = await launchNodes(w, 1)
    await deployedOn(w, made)
    await patchPool(w, 'general', {
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

  test('drift does not launch nodes for pods that are already pending, because the provisioner does', async () => {
    const w = await held({ registrationDelay: '20s' })
    const made = await launchNodes(w, 1)
    await deployedOn(w, made)
    await change(w, 'a')
    await release(w)
    // Before each disruption pass, a pod without a claim arrives.
    for (let step = 0; step < 24; step++) {
      await w.pass(500)
      if (step % 2 === 0) await createDeployment(w, `late-${step}`, 1, '3')
    }
    expect(await decisions(w, 'replace')).toBe(1)
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'drifted', nodepool: 'general' })).toBe(1)
    await w.pass(120_000)
    const pods = (await w.admin.list(kinds.Pod)).items
    expect(pods.filter(({ status }) => status?.phase === 'Running')).toHaveLength(pods.length)
  })

  test('a node may be replaced by several nodes', async () => {
    const w = await held()
    await patchPool(w, 'general', {
      spec: { template: { spec: { requirements: [template.spec.requirements[1]] } } },
    })
    const big = await launchNode(w, { type: 'c-16x-amd64-linux' })
    await createDeployment(w, 'web', 3, '3')
    await w.pass(4_000)
    await patchPool(w, 'general', { spec: { template: { spec: { requirements: template.spec.requirements } } } })
    await release(w)
    // One of the three nodes is ready later than the others.
    w.outages.failNext('launch', new Error('not yet'))
    let seen = 0
    for (let step = 0; step < 400 && (await w.isStaying(big)); step++) {
      await w.pass(200)
      const up = (await w.claims()).filter(
        (claim) => claim.metadata.name !== big.claim && isConditionTrue(claim, 'Initialized'),
      )
      if (await w.isStaying(big)) seen = Math.max(seen, up.length)
      else expect(up.length).toBe(3)
    }
    expect(seen).toBeGreaterThan(0)
    expect(await w.isStaying(big)).toBe(false)
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'drifted' })).toBe(3)
    expect((await w.staying()).length).toBe(3)
    const reported = w.log.lines.find(({ message }) => message === 'disrupting node(s)')
    expect(reported?.fields).toMatchObject({ 'pod-count': 3, 'disrupted-node-count': 1, 'replacement-node-count': 3 })
  })

  test('empty nodes are replaced first, then nodes in use in the order in which they drifted, one at a time', async () => {
    const w = await held({ registrationDelay: '30s' })
    const [first, second, empty] = await launchNodes(w, 3)
    if (first === undefined || second === undefined || empty === undefined) throw new Error()
    await createPodOn(w, 'one', first.node, { cpu: '3' })
    await createPodOn(w, 'two', second.node, { cpu: '3' })
    const hash = (made: RunningNode, value: string) =>
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

  test('a node is skipped and reported if its pods fit nowhere else', async () => {
    const w = await held()
    const [stuck, free] = await launchNodes(w, 2)
    if (stuck === undefined || free === undefined) throw new Error()
    await w.patch(kinds.Node, stuck.node, { metadata: { labels: { home: 'here' } } })
    await createPodOn(w, 'pinned', stuck.node, { spec: { nodeSelector: { home: 'here' } } })
    await createPodOn(w, 'other', free.node)
    await w.pass(200)
    await change(w, 'a')
    await w.pass(200)
    await release(w)
    await w.pass(60_000)
    expect(await w.isStaying(stuck)).toBe(true)
    expect(await w.isStaying(free)).toBe(false)
    expect(w.distinctMessages('DisruptionBlocked', stuck.node)[0]).toMatch(
      /^Not all pods would schedule, default\/pinned => /,
    )
  })

  test('do-not-disrupt on the node always blocks; on a pod, like a PDB, only without a terminationGracePeriod', async () => {
    const w = await held()
    const [yes, no, guarded, ended] = await launchNodes(w, 3)
    const last = await launchNode(w, { spec: { terminationGracePeriod: '1h' } })
    const covered = await launchNode(w, { spec: { terminationGracePeriod: '1h' } })
    if (yes === undefined || no === undefined || guarded === undefined) throw new Error()
    expect(ended).toBeUndefined()
    const guard = { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }
    await w.patch(kinds.Node, yes.node, guard)
    await w.patch(kinds.Node, no.node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'false' } } })
    // All nodes are full, so any pod that must move needs a new node.
    await createPodOn(w, 'full', yes.node, { cpu: '3' })
    await createPodOn(w, 'guarded', guarded.node, { ...guard, cpu: '3' })
    await createPodOn(w, 'ended', last.node, { ...guard, cpu: '3' })
    await createPodOn(w, 'covered', covered.node, { metadata: { labels: { app: 'x' } }, cpu: '3' })
    await createPodDisruptionBudget(w, 'strict', { selector: { matchLabels: { app: 'x' } }, maxUnavailable: 0 })
    await w.pass(2_000)
    await change(w, 'a')
    await w.pass(500)
    await release(w)
    await w.pass(60_000)
    expect(await w.staying()).toEqual([yes.claim, guarded.claim].sort())
    // Kerf launches no node for a pod that must not be moved.
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'drifted' })).toBe(0)
  })

  test('do-not-disrupt with a duration on a pod blocks until the duration ends', async () => {
    const w = await held()
    const made = await launchNode(w)
    await createPodOn(w, 'guarded', made.node, { metadata: { annotations: { [annotations.doNotDisrupt]: '5m' } } })
    await change(w, 'a')
    await release(w)
    await w.pass(280_000)
    expect(await w.isStaying(made)).toBe(true)
    await w.pass(60_000)
    expect(await w.isStaying(made)).toBe(false)
  })

  test('budgets of ten pools are independent', async () => {
    const w = await start()
    const pools = ['a', 'b', 'c']
    for (const pool of pools) {
      await createDisruptablePool(
        w,
        pool,
        { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } },
        template,
      )
      await launchNodes(w, 2, { pool })
    }
    for (const pool of pools) await change(w, 'x', pool)
    await w.pass(300)
    await release(w, '1', 'b')
    await w.pass(40_000)
    expect([await drifted(w, 'a'), await drifted(w, 'b'), await drifted(w, 'c')]).toEqual([0, 2, 0])
  })
})
