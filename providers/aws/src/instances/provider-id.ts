import type { NodeClaim } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'

/** Matches a provider ID such as `aws:///us-east-1a/i-0123456789abcdef0`, in the format of the Kubernetes cloud provider. */
const PROVIDER_ID = /^aws:\/\/\/([^/]+)\/(i-[^/]+)$/

export const awsProviderId = (zone: string, instanceId: string): string => `aws:///${zone}/${instanceId}`

/** Returns the zone and instance of a provider ID, or undefined for another format. */
export const parseProviderId = (
  providerId: string | undefined,
): { readonly zone: string; readonly instanceId: string } | undefined => {
  const [, zone, instanceId] = PROVIDER_ID.exec(providerId ?? '') ?? []
  return zone === undefined || instanceId === undefined ? undefined : { zone, instanceId }
}

/**
 * Returns the instance id of a claim.
 *
 * @throws NodeClaimNotFoundError if the claim has no instance, or an instance of another cloud.
 */
export const claimInstanceId = ({ metadata, status }: NodeClaim): string => {
  const id = parseProviderId(status?.providerID)
  if (id === undefined) throw new NodeClaimNotFoundError(`nodeclaim ${metadata.name} has no EC2 instance`)
  return id.instanceId
}
