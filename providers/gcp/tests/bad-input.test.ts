import { karpenterKinds } from '@kerf/apis'
import { type GCENodeClassSpec, gceNodeClassKind } from '@kerf/provider-gcp/node-class'
import type { FakeGcp } from '@kerf/provider-gcp/testing'
import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { leavesNothing, otherPool, type Story, scale, story } from './gcp-story.ts'
import type { StoryOptions } from './kerf-on-fake-gcp.ts'

const INSERT = 'compute.instances.insert'

/** A fault from the start, which keeps Kerf from launching anything. */
interface StartFault {
  readonly what: string
  readonly options: StoryOptions
  readonly end: (harness: Story) => unknown
  /** The reason and the remedy, in a condition of the class and in an event. */
  readonly says: RegExp
}

const startFaults: readonly StartFault[] = [
  {
    what: 'credentials that Google Cloud does not accept',
    options: { before: ({ tokens }) => tokens.clear() },
    end: ({ gcp }) => gcp.tokens.add('new'),
    says: /CredentialsRefused: .*invalid authentication credentials.*Check the workload identity/,
  },
  {
    what: 'a project that does not exist',
    options: { settings: { project: 'other' } },
    end: (harness) => harness.restart(),
    says: /ResourceNotFound: .*projects\/other.*Check PROJECT_ID/,
  },
  {
    what: 'a region that does not exist',
    options: { settings: { location: 'us-central9', region: 'us-central9' } },
    end: (harness) => harness.restart(),
    says: /ResourceNotFound: .*us-central9.*Check .*CLUSTER_LOCATION/,
  },
  {
    what: 'a project without the API of Compute Engine',
    options: { before: ({ disabled }) => void disabled.add('compute') },
    end: ({ gcp }) => gcp.disabled.clear(),
    says: /ApiDisabled: .*Compute Engine API.*gcloud services enable compute/,
  },
  {
    what: 'a project without the API of GKE',
    options: { before: ({ disabled }) => void disabled.add('container') },
    end: ({ gcp }) => gcp.disabled.clear(),
    says: /ApiDisabled: .*Kubernetes Engine API.*gcloud services enable compute/,
  },
]

describe.each(sampled(startFaults, 2, 'faults at the start'))('$what', ({ options, end, says }) => {
  test('a condition and an event tell the remedy, nothing is launched, and Kerf continues after the change', async () => {
    const harness = await story(options)
    await harness.pass(120)
    expect(await harness.condition('InstanceTypesReady')).toMatch(new RegExp(`^Unknown ${says.source}`))
    expect(await harness.condition('Ready')).toMatch(/^Unknown/)
    expect(await harness.events()).toMatch(says)
    expect(harness.gcp.count(INSERT)).toBe(0)
    await end(harness)
    await harness.runs()
    await leavesNothing(harness)
  })
})

/** A mistake in a class, which concerns only the NodePools of the class. */
interface ClassMistake {
  readonly what: string
  readonly options: StoryOptions
  readonly condition: string
  readonly says: RegExp
  readonly repaired: Partial<GCENodeClassSpec>
}

const classMistakes: readonly ClassMistake[] = [
  {
    what: 'an image selector that matches nothing',
    options: { spec: { imageSelectorTerms: [{ id: 'projects/demo/global/images/none' }] } },
    condition: 'ImagesReady',
    says: /ImagesNotFound: spec\.imageSelectorTerms selects no image; check/,
    repaired: { imageSelectorTerms: [{ family: 'ContainerOptimizedOS', version: 'latest' }] },
  },
  {
    what: 'labels that Compute Engine refuses',
    options: { spec: { labels: { team: 'Web' } } },
    condition: 'ValidationSucceeded',
    says: /InvalidLabels: spec\.labels\["team"\]: the value "Web" must have at most 63 lower case letters/,
    repaired: { labels: { team: 'web' } },
  },
  {
    what: 'a machine type that cannot attach the disks',
    options: { types: ['c4-standard-8'], spec: { disks: [{ boot: true, category: 'pd-balanced' }] } },
    condition: 'InstanceTypesReady',
    says: /DisksUnsupported: NodePool "general": c4-standard-8 cannot attach .*change the category in spec\.disks/,
    repaired: { disks: [{ boot: true, category: 'hyperdisk-balanced' }] },
  },
]

describe.each(sampled(classMistakes, 1, 'mistakes in classes'))('$what', ({ options, condition, says, repaired }) => {
  test('a condition and an event tell the remedy, other NodePools launch, and this one does after the change', async () => {
    const harness = await story(options)
    const runsElsewhere = await otherPool(harness)
    await runsElsewhere()
    expect(await harness.run()).toBe(0)
    expect(await harness.condition(condition)).toMatch(says)
    expect(await harness.events()).toMatch(says)
    expect(harness.gcp.count(INSERT)).toBe(1)
    const body = { spec: repaired }
    await harness.client.patch(gceNodeClassKind, { name: 'default' }, { type: 'merge', body })
    await harness.runs()
    expect(await harness.condition(condition)).not.toMatch(says)
    await leavesNothing(harness)
  })
})

const SECOND = 'projects/demo/regions/us-central1/subnetworks/second'
/** The maximum number of inserts in four minutes in which none can succeed. */
const MOST_INSERTS = 30

/** A fault that begins while nodes run. */
interface Hindrance {
  readonly what: string
  readonly begin: (gcp: FakeGcp) => unknown
  readonly end: (gcp: FakeGcp) => unknown
  readonly says: RegExp
  /** A class whose launches succeed nevertheless. */
  readonly other?: Partial<GCENodeClassSpec>
}

const hindrances: readonly Hindrance[] = [
  {
    what: 'credentials that expire',
    begin: ({ tokens }) => tokens.clear(),
    end: ({ tokens }) => tokens.add('new'),
    says: /CredentialsRefused: .*Check the workload identity/,
  },
  {
    what: 'a quota that is used up',
    begin: ({ instances }) => instances.failures.push({ code: 'QUOTA_EXCEEDED', offerings: {} }),
    end: ({ instances }) => instances.failures.splice(0),
    says: /InsufficientCapacityError: .*QUOTA_EXCEEDED: Quota .*request a higher quota/,
  },
  {
    what: 'a full subnetwork',
    begin: ({ instances, offer }) => {
      offer.ranges.set(SECOND, ['pods'])
      instances.fullSubnetworks.add('projects/demo/regions/us-central1/subnetworks/nodes')
    },
    end: ({ instances }) => instances.fullSubnetworks.clear(),
    says: /InsufficientCapacityError: .*IP_SPACE_EXHAUSTED: .*enlarge the subnetwork or its range for pods/,
    other: { networkConfig: { subnetwork: SECOND } },
  },
]

describe.each(sampled(hindrances, 1, 'hindrances'))('$what', ({ begin, end, says, other }) => {
  test('an event tells the remedy, existing nodes stay, and new ones are launched when it ends', async () => {
    const harness = await story()
    await harness.runs()
    const before = harness.instances()
    const { gcp } = harness
    const inserts = gcp.count(INSERT)
    begin(gcp)
    await scale(harness, 15)
    await harness.pass(240)
    expect(await harness.events()).toMatch(says)
    expect(gcp.count(INSERT) - inserts).toBeLessThanOrEqual(MOST_INSERTS)
    expect(harness.instances()).toEqual(expect.arrayContaining([...before]))
    expect(await harness.run()).toBeGreaterThanOrEqual(3)
    if (other !== undefined) await (await otherPool(harness, other))()
    await end(gcp)
    await harness.runs(15, 1_200)
    await leavesNothing(harness)
  })
})

test('a creation that never ends is given up after five minutes: its instance is deleted, and another offering is tried', async () => {
  const harness = await story()
  await harness.runs()
  const before = harness.instances()
  const { instances } = harness.gcp
  const { durations } = instances
  instances.durations = { ...durations, insert: 24 * 3_600_000 }
  await scale(harness, 6)
  const launched = () => instances.all().filter(({ body }) => !before.includes(body.name))
  await harness.until('a launch', async () => launched().length > 0)
  const [stuck] = launched()
  instances.durations = durations
  await harness.runs(6, 900)
  expect(await harness.events()).toMatch(
    /InstanceCreationTimeout: .*within 5 minutes; Kerf deletes it and tries another offering\. See "gcloud compute operations describe/,
  )
  expect(harness.instances()).toEqual(expect.arrayContaining([...before]))
  const [instead, ...more] = launched()
  expect(more).toEqual([])
  expect(instead?.body.name).not.toBe(stuck?.body.name)
  expect([instead?.zone, instead?.facts.name]).not.toEqual([stuck?.zone, stuck?.facts.name])
  const { items } = await harness.client.list(karpenterKinds.NodeClaim)
  expect(items).toHaveLength(harness.instances().length)
  await leavesNothing(harness)
})
