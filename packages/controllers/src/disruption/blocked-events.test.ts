import { annotations, kinds, labels } from '@kerf/apis'
import { expect, test } from 'vitest'
import {
  createClaimOfPool,
  createDisruptablePool,
  createPodDisruptionBudget,
  createPodOn,
  type Harness,
  launchNode,
  type RunningNode,
} from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'

const start = harnessPerTest()

const app = { metadata: { labels: { app: 'x' } } }
const selector = { matchLabels: { app: 'x' } }

/** Creates a node that no disruption method disrupts. */
const quiet = async (): Promise<{ w: Harness; made: RunningNode }> => {
  const w = await start()
  await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } })
  return { w, made: await launchNode(w) }
}
const patchNode = (w: Harness, { node }: RunningNode, metadata: object) => w.patch(kinds.Node, node, { metadata })
const cover = async (w: Harness, { node }: RunningNode, ...budgets: readonly string[]) => {
  await createPodOn(w, 'covered', node, app)
  for (const name of budgets) await createPodDisruptionBudget(w, name, { selector, maxUnavailable: 0 })
}

test.each<[string, (w: Harness, made: RunningNode) => Promise<unknown>]>([
  [
    'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/guarded)',
    (w, { node }) =>
      createPodOn(w, 'guarded', node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }),
  ],
  ['Pdb prevents pod evictions (PodDisruptionBudget=[default/strict])', (w, made) => cover(w, made, 'strict')],
  [
    'Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[default/one default/two])',
    (w, made) => cover(w, made, 'one', 'two'),
  ],
  [
    'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
    (w, made) => patchNode(w, made, { annotations: { [annotations.doNotDisrupt]: 'true' } }),
  ],
  [
    "Node doesn't have required label (label=karpenter.sh/nodepool)",
    (w, made) => patchNode(w, made, { labels: { [labels.nodePool]: null } }),
  ],
  ['NodePool not found (NodePool=gone)', (w, made) => patchNode(w, made, { labels: { [labels.nodePool]: 'gone' } })],
  [
    'Node is nominated for a pending pod',
    async (w, { claim }) => w.kerf.state.expectPods((await w.readClaim(claim))?.status?.providerID ?? ''),
  ],
  [
    'Node is deleting or marked for deletion',
    async (w, { claim }) => w.kerf.state.markForDeletion((await w.readClaim(claim))?.status?.providerID ?? ''),
  ],
])('the blocker is reported on Node and claim: %s', async (message, cause) => {
  const { w, made } = await quiet()
  await cause(w, made)
  await w.pass(12_000)
  expect(w.distinctMessages('DisruptionBlocked', made.node)).toEqual([message])
  expect(w.distinctMessages('DisruptionBlocked', made.claim)).toContain(message)
})

test('a node that is not initialized is reported as blocked', async () => {
  const { w } = await quiet()
  const claim = await createClaimOfPool(w, { spec: { startupTaints: [{ key: 'agent', effect: 'NoSchedule' }] } })
  await w.pass(15_000)
  const node = (await w.readClaim(claim))?.status?.nodeName ?? ''
  expect(w.distinctMessages('DisruptionBlocked', node)).toEqual(["Node isn't initialized"])
  expect(w.distinctMessages('DisruptionBlocked', claim)).toContain("Node isn't initialized")
})
