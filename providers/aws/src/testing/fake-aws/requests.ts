import { type BucketSize, type Fault, RecordedRequests, type WireCall } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'

type Service = 'EC2' | 'EKS' | 'IAM' | 'Pricing' | 'SQS' | 'SSM' | 'ARC' | 'SavingsPlans'

type Wire = WireCall<Service>

const ec2 = (action: string, page?: number): Wire => ({
  service: 'EC2',
  action,
  ...(page === undefined ? {} : { page }),
})

/** The page sizes of `sdk-ec2.ts`. They do not exceed the limits in the API reference. Lists by id have one page. */
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
  describeReservedInstances: ec2('DescribeReservedInstances'),
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
  describeSavingsPlans: { service: 'SavingsPlans', action: 'DescribeSavingsPlans', page: 1_000 },
  describeSavingsPlanRates: { service: 'SavingsPlans', action: 'DescribeSavingsPlanRates', page: 1_000 },
  getManagedResource: { service: 'ARC', action: 'GetManagedResource' },
}

/** The request token buckets, one for each action (EC2 Developer Guide, "Request token bucket sizes and refill rates"). */
const READS: BucketSize = { capacity: 100, refill: 20 }
/** The bucket for requests without a filter and without pages. Only some actions have one. */
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
 * The resource token buckets: a request takes one token for each of its instances (EC2 Developer Guide, "Resource token bucket sizes
 * and refill rates"). The guide does not exclude fleets, so their instances take tokens like those of RunInstances.
 */
const RESOURCES = {
  RunInstances: { capacity: 1_000, refill: 2 },
  TerminateInstances: { capacity: 1_000, refill: 20 },
} as const satisfies Readonly<Record<string, BucketSize>>

/** The limit of Parameter Store without higher throughput (AWS General Reference, "AWS Systems Manager endpoints and quotas"). */
const PARAMETERS: BucketSize = { capacity: 40, refill: 40 }

const bucketSize = ({ service, action }: Wire, isUnbounded: boolean): BucketSize | undefined => {
  if (service === 'SSM') return PARAMETERS
  // The other services document no limits, or limits that tests do not reach.
  if (service !== 'EC2') return undefined
  if (OWN[action] !== undefined) return OWN[action]
  if (!action.startsWith('Describe')) return WRITES
  return isUnbounded && HAS_UNBOUNDED.has(action) ? UNBOUNDED_READS : READS
}

/**
 * For a throttled request, EC2 returns status 503 and its own code, and Systems Manager returns status 400 (their API references, "Common
 * errors").
 */
const serviceRefusal = (service: Service): Fault =>
  service === 'EC2'
    ? { code: 'RequestLimitExceeded', message: 'Request limit exceeded.', status: 503 }
    : { code: 'ThrottlingException', message: 'Rate exceeded', status: 400 }

/**
 * Records every request to the fake AWS and applies the documented limits. The limits apply per account and region, not per caller (EC2
 * Developer Guide, throttling).
 */
export class Requests extends RecordedRequests<Service> {
  constructor(clock: Clock) {
    super(clock, { cloud: 'AWS', wire: WIRE, bucketOf: bucketSize, refusalOf: serviceRefusal })
  }

  /** Takes tokens for this many instances from the resource bucket. Returns false if there are too few. */
  takeResources(action: keyof typeof RESOURCES, count: number): boolean {
    return this.take(`${action} resources`, RESOURCES[action], count)
  }
}
