import { conditionSets, karpenterKinds, kinds, labels, setCondition } from '@kerf/apis'
import { node, nodeClaim } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { inPlaceUpdateHash } from './in-place/in-place-update-hash.ts'
import { azureProviderId, claimVmName } from './instances/instance-names.ts'
import { azureAnnotations } from './names.ts'
import { TAG } from './tags/resource-tags.ts'
import { azureTestSettings, CLUSTER, classRef, createAzureHarness } from './testing/azure-harness.ts'
import { launch, minutes, never } from './testing/launch.ts'

const CLAIMS = Array.from({ length: 20 }, (_, index) => `default-${index}`)

/** A cluster as karpenter-provider-azure leaves it: VMs with its tags, and NodeClaims with its annotations. */
const takenOver = async () => {
  const harness = await createAzureHarness({ durations: { nic: 0, creation: 20_000, deletion: 4_000 } })
  onTestFinished(() => harness.stop())
  const { azure, client, clock } = harness
  const nodeClass = await harness.nodeClass()
  const [image] = nodeClass.status?.images ?? []
  const identities = azureTestSettings().nodeIdentities
  const tags = { [TAG.cluster]: CLUSTER, [TAG.billing]: 'linux', [TAG.nodePool]: 'default' }
  for (const name of CLAIMS) {
    const id = azure.vms.plant(
      claimVmName(name),
      {
        tags,
        zones: ['1'],
        identity: {
          type: 'UserAssigned',
          userAssignedIdentities: Object.fromEntries(identities.map((each) => [each, {}])),
        },
        properties: {
          hardwareProfile: { vmSize: 'Standard_D2_v5' },
          priority: 'Regular',
          ...(image === undefined
            ? {}
            : {
                storageProfile: {
                  imageReference: { communityGalleryImageId: image.id },
                  osDisk: { name: claimVmName(name), createOption: 'FromImage' as const },
                },
              }),
        },
      },
      minutes(60),
    )
    const providerID = azureProviderId(id)
    const claim = nodeClaim(name, {
      metadata: {
        labels: { [labels.nodePool]: 'default' },
        annotations: {
          ...nodeClass.metadata.annotations,
          [azureAnnotations.inPlaceUpdateHash]: inPlaceUpdateHash({ identities, tags }),
        },
      },
      spec: { nodeClassRef: classRef, requirements: [] },
    })
    const stored = await client.create(karpenterKinds.NodeClaim, claim)
    const conditions = setCondition(
      conditionSets.NodeClaim,
      stored,
      { type: 'Registered', status: 'True' },
      clock.now(),
    )
    const body = { status: { providerID, imageID: image?.id ?? '', nodeName: claimVmName(name), conditions } }
    await client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body }, { subresource: 'status' })
    await client.create(kinds.Node, node(claimVmName(name), { providerID }))
  }
  return harness
}

test('a cluster taken over from karpenter-provider-azure keeps its nodes, and no VM is changed', async () => {
  const harness = await takenOver()
  const { azure, client, clock, provider } = harness
  const before = azure.resources().map(({ id }) => id)
  azure.requests.length = 0
  await clock.advance(minutes(60))
  const writes = azure.requests.filter(({ name }) => /_(CreateOrUpdate|Update|UpdateTags|Delete)$/.test(name))
  expect(writes).toEqual([])
  expect(azure.resources().map(({ id }) => id)).toEqual(before)
  expect((await client.list(kinds.Node)).items).toHaveLength(CLAIMS.length)
  for (const claim of (await client.list(karpenterKinds.NodeClaim)).items)
    expect(await provider.isDrifted(claim, never)).toBeUndefined()
  // Kerf can launch a new node in addition to the existing ones.
  expect((await launch(harness, 'new')).view.providerID).toMatch(/aks-new$/)
})

test('an idle controller calls Azure less than twice a minute', async () => {
  const harness = await takenOver()
  const { azure, clock } = harness
  // In the first minutes, garbage collection runs more often to find leftovers of a crash.
  await clock.advance(minutes(10))
  azure.requests.length = 0
  await clock.advance(minutes(60))
  expect(azure.requests.length / 60).toBeLessThan(2)
  expect(azure.requests.length / 60).toBeGreaterThan(0.5)
})
