import { karpenterKinds, kinds } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { sleep } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { change, heldWith, release } from '../../testing/drifting-pools.ts'
import { createPendingPod, createPodOn, launchNode, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const held = heldWith(harnessPerTest())

/** Creates a drifted node in use, and starts a command whose replacement never registers. */
const waitingInVain = async () => {
  const w = await held({ registrationDelay: '1h' })
  await w.patch(kwokNodeClassKind, 'default', { spec: { nodeRegistrationDelay: '0s' } })
  const made = await launchNode(w)
  await createPodOn(w, 'busy', made.node, { cpu: '3' })
  await w.patch(kwokNodeClassKind, 'default', { spec: { nodeRegistrationDelay: '1h' } })
  await change(w, 'a')
  await w.pass(300)
  await release(w)
  await w.pass(11_000)
  return { w, made }
}

describe('a replacement that fails', () => {
  test('the node is uncordoned, and loses its DisruptionReason and deletion mark', async () => {
    const { w, made } = await waitingInVain()
    expect((await w.readNode(made.node)).spec.taints).toMatchObject([{ key: 'karpenter.sh/disrupted' }])
    expect(await w.condition('DisruptionReason', made.claim)).toBe('True Drifted')
    await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes: '0' }] } } })
    const replacement = (await w.claims()).find(({ metadata }) => metadata.name !== made.claim)
    await w.admin.delete(karpenterKinds.NodeClaim, { name: replacement?.metadata.name ?? '' })
    await w.pass(3_000)
    expect((await w.readNode(made.node)).spec.taints ?? []).toEqual([])
    expect(await w.condition('DisruptionReason', made.claim)).toBeUndefined()
    expect(w.kerf.disruption.queue.size).toBe(0)
    const failed = { decision: 'replace', reason: 'drifted', consolidation_type: 'replace' }
    expect(await w.metric('karpenter_voluntary_disruption_queue_failures_total', failed)).toBe(1)
    // The failed attempt has no lasting effect: the node is not marked for deletion, and the next attempt disrupts it.
    expect(w.kerf.state.byNodeName(made.node)?.isMarkedForDeletion).toBe(false)
    await w.patch(kwokNodeClassKind, 'default', { spec: { nodeRegistrationDelay: '0s' } })
    await release(w)
    await w.pass(60_000)
    expect(await w.isStaying(made)).toBe(false)
  })

  test('while the node is being uncordoned, nothing is launched for its pods, because they stay', async () => {
    const { w, made } = await waitingInVain()
    await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes: '0' }] } } })
    const replacement = (await w.claims()).find(({ metadata }) => metadata.name !== made.claim)
    const opening: string[] = []
    w.fault = async ({ verb, kind, ref }, when) => {
      if (verb !== 'patch' || kind?.kind !== kinds.Node.kind || when === 'before') return undefined
      opening.push(ref?.name ?? '')
      await sleep(w.clock, 10_000)
      return undefined
    }
    await w.admin.delete(karpenterKinds.NodeClaim, { name: replacement?.metadata.name ?? '' })
    await createPendingPod(w, 'late')
    await w.pass(8_000)
    expect(opening).not.toEqual([])
    // The new pod cannot run on a tainted node, so Kerf creates a claim for it. The pod that runs on the tainted node gets no claim.
    const launched = (await w.claims()).filter(({ metadata }) => metadata.name !== made.claim)
    expect(launched.map(({ spec }) => spec.resources?.requests?.['cpu'])).toEqual(['1'])
  })

  test('the command is cancelled if a replacement is not ready after ten minutes, and not earlier', async () => {
    const { w, made } = await waitingInVain()
    await patchPool(w, 'general', { spec: { disruption: { budgets: [{ nodes: '0' }] } } })
    await w.pass(580_000)
    expect((await w.readNode(made.node)).spec.taints).toMatchObject([{ key: 'karpenter.sh/disrupted' }])
    await w.pass(40_000)
    expect((await w.readNode(made.node)).spec.taints ?? []).toEqual([])
    expect(await w.isStaying(made)).toBe(true)
    expect((await w.staying()).length).toBe(2)
  })

  test('if a node disappears while its replacement starts, the command ends anyway', async () => {
    const w = await held({ registrationDelay: '30s' })
    const made = await launchNode(w)
    await createPodOn(w, 'busy', made.node, { cpu: '3' })
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
