import { karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { nodeClassRef } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createClaim, createInitializedClaim, lifecycleWorld } from '../testing/world/index.ts'

const LABEL = 'karpenter.kwok.sh/kwoknodeclass'

test('claims and nodes of an older version get the label of their node class', async () => {
  const world = await lifecycleWorld()
  await createInitializedClaim(world)
  const without = { metadata: { labels: { [LABEL]: null } } }
  await world.patch(karpenterKinds.NodeClaim, (await world.readClaim()) as NodeClaim, without)
  await world.patch(kinds.Node, await world.node(), without)
  await world.pass(2_000)
  expect((await world.readClaim())?.metadata.labels?.[LABEL]).toBe('default')
  expect((await world.node()).metadata.labels?.[LABEL]).toBe('default')
})

test('claims and nodes of other providers do not', async () => {
  const world = await lifecycleWorld()
  await createClaim(world, 'a', {
    metadata: { labels: { [LABEL]: '' } },
    spec: { nodeClassRef: { ...nodeClassRef, group: 'other.sh' } },
  })
  await world.pass(2_000)
  expect((await world.readClaim())?.metadata.labels).not.toHaveProperty('other.sh/kwoknodeclass')
})
