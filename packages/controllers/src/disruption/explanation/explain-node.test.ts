import { annotations, labels } from '@kerf/apis'
import { blockerRemedy, blockerSentence } from '@kerf/engine'
import { nodeClassRef } from '@kerf/testing'
import { expect, test } from 'vitest'
import {
  createDisruptablePool,
  createPodDisruptionBudget,
  createPodOn,
  launchNode,
  launchNodes,
  patchPool,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const signal = new AbortController().signal
const template = {
  spec: {
    nodeClassRef,
    expireAfter: 'Never',
    requirements: [{ key: labels.instanceType, operator: 'In' as const, values: ['c-4x-amd64-linux'] }],
  },
}

test('an unknown node has no explanation', async () => {
  const w = await start()
  expect(await w.kerf.explainNode('nobody', signal)).toBeUndefined()
})

test('all blockers are listed at once, with their remedies', async () => {
  const w = await start()
  await createDisruptablePool(
    w,
    'general',
    { disruption: { consolidateAfter: '1h', budgets: [{ nodes: '0' }] } },
    template,
  )
  const made = await launchNode(w)
  await createPodOn(w, 'guarded', made.node, {
    metadata: { labels: { app: 'x' }, annotations: { [annotations.doNotDisrupt]: 'true' } },
  })
  await createPodOn(w, 'covered', made.node, { metadata: { labels: { app: 'y' } } })
  await createPodDisruptionBudget(w, 'y', { selector: { matchLabels: { app: 'y' } }, maxUnavailable: 0 })
  await w.pass(2_000)
  const found = await w.kerf.explainNode(made.claim, signal)
  expect(found).toMatchObject({ node: made.node, nodePool: 'general' })
  expect(found?.price).toBeGreaterThan(0)
  expect(found?.blockers.map(blockerSentence)).toEqual([
    'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/guarded)',
    'pdb prevents pod evictions (PodDisruptionBudget=[default/y])',
  ])
  const single = found?.methods.find(({ method }) => method === 'single-node')?.blockers ?? []
  expect(single.map(({ code }) => code)).toEqual([
    'pod.do-not-disrupt',
    'pdb.blocks',
    'node.not-consolidatable',
    'budget.exhausted',
  ])
  for (const blocker of single) expect(blockerRemedy(blocker)).toBeDefined()
  const drift = found?.methods.find(({ method }) => method === 'drift')?.blockers.map(({ code }) => code)
  expect(drift).toContain('node.not-drifted')
})

test('a node that could be disrupted shows the move and its savings; a node under disruption shows the command', async () => {
  const w = await start()
  await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, template)
  const [one, two] = await launchNodes(w, 2)
  if (one === undefined || two === undefined) throw new Error()
  await createPodOn(w, 'one', one.node, { cpu: '500m' })
  await createPodOn(w, 'two', two.node, { cpu: '500m' })
  await w.pass(9_000)
  await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s' } } })
  await w.pass(200)
  const found = await w.kerf.explainNode(one.node, signal)
  const single = found?.methods.find(({ method }) => method === 'single-node')
  expect(single?.blockers).toEqual([])
  expect(single?.move?.text).toBe(`delete: [${one.node}]`)
  expect(single?.move?.savings).toBeCloseTo(found?.price ?? 0, 10)
})

test('an explanation changes nothing', async () => {
  const w = await start()
  await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, template)
  const made = await launchNode(w)
  const before = [w.events.events.length, JSON.stringify(await w.readClaim(made.claim))]
  await w.kerf.explainNode(made.node, signal)
  expect([w.events.events.length, JSON.stringify(await w.readClaim(made.claim))]).toEqual(before)
})
