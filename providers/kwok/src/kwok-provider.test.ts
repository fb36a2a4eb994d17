import { karpenterKinds, kinds } from '@kerf/apis'
import { createProviderWorld } from '@kerf/provider-contract/testing'
import { kwokNodeClass, node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { KwokProvider } from './kwok-provider.ts'
import { KWOK_GROUP, NODE_CLAIM_ANNOTATION, NODE_CLAIM_UID_ANNOTATION, PROVIDER_ID_PREFIX } from './labels.ts'
import { loadInstanceTypes } from './load-instance-types.ts'
import { kwokPermissions, simulatedKubeletSwitch } from './permissions.ts'

const { signal } = new AbortController()

test('listing the instances asks the API server nothing, whether an instance is gone asks it', async () => {
  const calls: string[] = []
  const instanceTypes = await loadInstanceTypes()
  const world = await createProviderWorld({
    seed: 1,
    classRef: { group: KWOK_GROUP, kind: 'KWOKNodeClass', name: 'default' },
    permissions: kwokPermissions,
    permissionOptions: [simulatedKubeletSwitch, 'Devices'],
    interceptor: { before: ({ verb, kind }) => void calls.push(`${verb} ${kind?.plural}`) },
    prepare: async (client) => {
      await client.create(karpenterKinds.KWOKNodeClass, kwokNodeClass('default'))
    },
    newProvider: (context) => new KwokProvider(context, { instanceTypes }),
  })
  const providerID = `${PROVIDER_ID_PREFIX}one`
  const annotations = { [NODE_CLAIM_UID_ANNOTATION]: 'a', [NODE_CLAIM_ANNOTATION]: 'a' }
  await world.client.create(kinds.Node, node('one', { providerID, annotations }))
  await world.clock.advance(1_000)
  calls.length = 0
  expect((await world.provider.list(signal)).map((instance) => instance.providerID)).toEqual([providerID])
  expect(calls).toEqual([])
  expect((await world.provider.get(providerID, signal)).providerID).toBe(providerID)
  expect(calls).toEqual(['get nodes'])
  world.stop()
})
