import type { NodeClaim } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'

/** `aws:///us-east-1a/i-0123456789abcdef0`, as the cloud provider of Kubernetes writes it. */
const PROVIDER_ID = /^aws:\/\/\/([^/]+)\/(i-[^/]+)$/

export const providerIdOf = (zone: string, instanceId: string): string => `aws:///${zone}/${instanceId}`

/** The instance that a provider id names; nothing for one of another form. */
export const parseProviderId = (
  providerId: string | undefined,
): { readonly zone: string; readonly instanceId: string } | undefined => {
  const [, zone, instanceId] = PROVIDER_ID.exec(providerId ?? '') ?? []
  return zone === undefined || instanceId === undefined ? undefined : { zone, instanceId }
}

/**
 * The instance of a claim.
 *
 * @throws NodeClaimNotFoundError for a claim that has none, or one of another cloud.
 */
export const instanceIdOf = ({ metadata, status }: NodeClaim): string => {
  const id = parseProviderId(status?.providerID)
  if (id === undefined) throw new NodeClaimNotFoundError(`nodeclaim ${metadata.name} has no instance of EC2`)
  return id.instanceId
}
