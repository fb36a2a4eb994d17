import { createHash } from 'node:crypto'
import type { OfferingPattern } from '@kerf/provider-contract'

const PREFIX = 'karpenter-'
const LONGEST = 63
const NAME = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
const PROVIDER_ID = /^gce:\/\/([^/]+)\/([^/]+)\/([^/]+)$/

/** Returns the name of a NodeClaim's instance. The name is the only link from the instance to its claim. */
export const instanceName = (claim: string): string => `${PREFIX}${claim}`

/** Returns the reason why no instance can have the NodeClaim's name, or undefined if one can. */
export const instanceNameProblem = (claim: string): string | undefined =>
  NAME.test(instanceName(claim))
    ? undefined
    : `the name of NodeClaim ${JSON.stringify(claim)} must have at most ${LONGEST - PREFIX.length} lower case letters, digits and hyphens, because its instance is called ${PREFIX}CLAIM`

/** Returns the name of an instance's NodeClaim, or undefined if the instance's name has another form. */
export const claimInName = (instance: string): string | undefined =>
  instance.startsWith(PREFIX) ? instance.slice(PREFIX.length) : undefined

/** The project, zone and name of an instance. */
export interface InstancePlace {
  readonly project: string
  readonly zone: string
  readonly name: string
}

export const providerIdFor = ({ project, zone, name }: InstancePlace): string => `gce://${project}/${zone}/${name}`

/** Returns the project, zone and name in a provider ID, or undefined for an ID of another form. */
export const placeInProviderId = (providerId: string): InstancePlace | undefined => {
  const [, project, zone, name] = PROVIDER_ID.exec(providerId) ?? []
  return project === undefined || zone === undefined || name === undefined ? undefined : { project, zone, name }
}

/**
 * Returns the request id of an insert, a UUID that depends only on these values. If a request id is repeated within an hour, Compute Engine
 * does nothing and returns the earlier operation. Therefore each new attempt after a failed operation needs a different attempt number.
 */
export const requestIdFor = (
  claimUid: string,
  { zone, instanceType, capacityType }: Required<OfferingPattern>,
  attempt: number,
): string => {
  const digest = createHash('sha256')
    .update([claimUid, zone, instanceType, capacityType, `${attempt}`].join('\n'))
    .digest('hex')
  // RFC 9562 defines version 8 for ids with a custom format, such as this one.
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}
