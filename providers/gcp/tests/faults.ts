import type { GCENodeClassSpec } from '@kerf/provider-gcp/node-class'
import type { FakeGcp } from '@kerf/provider-gcp/testing'
import type { Story } from './gcp-story.ts'
import type { StoryOptions } from './kerf-on-fake-gcp.ts'

/** A fault that exists from the start and prevents all launches. */
export interface StartFault {
  readonly what: string
  readonly options: StoryOptions
  readonly end: (harness: Story) => unknown
  /** Matches the reason and the remedy in a condition of the node class and in an Event. */
  readonly says: RegExp
}

export const startFaults: readonly StartFault[] = [
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

/** A mistake in a node class, which affects only the NodePools of this class. */
export interface ClassMistake {
  readonly what: string
  readonly options: StoryOptions
  readonly condition: string
  readonly says: RegExp
  readonly repaired: Partial<GCENodeClassSpec>
}

export const classMistakes: readonly ClassMistake[] = [
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

const SECOND = 'projects/demo/regions/us-central1/subnetworks/second'

/** A fault that begins while nodes are running. */
export interface Hindrance {
  readonly what: string
  readonly begin: (gcp: FakeGcp) => unknown
  readonly end: (gcp: FakeGcp) => unknown
  readonly says: RegExp
  /** Fields of a second node class, whose launches succeed despite the fault. */
  readonly other?: Partial<GCENodeClassSpec>
}

export const hindrances: readonly Hindrance[] = [
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
