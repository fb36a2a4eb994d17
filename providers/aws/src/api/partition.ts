/** An AWS partition, which has its own accounts, ARNs and host names. */
export interface AwsPartition {
  /** The name in ARNs. */
  readonly name: string
  /** The suffix of host names. */
  readonly dnsSuffix: string
}

/** Partitions by the prefix of their region names, as in the endpoint rules of the AWS SDKs. */
const PARTITIONS: readonly (readonly [prefix: string, partition: AwsPartition])[] = [
  ['cn-', { name: 'aws-cn', dnsSuffix: 'amazonaws.com.cn' }],
  ['us-gov-', { name: 'aws-us-gov', dnsSuffix: 'amazonaws.com' }],
  ['us-iso-', { name: 'aws-iso', dnsSuffix: 'c2s.ic.gov' }],
  ['us-isob-', { name: 'aws-iso-b', dnsSuffix: 'sc2s.sgov.gov' }],
  ['eu-isoe-', { name: 'aws-iso-e', dnsSuffix: 'cloud.adc-e.uk' }],
  ['us-isof-', { name: 'aws-iso-f', dnsSuffix: 'csp.hci.ic.gov' }],
  ['eusc-', { name: 'aws-eusc', dnsSuffix: 'amazonaws.eu' }],
]
const STANDARD: AwsPartition = { name: 'aws', dnsSuffix: 'amazonaws.com' }

/** Returns the service principal of EC2 in trust policies. If the partition is unknown, returns the standard name. */
export const ec2Service = (partition: string): string => {
  const found = PARTITIONS.find(([, { name }]) => name === partition)?.[1] ?? STANDARD
  return `ec2.${found.dnsSuffix}`
}

/** Returns the partition of a region, derived from the name of the region. */
export const awsPartition = (region: string): AwsPartition =>
  PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? STANDARD
