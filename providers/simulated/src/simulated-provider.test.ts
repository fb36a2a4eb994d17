import { karpenterKinds, kinds, LabelVocabulary, noVocabulary, taints } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { createProviderHarness } from '@kerf/provider-contract/testing'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { kwokNodeClassKind, kwokNodeClassResource } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { mirrors } from '@kerf/runtime'
import { SimulatedCloud } from '@kerf/sandbox'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { cloudOfferings } from './cloud-offerings.ts'
import { nodeTemplate } from './launch-option.ts'
import { SimulatedProvider } from './simulated-provider.ts'

const { signal } = new AbortController()
test('two attempts for one claim give one instance', async () => {
  const instanceTypes = (await loadInstanceTypes()).slice(0, 3)
  let cloud: SimulatedCloud | undefined
  const harness = await createProviderHarness({
    seed: 1,
    nodeClasses: [kwokNodeClassResource],
    classRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
    permissions: [mirrors(karpenterKinds.NodeClaim, 'its instances'), mirrors(kinds.Node, 'its instances')],
    prepare: async (client) => {
      await client.create(kwokNodeClassKind, kwokNodeClass('default'))
    },
    newProvider: (context) => {
      const { clock, random } = context
      cloud = new SimulatedCloud({ clock, random, offerings: cloudOfferings(instanceTypes) })
      return new SimulatedProvider(context, {
        nodeClasses: [kwokNodeClassKind],
        cloud,
        instanceTypes,
        vocabulary: new LabelVocabulary(noVocabulary),
      })
    },
  })
  const first = await harness.provider.create(nodeClaim('one'), signal)
  const second = await harness.provider.create(nodeClaim('one'), signal)
  expect(second.providerID).toBe(first.providerID)
  expect(cloud?.instances().map(({ providerID }) => providerID)).toEqual([first.providerID])
  harness.stop()
})

test('a Node joins with the taint that keeps pods away until it is registered', async () => {
  const [type] = await loadInstanceTypes()
  const [offering] = (type as InstanceType).offerings
  if (type === undefined || offering === undefined) throw new Error('KWOK has no instance type')
  expect(nodeTemplate(nodeClaim('one'), { type, offering }, 'i-1').taints).toEqual([taints.unregistered])
})
