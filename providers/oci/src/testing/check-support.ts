import { capacityTypes, groupVersion, karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { type InstanceView, offeringCoordinates } from '@kerf/provider-contract'
import { type ConformanceHarness, create } from '@kerf/provider-contract/conformance'
import { type Dialect, PREEMPTIBLE } from '../names.ts'
import { CLASS, nodeClassKind, type OciHarness } from './oci-harness.ts'

export const never = new AbortController().signal
export const MINUTE = 60_000
const harnesses = new WeakMap<ConformanceHarness, OciHarness>()

/** Records which Oracle Cloud harness belongs to a harness of the conformance suite. */
export const keepOciHarness = (harness: ConformanceHarness, own: OciHarness): void => void harnesses.set(harness, own)

export const ownHarness = (harness: ConformanceHarness): OciHarness => {
  const own = harnesses.get(harness)
  if (own === undefined) throw new Error('this harness belongs to another provider')
  return own
}

export const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

export const anyCapacity = (dialect: Dialect) => ({
  key: labels.capacityType,
  operator: 'In' as const,
  values: [PREEMPTIBLE[dialect], capacityTypes.onDemand],
})

/** Creates a NodeClaim that tolerates preemptible instances. Oracle's kind needs a taint for them. */
export const preemptibleClaim = async (
  harness: ConformanceHarness,
  name: string,
  requirements?: NodeClaim['spec']['requirements'],
): Promise<NodeClaim> => {
  const { client, dialect } = ownHarness(harness)
  const { group, kind } = nodeClassKind[dialect]
  return client.create(karpenterKinds.NodeClaim, {
    apiVersion: groupVersion(karpenterKinds.NodeClaim),
    kind: 'NodeClaim',
    metadata: { name, labels: { [labels.nodePool]: 'default' } },
    spec: {
      nodeClassRef: { group, kind, name: CLASS },
      requirements: requirements ?? [anyCapacity(dialect)],
      ...(dialect === 'oracle'
        ? { taints: [{ key: 'oci.oraclecloud.com/oke-is-preemptible', effect: 'NoSchedule' as const }] }
        : {}),
    },
  })
}

/** Launches a NodeClaim, and writes the fields that the core would write. */
export const launched = async (
  harness: ConformanceHarness,
  name: string,
): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView }> => {
  const view = await create(harness, await harness.claim(name))
  const { annotations, providerID, imageID } = view
  const body = { metadata: { annotations, labels: view.labels } }
  await harness.client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body })
  const claim = await harness.client.patch(
    karpenterKinds.NodeClaim,
    { name },
    { type: 'merge', body: { status: { providerID, imageID } } },
    { subresource: 'status' },
  )
  await harness.clock.advance(100)
  return { claim, view }
}

export const drift = (harness: ConformanceHarness, { metadata }: NodeClaim): Promise<string | undefined> =>
  harness.client
    .get(karpenterKinds.NodeClaim, { name: metadata.name })
    .then((claim) => harness.provider.isDrifted(claim, never))

export const out = async (harness: ConformanceHarness) =>
  (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
    type.offerings.filter(({ available }) => !available).map((each) => offeringCoordinates(type, each)),
  )
