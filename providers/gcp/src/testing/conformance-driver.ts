import { labels } from '@kerf/apis'
import type {
  ConformanceDriver,
  ConformanceHarness,
  FailureKind,
  FakeCloud,
  NodeClassState,
} from '@kerf/provider-contract/conformance'
import type { Fault } from '@kerf/provider-kit/testing'
import { gcp } from '../descriptor.ts'
import { UNAVAILABLE_FOR } from '../failures/launch-refusal.ts'
import { instanceLabels } from '../instances/instance-labels.ts'
import { placeInProviderId, providerIdFor } from '../instances/instance-names.ts'
import { gceNodeClassKind } from '../node-class/gce-node-class.ts'
import { CLUSTER, CLUSTER_ID, PROJECT, REGION } from './fake-gcp/names.ts'
import { CLASS, createGcpHarness, type GcpHarness } from './gcp-harness.ts'
import { instanceRequest } from './instance-request.ts'
import { notApplicable } from './not-applicable.ts'
import { harnesses, ownChecks } from './own-checks.ts'

const TERMINATION_DELAY = 4_000
const ZONE = `${REGION}-a`

export const failures: Readonly<Record<FailureKind, Fault>> = {
  throttle: { code: 'rateLimitExceeded', status: 403, message: 'Rate Limit Exceeded' },
  auth: { code: 'forbidden', status: 403, message: "Required 'compute.instances.create' permission" },
  network: { code: 'network' },
  serverError: { code: 'backendError', status: 503, message: 'Backend Error' },
}

const methods = {
  launch: 'compute.instances.insert',
  terminate: 'compute.instances.delete',
  describe: 'compute.instances.get',
  list: 'compute.instances.list',
} as const

/** Returns the labels of an instance of the NodePool `default`. */
const ownLabels = (isSpot: boolean, location: string = REGION): Readonly<Record<string, string>> =>
  instanceLabels(
    {},
    { nodePool: 'default', nodeClass: CLASS, cluster: CLUSTER, location, clusterId: CLUSTER_ID },
    isSpot,
  )

const fakeCloud = ({ gcp: { instances, faults, ...fake } }: GcpHarness): FakeCloud => {
  const plant = (name: string, own: Readonly<Record<string, string>>, age: number): string => {
    instances.plant(ZONE, instanceRequest(name, ZONE, { labels: { ...own } }), age)
    return providerIdFor({ project: PROJECT, zone: ZONE, name })
  }
  return {
    instances: async () =>
      instances.all().map(({ zone, body, status }) => ({
        providerID: providerIdFor({ project: PROJECT, zone, name: body.name }),
        state: status === 'STOPPING' ? 'terminating' : 'running',
        tags: body.labels ?? {},
      })),
    fail: (call, kind) => faults.standing(methods[call], failures[kind]),
    failAfterwards: (call, kind) => faults.standing(methods[call], { ...failures[kind], afterwards: true }),
    recover: () => faults.recover(),
    // Check C24 covers operations that fail for lack of capacity after the service accepted the insert.
    stockOut: (offerings) => {
      instances.failures.push({ code: 'ZONE_RESOURCE_POOL_EXHAUSTED', offerings, isAtOnce: true })
    },
    restock: () => {
      instances.failures = []
    },
    count: (call) => fake.requests.filter(({ id }) => id === methods[call]).length,
    // This instance belongs to another cluster of the same name in another region.
    plantForeign: async () => plant('karpenter-foreign', ownLabels(false, 'europe-west1'), 3_600_000),
    plantLeaked: async (age) => plant('karpenter-gone', ownLabels(false), age),
    vanish: async (providerID) => {
      const place = placeInProviderId(providerID)
      if (place !== undefined) instances.vanish(place.zone, place.name)
    },
  }
}

/** Brings the node class into the given state by creating its real cause, instead of writing the status. */
const setNodeClass = async (own: GcpHarness, state: NodeClassState): Promise<void> => {
  const { client, clock, gcp: fake } = own
  const ref = { name: CLASS }
  const finalizers = (value: readonly string[] | null) =>
    client.patch(gceNodeClassKind, ref, { type: 'merge', body: { metadata: { finalizers: value } } })
  switch (state) {
    case 'missing':
      await finalizers(null).catch(() => undefined)
      await client.delete(gceNodeClassKind, ref).catch(() => undefined)
      break
    case 'deleting':
      await finalizers(['example.com/mine'])
      await client.delete(gceNodeClassKind, ref)
      break
    case 'notReady':
      await own.change({ imageSelectorTerms: [{ family: 'ContainerOptimizedOS', version: '1.2.3.4' }] })
      break
    case 'unknown':
      fake.forbidden.add('compute.images.list')
      await own.change({ imageSelectorTerms: [{ family: 'ContainerOptimizedOS', version: 'latest' }] })
  }
  await clock.advance(1_000)
}

/** The driver of the conformance suite, with an in-memory Google Cloud. */
export const gcpDriver: ConformanceDriver = {
  name: 'Google Cloud',
  descriptor: gcp,
  createHarness: async (seed) => {
    const own = await createGcpHarness({ seed, durations: { delete: TERMINATION_DELAY } })
    const harness: ConformanceHarness = {
      ...own,
      cloud: fakeCloud(own),
      restart: () => {
        harness.provider = own.newProvider()
      },
      setNodeClass: (state) => setNodeClass(own, state),
    }
    harnesses.keep(harness, own)
    return harness
  },
  providerID: /^gce:\/\/demo\/us-central1-[a-f]\/karpenter-[a-z0-9-]+$/,
  ownershipTags: (_claim, view) => ownLabels(view.labels[labels.capacityType] === 'spot'),
  unavailableFor: UNAVAILABLE_FOR,
  terminationDelay: TERMINATION_DELAY,
  own: ownChecks,
  notApplicable,
}
