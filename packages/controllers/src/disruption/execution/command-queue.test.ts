import { karpenterKinds, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import {
  createDeployment,
  createDisruptablePool,
  createPodOn,
  launchNode,
  patchPool,
  type RunningNode,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { replacementTimeout } from './command-queue.ts'

const start = harnessPerTest()
const MINUTE = 60_000

test.each([
  [100, 10 * MINUTE],
  [4_000, 10 * MINUTE],
  [10_000, 800_000],
  [40_000, 3_200_000],
  [80_000, 60 * MINUTE],
  [100_000, 60 * MINUTE],
])('with %i nodes being disrupted the timeout of replacements is %i ms', (nodes, patience) => {
  expect(replacementTimeout(nodes)).toBe(patience)
})

// `docs/spec/disruption.md#command-queue`
describe('a restart', () => {
  test('in the middle of a replacement uncordons the node and starts the command again', async () => {
    const w = await start({ registrationDelay: '30s' })
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } })
    const big = await launchNode(w, { type: 'c-16x-amd64-linux' })
    await createDeployment(w, 'web', 2, '400m')
    await w.pass(5_000)
    await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s' } } })
    await w.pass(28_000)
    expect((await w.readNode(big.node)).spec.taints).toMatchObject([{ key: 'karpenter.sh/disrupted' }])
    expect((await w.claims()).length).toBe(2)
    w.restart()
    await w.pass(60_000 + 120_000)
    const staying = await w.staying()
    expect(staying.length).toBe(1)
    expect(staying).not.toContain(big.claim)
    const pods = (await w.admin.list(kinds.Pod, { namespace: 'default' })).items
    expect(pods.filter(({ status }) => status?.phase === 'Running').length).toBe(2)
    for (const { spec } of (await w.admin.list(kinds.Node)).items) {
      expect(spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') ?? false).toBe(false)
    }
  })
})

describe('the availability of pods', () => {
  test('a pod never loses its node before the replacement is initialized', async () => {
    const w = await start({ registrationDelay: '15s' })
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } })
    const big = await launchNode(w, { type: 'c-16x-amd64-linux' })
    await createDeployment(w, 'web', 3, '400m')
    await w.pass(5_000)
    await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s' } } })
    for (let step = 0; step < 400 && (await w.isStaying(big)); step++) {
      await w.pass(200)
      if (await w.isStaying(big)) continue
      const ready = (await w.admin.list(kinds.Node)).items.filter(
        ({ metadata }) => metadata.name !== big.node && metadata.labels?.['karpenter.sh/initialized'] === 'true',
      )
      expect(ready.length).toBe(1)
    }
    expect(await w.isStaying(big)).toBe(false)
  })
})

test('two commands are independent: if one fails, the other still succeeds', async () => {
  const w = await start({ registrationDelay: '20s' })
  const pools = ['one', 'two'] as const
  const made: RunningNode[] = []
  for (const pool of pools) {
    await createDisruptablePool(w, pool, { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } })
    const node = await launchNode(w, { pool })
    await createPodOn(w, `on-${pool}`, node.node, { cpu: '3' })
    made.push(node)
  }
  const [one, two] = made
  if (one === undefined || two === undefined) throw new Error()
  for (const pool of pools) {
    await patchPool(w, pool, {
      spec: { disruption: { budgets: [{ nodes: '100%' }] }, template: { metadata: { labels: { team: 'a' } } } },
    })
  }
  await w.pass(12_000)
  expect(w.kerf.disruption.queue.size).toBe(2)
  for (const pool of pools) await patchPool(w, pool, { spec: { disruption: { budgets: [{ nodes: '0' }] } } })
  const lost = (await w.claims()).find(({ metadata }) => ![one.claim, two.claim].includes(metadata.name))
  await w.admin.delete(karpenterKinds.NodeClaim, { name: lost?.metadata.name ?? '' })
  await w.pass(60_000)
  const stay = [await w.isStaying(one), await w.isStaying(two)]
  expect(stay.filter((isStaying) => isStaying).length).toBe(1)
  expect(w.kerf.disruption.queue.size).toBe(0)
})
