import { karpenterKinds, kinds, type NodeClaim, taints } from '@kerf/apis'
import { expect, test } from 'vitest'
import { createDisruptablePool, createPodOn, type Harness, launchNode } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { writeReason } from './taint-and-reason.ts'

const start = harnessPerTest()

/** Creates a node in use that no disruption method disrupts. */
const busyNode = async (w: Harness) => {
  await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } })
  const made = await launchNode(w)
  await createPodOn(w, 'busy', made.node)
  return made
}

const marks = async (w: Harness, made: { readonly node: string; readonly claim: string }) => ({
  taints: (await w.readNode(made.node)).spec.taints ?? [],
  reason: await w.condition('DisruptionReason', made.claim),
})

test.each([
  ['the taint and the reason', true, true],
  // The earlier process ended after it had removed the taint.
  ['the reason alone', false, true],
  // The earlier process ended before it wrote the reason.
  ['the taint alone', true, false],
])('%s of a node that no command disrupts are removed', async (_title, hasTaint, hasReason) => {
  const w = await start()
  const made = await busyNode(w)
  if (hasReason) {
    const claim = await w.admin.get<NodeClaim>(karpenterKinds.NodeClaim, { name: made.claim })
    await writeReason({ client: w.admin, clock: w.clock }, claim, 'Drifted', new AbortController().signal)
  }
  if (hasTaint) await w.patch(kinds.Node, made.node, { spec: { taints: [taints.disrupted] } })
  await w.pass(60_000)
  expect(await marks(w, made)).toEqual({ taints: [], reason: undefined })
})
