import { karpenterKinds, kinds, noVocabulary } from '@kerf/apis'
import { createProviderHarness } from '@kerf/provider-contract/testing'
import { condition, node, nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { KwokProvider } from './kwok-provider.ts'
import { KWOK_GROUP, NODE_CLAIM_ANNOTATION, NODE_CLAIM_UID_ANNOTATION, PROVIDER_ID_PREFIX } from './labels.ts'
import { loadInstanceTypes } from './load-instance-types.ts'
import { kwokNodeClassKind, kwokNodeClassResource } from './node-class/kwok-node-class.ts'
import { kwokPermissions, simulatedKubeletSwitch } from './permissions.ts'
import { kwokNodeClass } from './testing/kwok-node-class.ts'

const { signal } = new AbortController()

test('listing instances makes no call to the API server; getting an instance does', async () => {
  const calls: string[] = []
  const instanceTypes = await loadInstanceTypes()
  const harness = await createProviderHarness({
    seed: 1,
    nodeClasses: [kwokNodeClassResource],
    classRef: { group: KWOK_GROUP, kind: 'KWOKNodeClass', name: 'default' },
    permissions: kwokPermissions,
    permissionOptions: [simulatedKubeletSwitch, 'Devices'],
    interceptor: { before: ({ verb, kind }) => void calls.push(`${verb} ${kind?.plural}`) },
    prepare: async (client) => {
      await client.create(kwokNodeClassKind, kwokNodeClass('default'))
    },
    newProvider: (context) => new KwokProvider(context, { instanceTypes, labels: noVocabulary }),
  })
  const providerID = `${PROVIDER_ID_PREFIX}one`
  const annotations = { [NODE_CLAIM_UID_ANNOTATION]: 'a', [NODE_CLAIM_ANNOTATION]: 'a' }
  await harness.client.create(kinds.Node, node('one', { providerID, annotations }))
  await harness.clock.advance(1_000)
  calls.length = 0
  expect((await harness.provider.list(signal)).map((instance) => instance.providerID)).toEqual([providerID])
  expect(calls).toEqual([])
  expect((await harness.provider.get(providerID, signal)).providerID).toBe(providerID)
  expect(calls).toEqual(['get nodes'])
  harness.stop()
})

test('if a Node is deleted before it registers, its instance is gone, and the Node is not created again', async () => {
  const instanceTypes = await loadInstanceTypes()
  const harness = await createProviderHarness({
    seed: 1,
    nodeClasses: [kwokNodeClassResource],
    classRef: { group: KWOK_GROUP, kind: 'KWOKNodeClass', name: 'default' },
    permissions: kwokPermissions,
    permissionOptions: [simulatedKubeletSwitch, 'Devices'],
    prepare: async (client) => {
      await client.create(kwokNodeClassKind, kwokNodeClass('default'))
    },
    newProvider: (context) => new KwokProvider(context, { instanceTypes, labels: noVocabulary }),
  })
  const providerID = `${PROVIDER_ID_PREFIX}one`
  const nodeClassRef = { group: KWOK_GROUP, kind: 'KWOKNodeClass', name: 'default' }
  const { status: _, ...claim } = nodeClaim('one', { spec: { nodeClassRef } })
  const { resourceVersion: __, uid: ___, creationTimestamp: ____, generation: _____, ...metadata } = claim.metadata
  await harness.client.create(karpenterKinds.NodeClaim, { ...claim, metadata })
  const body = { status: { providerID, conditions: [condition('Launched')] } }
  await harness.client.patch(
    karpenterKinds.NodeClaim,
    { name: 'one' },
    { type: 'merge', body },
    { subresource: 'status' },
  )
  const ids = async () => (await harness.provider.list(signal)).map((instance) => instance.providerID)
  await harness.clock.advance(1_000)
  await harness.client.get(kinds.Node, { name: 'one' })
  await harness.client.delete(kinds.Node, { name: 'one' })
  // If the provider did not record that the instance is gone, this change of the NodeClaim would make the controller create its Node again.
  const touch = { metadata: { annotations: { touched: 'true' } } }
  await harness.client.patch(karpenterKinds.NodeClaim, { name: 'one' }, { type: 'merge', body: touch })
  await harness.clock.advance(1_000)
  expect(await ids()).toEqual([])
  await expect(harness.provider.get(providerID, signal)).rejects.toThrow('is gone')
  harness.stop()
})
