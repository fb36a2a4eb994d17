import type { Clock, KubeClient } from '@kerf/runtime'
import type { AzureApi } from '../api/azure-api.ts'
import type { CallerIdentity } from '../api/caller-identity.ts'
import { nodeClassSubnetId } from '../resource-ids/subnet-id.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import { type ClusterView, readCluster } from './cluster-findings.ts'
import { passed, refused, type Subject, type SubscriptionFinding, skipped } from './finding.ts'
import { imageFindings } from './image-findings.ts'
import { networkFindings, nodeGroupFinding, subnetFinding } from './network-findings.ts'
import { quotaFindings } from './quota-findings.ts'
import { roleFindings } from './role-findings.ts'

export interface VerifyDeps {
  readonly api: AzureApi
  /** Returns the identity of the caller. @throws AzureApiError if no token is available. */
  identity(signal: AbortSignal): Promise<CallerIdentity>
  readonly clock: Clock
  readonly settings: AzureSettings
  /** The client of the cluster. Undefined if there is none. */
  readonly client: KubeClient | undefined
  /** The namespace of the controller. */
  readonly namespace: string
}

const identityText = ({ objectId, clientId, tenant }: CallerIdentity): string =>
  [
    objectId === undefined ? 'received a token' : `object ID ${objectId}`,
    ...(clientId === undefined ? [] : [`client ID ${clientId}`]),
    ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
  ].join(', ')

const NO_CLUSTER: ClusterView = {
  ...{ version: '', classes: [] },
  findings: [
    skipped({ check: 'version, classes and maintenance window', object: 'the cluster' }, 'no cluster was specified'),
  ],
}

/**
 * Checks whether a subscription meets Kerf's requirements, without changing anything. It uses the identity of the caller. In a pod, this is
 * the identity of the controller. Elsewhere, it is the signed-in user.
 *
 * @throws the signal's reason, and errors that do not come from Azure.
 */
export const verifySubscription = async (
  deps: VerifyDeps,
  signal: AbortSignal,
): Promise<readonly SubscriptionFinding[]> => {
  const { api, clock, settings, client, namespace } = deps
  const cluster = client === undefined ? NO_CLUSTER : await readCluster(client, { clock, namespace }, signal)
  const who: Subject = {
    check: 'Azure accepts the credentials',
    object: `tenant of subscription ${settings.azureSubscriptionID}`,
  }
  let identity: SubscriptionFinding
  try {
    identity = passed(who, identityText(await deps.identity(signal)))
  } catch (error) {
    signal.throwIfAborted()
    const rest = skipped(
      { check: 'roles, network, quotas and images', object: 'the subscription' },
      'Azure needs a token',
    )
    return [refused(who, error, ''), rest, ...cluster.findings]
  }
  const subnets = [
    ...new Set([settings.vnetSubnetID, ...cluster.classes.map((each) => nodeClassSubnetId(each, settings))]),
  ].filter((id) => id !== '')
  const findings = await Promise.all([
    roleFindings(api.authorization, settings, subnets, signal),
    nodeGroupFinding(api.network, settings, subnets, signal),
    Promise.all(subnets.map((id) => subnetFinding(api.network, id, signal))),
    networkFindings(api.network, settings, subnets, signal),
    quotaFindings(api.compute, settings, signal),
    imageFindings({ images: api.images, clock }, settings, cluster, signal),
  ])
  return [identity, ...findings.flat(), ...cluster.findings]
}
