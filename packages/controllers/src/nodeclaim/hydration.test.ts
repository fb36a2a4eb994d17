import { karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { nodeClassRef } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createClaim, createInitializedClaim, lifecycleHarness } from '../testing/harness/index.ts'

const LABEL = 'karpenter.kwok.sh/kwoknodeclass'

test('claims and nodes that an older version created get the label of their node class', async () => {
  const harness = await lifecycleHarness()
  await createInitializedClaim(harness)
  const without = { metadata: { labels: { [LABEL]: null } } }
  await harness.patch(karpenterKinds.NodeClaim, (await harness.readClaim()) as NodeClaim, without)
  await harness.patch(kinds.Node, await harness.node(), without)
  await harness.pass(2_000)
  expect((await harness.readClaim())?.metadata.labels?.[LABEL]).toBe('default')
  expect((await harness.node()).metadata.labels?.[LABEL]).toBe('default')
})

test('claims and nodes of other providers do not get the label', async () => {
  const harness = await lifecycleHarness()
  await createClaim(harness, 'a', {
    metadata: { labels: { [LABEL]: '' } },
    spec: { nodeClassRef: { ...nodeClassRef, group: 'other.sh' } },
  })
  await harness.pass(2_000)
  expect((await harness.readClaim())?.metadata.labels).not.toHaveProperty('other.sh/kwoknodeclass')
})
