import type { Milliseconds } from '@kerf/apis'
import { type BucketSize, TokenBucket } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'

type Service = 'EC2' | 'EKS' | 'IAM' | 'Pricing' | 'SQS' | 'SSM' | 'ARC'

/** What a call of the provider is on the wire: an action, and how many of its answer's items a request brings. */
interface Wire {
  readonly service: Service
  readonly action: string
  readonly page?: number
}

const ec2 = (action: string, page?: number): Wire => ({
  service: 'EC2',
  action,
  ...(page === undefined ? {} : { page }),
})

/** Page sizes are those that `sdk-ec2.ts` asks for, at most what the API reference allows; lists by id come whole. */
const WIRE: Readonly<Record<string, Wire>> = {
  probe: ec2('DescribeInstanceTypes'),
  describeInstanceTypes: ec2('DescribeInstanceTypes', 100),
  describeInstanceTypeOfferings: ec2('DescribeInstanceTypeOfferings', 1_000),
  describeImages: ec2('DescribeImages', 1_000),
  describeSubnets: ec2('DescribeSubnets', 500),
  describeSecurityGroups: ec2('DescribeSecurityGroups', 500),
  describeLaunchTemplates: ec2('DescribeLaunchTemplates', 200),
  createLaunchTemplate: ec2('CreateLaunchTemplate'),
  deleteLaunchTemplate: ec2('DeleteLaunchTemplate'),
  createFleet: ec2('CreateFleet'),
  tryFleet: ec2('CreateFleet'),
  tryRunInstances: ec2('RunInstances'),
  describeInstances: ec2('DescribeInstances'),
  listInstances: ec2('DescribeInstances', 1_000),
  describeInstanceStatus: ec2('DescribeInstanceStatus', 1_000),
  terminateInstances: ec2('TerminateInstances'),
  createTags: ec2('CreateTags'),
  describeSpotPriceHistory: ec2('DescribeSpotPriceHistory', 2_000),
  describeCapacityReservations: ec2('DescribeCapacityReservations', 1_000),
  describePlacementGroups: ec2('DescribePlacementGroups'),
  getParameter: { service: 'SSM', action: 'GetParameter' },
  getInstanceProfile: { service: 'IAM', action: 'GetInstanceProfile' },
  listInstanceProfiles: { service: 'IAM', action: 'ListInstanceProfiles', page: 100 },
  createInstanceProfile: { service: 'IAM', action: 'CreateInstanceProfile' },
  deleteInstanceProfile: { service: 'IAM', action: 'DeleteInstanceProfile' },
  addRole: { service: 'IAM', action: 'AddRoleToInstanceProfile' },
  removeRole: { service: 'IAM', action: 'RemoveRoleFromInstanceProfile' },
  getProducts: { service: 'Pricing', action: 'GetProducts', page: 100 },
  queueUrl: { service: 'SQS', action: 'GetQueueUrl' },
  receive: { service: 'SQS', action: 'ReceiveMessage' },
  delete: { service: 'SQS', action: 'DeleteMessage' },
  describeCluster: { service: 'EKS', action: 'DescribeCluster' },
  getManagedResource: { service: 'ARC', action: 'GetManagedResource' },
}

/** Request token buckets, one for each action (the same page, "Request token bucket sizes and refill rates"). */
const READS: BucketSize = { capacity: 100, refill: 20 }
/** Of the actions that have it, without a filter and without pages. */
const UNBOUNDED_READS: BucketSize = { capacity: 50, refill: 10 }
const WRITES: BucketSize = { capacity: 50, refill: 5 }
const OWN: Readonly<Record<string, BucketSize>> = {
  CreateTags: { capacity: 100, refill: 10 },
  RunInstances: { capacity: 5, refill: 2 },
  TerminateInstances: { capacity: 100, refill: 5 },
}
const HAS_UNBOUNDED: ReadonlySet<string> = new Set([
  'DescribeInstances',
  'DescribeInstanceStatus',
  'DescribeSecurityGroups',
])

/**
 * Resource token buckets: a token for each instance that a request concerns (the same page, "Resource token bucket sizes
 * and refill rates"). The page does not say that fleets are exempt, so what they launch counts as run.
 */
const RESOURCES = {
  RunInstances: { capacity: 1_000, refill: 2 },
  TerminateInstances: { capacity: 1_000, refill: 20 },
} as const satisfies Readonly<Record<string, BucketSize>>

/** Parameter Store without higher throughput (AWS General Reference, "AWS Systems Manager endpoints and quotas"). */
const PARAMETERS: BucketSize = { capacity: 40, refill: 40 }

const sizeOf = ({ service, action }: Wire, isUnbounded: boolean): BucketSize | undefined => {
  if (service === 'SSM') return PARAMETERS
  // The other services name no numbers, or such that nobody here comes near them.
  if (service !== 'EC2') return undefined
  if (OWN[action] !== undefined) return OWN[action]
  if (!action.startsWith('Describe')) return WRITES
  return isUnbounded && HAS_UNBOUNDED.has(action) ? UNBOUNDED_READS : READS
}

/** What AWS answers to a request above its limit. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** EC2 answers 503 and its own code; Systems Manager 400 (their API references, "Common errors"). */
const refusalOf = (service: Service): Refusal =>
  service === 'EC2'
    ? { code: 'RequestLimitExceeded', message: 'Request limit exceeded.', status: 503 }
    : { code: 'ThrottlingException', message: 'Rate exceeded', status: 400 }

/** A request as it went to AWS. */
export interface Request {
  readonly service: Service
  readonly action: string
  readonly at: number
  readonly isRefused: boolean
}

/**
 * Every request to the fake AWS, and the documented limits that they are held against. A list of several pages is several
 * requests.
 */
export class Requests {
  readonly made: Request[] = []
  /** Off for what has nothing to do with limits and more to do than they allow. */
  isLimited = true
  readonly #clock: Clock
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A request arrives. `isUnbounded`: it has neither a filter nor a page size. Answers what AWS says above its limit. */
  admit(call: string, { isUnbounded = false }: { readonly isUnbounded?: boolean } = {}): Refusal | undefined {
    const wire = WIRE[call]
    if (wire === undefined) throw new Error(`the fake AWS does not know what ${call} is on the wire`)
    const size = sizeOf(wire, isUnbounded)
    const name = `${wire.action}${isUnbounded ? ' unbounded' : ''}`
    const isRefused = size !== undefined && !this.#take(name, size, 1)
    this.made.push({ service: wire.service, action: wire.action, at: this.#clock.monotonic(), isRefused })
    return isRefused ? refusalOf(wire.service) : undefined
  }

  /** The further requests that an answer takes: one for each page after the first. */
  admitPages(call: string, answer: unknown): Refusal | undefined {
    const page = WIRE[call]?.page
    if (page === undefined || !Array.isArray(answer)) return undefined
    for (let left = answer.length - page; left > 0; left -= page) {
      const refusal = this.admit(call)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }

  /** Whether the limit of resources allows so many instances more. */
  takeResources(action: keyof typeof RESOURCES, count: number): boolean {
    return this.#take(`${action} resources`, RESOURCES[action], count)
  }

  /**
   * Keeps the bucket of an action of EC2 empty for so long, as other callers of the account do: buckets are the account's
   * in a region, not the caller's (the same page). Then it fills again at its rate.
   */
  drain(action: string, span: Milliseconds): void {
    const size = sizeOf(ec2(action), false)
    if (size !== undefined) this.#bucket(action, size).drain(span)
  }

  /** How many there were, by `service:Action`, in the order of their names; of those from `since` on, before `until`. */
  counts({ since = 0, until = Number.POSITIVE_INFINITY } = {}): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { service, action, at } of this.made) {
      if (at < since || at >= until) continue
      const key = `${service.toLowerCase()}:${action}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return new Map([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #take(name: string, size: BucketSize, count: number): boolean {
    const bucket = this.#bucket(name, size)
    return !this.isLimited || bucket.take(count)
  }

  #bucket(name: string, size: BucketSize): TokenBucket {
    const bucket = this.#buckets.get(name) ?? new TokenBucket(this.#clock, size)
    this.#buckets.set(name, bucket)
    return bucket
  }
}
