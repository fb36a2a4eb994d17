/**
 * Labels of EC2 instances and their types (`docs/spec/labels.md#aws-labels`,
 * `providers/aws/docs/spec/aws.md#labels-of-instance-types`).
 */

export const AWS_GROUP = 'karpenter.k8s.aws'

const own = <const Name extends string>(name: Name): `${typeof AWS_GROUP}/${Name}` => `${AWS_GROUP}/${name}`

export const awsLabels = {
  /** The EC2NodeClass of a NodeClaim or node. Only the controller sets it. It is the only label here that is not well-known. */
  nodeClass: own('ec2nodeclass'),
  capacityReservationId: own('capacity-reservation-id'),
  /** `default` or `capacity-block`. */
  capacityReservationType: own('capacity-reservation-type'),
  /** `true` or `false`. */
  capacityReservationInterruptible: own('capacity-reservation-interruptible'),
  hypervisor: own('instance-hypervisor'),
  encryptionInTransitSupported: own('instance-encryption-in-transit-supported'),
  /** Whether Nitro Enclaves are supported. */
  nitroSandbox: own('nitro-sandbox'),
  capabilityFlex: own('instance-capability-flex'),
  category: own('instance-category'),
  family: own('instance-family'),
  generation: own('instance-generation'),
  size: own('instance-size'),
  /** vCPUs. */
  cpu: own('instance-cpu'),
  cpuManufacturer: own('instance-cpu-manufacturer'),
  /** MHz. */
  cpuSustainedClockSpeed: own('instance-cpu-sustained-clock-speed-mhz'),
  /** MiB. */
  memory: own('instance-memory'),
  /** Baseline in Mbit/s. */
  ebsBandwidth: own('instance-ebs-bandwidth'),
  /** GB of instance store volumes. */
  networkBandwidth: own('instance-network-bandwidth'),
  /** GB of instance store. */
  localNvme: own('instance-local-nvme'),
  gpuName: own('instance-gpu-name'),
  gpuManufacturer: own('instance-gpu-manufacturer'),
  gpuCount: own('instance-gpu-count'),
  /** MiB per GPU. */
  gpuMemory: own('instance-gpu-memory'),
  acceleratorName: own('instance-accelerator-name'),
  acceleratorManufacturer: own('instance-accelerator-manufacturer'),
  acceleratorCount: own('instance-accelerator-count'),
  /** `default` or `dedicated`. */
  tenancy: own('instance-tenancy'),
  placementGroupId: own('placement-group-id'),
  placementGroupPartition: own('placement-group-partition'),
} as const

/**
 * The zone id, which is the same in all accounts, for example `use1-az1`. Unlike the labels above, it is not in Karpenter's domain. It is
 * well-known on AWS.
 */
export const ZONE_ID_LABEL = 'topology.k8s.aws/zone-id'

/** Labels that a NodeOverlay cannot use, because their values depend on the launch, not on the instance type. */
const LAUNCH_LABELS: ReadonlySet<string> = new Set([
  awsLabels.tenancy,
  awsLabels.capacityReservationId,
  awsLabels.capacityReservationType,
  awsLabels.capacityReservationInterruptible,
  awsLabels.placementGroupId,
  awsLabels.placementGroupPartition,
])

/** Labels of the AWS domain that NodePools and NodeClaims may use. */
export const awsPoolLabels: readonly string[] = Object.values(awsLabels)

/** Labels of the AWS domain that NodeOverlays may use. */
export const awsOverlayLabels: readonly string[] = awsPoolLabels.filter((label) => !LAUNCH_LABELS.has(label))

/** The well-known labels of AWS. */
export const awsWellKnownLabels: readonly string[] = [
  ...awsPoolLabels.filter((label) => label !== awsLabels.nodeClass),
  ZONE_ID_LABEL,
]
