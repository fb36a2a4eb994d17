import { karpenterKinds, kinds, labels } from '@kerf/apis'
import { node } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { ownLabelKeys } from './instances/instance-labels.ts'
import { instanceName, providerIdFor } from './instances/instance-names.ts'
import { nodeClassHashAnnotations } from './names.ts'
import { gceNodeClassKind } from './node-class/gce-node-class.ts'
import { nodeClassHash } from './node-class/hash.ts'
import { CLUSTER, PROJECT, REGION } from './testing/fake-gcp/names.ts'
import { CLASS, createGcpHarness } from './testing/gcp-harness.ts'
import { instanceRequest } from './testing/instance-request.ts'

const HOUR = 3_600_000
const TYPE = 'n2-standard-4'
const ZONES = ['a', 'b', 'c'].map((letter) => `${REGION}-${letter}`)

/** A cluster after Karpenter's provider was uninstalled. One instance has no location label, like instances of older releases. */
const takenOver = async () => {
  const harness = await createGcpHarness()
  onTestFinished(() => harness.stop())
  const { client, gcp, claim } = harness
  const nodeClass = await harness.nodeClass()
  const annotations = {
    [nodeClassHashAnnotations.hash]: nodeClassHash(nodeClass),
    [nodeClassHashAnnotations.version]: 'v4',
  }
  const image = nodeClass.status?.images?.[0]?.sourceImage ?? ''
  for (const [index, zone] of ZONES.entries()) {
    const name = `default-${index}`
    const instance = instanceName(name)
    const owned = {
      'goog-gke-node': '',
      [ownLabelKeys.nodePool]: 'default',
      [ownLabelKeys.nodeClass]: CLASS,
      [ownLabelKeys.cluster]: CLUSTER,
      ...(index === 0 ? {} : { [ownLabelKeys.location]: REGION }),
    }
    gcp.instances.plant(zone, instanceRequest(instance, zone, { type: TYPE, labels: owned }), 24 * HOUR)
    await claim(name)
    const own = { [labels.instanceType]: TYPE, [labels.zone]: zone, [labels.capacityType]: 'on-demand' }
    const metadata = { annotations, labels: own }
    await client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body: { metadata } })
    const status = {
      providerID: providerIdFor({ project: PROJECT, zone, name: instance }),
      imageID: image,
      nodeName: instance,
    }
    await client.patch(
      karpenterKinds.NodeClaim,
      { name },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    )
    await client.create(kinds.Node, node(instance, { providerID: status.providerID, labels: own }))
  }
  await client.patch(gceNodeClassKind, { name: CLASS }, { type: 'merge', body: { metadata: { annotations } } })
  return harness
}

test('in the first hour after the migration from Karpenter, no instance is touched, no object is written, and no node drifts', async () => {
  const { client, clock, gcp, provider } = await takenOver()
  const versions = async (): Promise<readonly unknown[]> => {
    const { items } = await client.list(karpenterKinds.NodeClaim)
    const nodes = await client.list(kinds.Node)
    const nodeClass = await client.get(gceNodeClassKind, { name: CLASS })
    return [...items, ...nodes.items, nodeClass].map(({ metadata }) => [metadata.name, metadata.resourceVersion])
  }
  const before = await versions()
  const instances = gcp.instances.all()
  gcp.requests.length = 0
  await clock.advance(HOUR)
  expect(gcp.requests.map(({ id }) => id).filter((id) => /insert|delete|set[A-Z]|update|patch/.test(id))).toEqual([])
  expect(gcp.instances.all()).toEqual(instances)
  expect(await versions()).toEqual(before)
  for (const claim of (await client.list(karpenterKinds.NodeClaim)).items) {
    expect(await provider.isDrifted(claim, new AbortController().signal)).toBeUndefined()
    expect(claim.metadata.annotations?.[nodeClassHashAnnotations.version]).toBe('v4')
  }
  const listed = await provider.list(new AbortController().signal)
  expect(listed.map(({ providerID }) => providerID)).toHaveLength(instances.length)
})
