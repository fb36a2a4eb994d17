/** A part of AWS with accounts, ARNs and names of hosts of its own. */
export interface AwsPartition {
  /** As ARNs have it. */
  readonly name: string
  /** What the names of its hosts end in. */
  readonly dnsSuffix: string
}

/** By the beginning of the names of their regions, as the endpoint rules of AWS's SDKs have them. */
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

/** How EC2 is called as a service that takes on a role; a partition that is not known here has the standard name. */
export const ec2ServiceOf = (partition: string): string => {
  const found = PARTITIONS.find(([, { name }]) => name === partition)?.[1] ?? STANDARD
  return `ec2.${found.dnsSuffix}`
}

/** The partition that a region belongs to; AWS names regions after it. */
export const awsPartitionOf = (region: string): AwsPartition =>
  PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? STANDARD
