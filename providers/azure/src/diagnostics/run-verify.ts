import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { resultsText } from '@kerf/provider-kit/terminal'
import { type Clock, type KubeClient, parseSettings, textOfThrown } from '@kerf/runtime'
import { type AzureConnection, completedSettings } from '../api/connect-azure.ts'
import { type AzureSettings, azureSettings } from '../settings/azure-settings.ts'
import { ENCRYPTION_SET, GROUP, given, matching, SUBNET, UUID } from '../settings/flag-values.ts'
import { verifySubscription } from './verify-subscription.ts'

export interface AzureVerifyOptions {
  readonly subscription?: string
  readonly location?: string
  readonly nodeResourceGroup?: string
  readonly vnetSubnetId?: string
  readonly nodeOsdiskDiskencryptionsetId?: string
  readonly namespace: string
  readonly output: 'table' | 'json'
}

/** The external dependencies of `kerf azure verify`. */
export interface AzureVerifyDeps {
  readonly clock: Clock
  connect(settings: AzureSettings): Promise<Pick<AzureConnection, 'api' | 'identity'>>
  /** The client of the cluster. Undefined if the user specifies no cluster and there is no default one. */
  readonly client: KubeClient | undefined
  readonly signal: AbortSignal
}

const LOCATION = /^[a-z0-9]+$/i

type Env = VerbStreams['env']

/**
 * Returns the settings of `kerf run`, overridden by the flags. Settings that only nodes need may be missing. The function does not check
 * them.
 */
const settingsOf = (options: AzureVerifyOptions, env: Env): AzureSettings => {
  const flags = {
    AZURE_SUBSCRIPTION_ID: options.subscription,
    LOCATION: options.location,
    AZURE_NODE_RESOURCE_GROUP: options.nodeResourceGroup,
    VNET_SUBNET_ID: options.vnetSubnetId,
    NODE_OSDISK_DISKENCRYPTIONSET_ID: options.nodeOsdiskDiskencryptionsetId,
  }
  const named = Object.entries(flags).filter(([, value]) => value !== undefined)
  return completedSettings(parseSettings(azureSettings, { ...env, ...Object.fromEntries(named) }).settings, env)
}

const checked = (settings: AzureSettings): AzureSettings => {
  const { azureSubscriptionID, azureLocation, azureNodeResourceGroup, vnetSubnetID } = settings
  given(azureSubscriptionID, 'subscription', '--subscription', 'AZURE_SUBSCRIPTION_ID', UUID)
  given(azureLocation, 'location', '--location', 'LOCATION', LOCATION)
  given(
    ...([azureNodeResourceGroup, 'resource group of the nodes', '--node-resource-group'] as const),
    ...(['AZURE_NODE_RESOURCE_GROUP', GROUP] as const),
  )
  given(vnetSubnetID, 'subnet', '--vnet-subnet-id', 'VNET_SUBNET_ID', SUBNET)
  matching(
    settings.nodeOSDiskEncryptionSetID,
    '--node-osdisk-diskencryptionset-id',
    'resource ID of a disk encryption set',
    ENCRYPTION_SET,
  )
  return settings
}

/**
 * Runs `kerf azure verify`: checks Kerf's requirements in Azure and in the cluster, and changes nothing.
 * @returns the exit code: 0 if no check failed, 1 if Azure refuses the credentials, 3 if another check failed
 * @throws UsageError if the settings contain no subscription, and for invalid values
 */
export const runAzureVerify = async (
  options: AzureVerifyOptions,
  { stdout, env }: Pick<VerbStreams, 'stdout' | 'env'>,
  deps: AzureVerifyDeps,
): Promise<0 | 1 | 3> => {
  const settings = checked(settingsOf(options, env))
  const connection = await deps.connect(settings).catch((error: unknown) => {
    throw new UsageError(textOfThrown(error), { cause: error })
  })
  const findings = await verifySubscription(
    {
      ...{ api: connection.api, identity: connection.identity, clock: deps.clock, settings },
      ...{ client: deps.client, namespace: options.namespace },
    },
    deps.signal,
  )
  stdout.write(`${resultsText(options.output, { subscription: settings.azureSubscriptionID }, findings)}\n`)
  // The first check is for the credentials. If it fails, the command has sent no other request.
  if (findings[0]?.outcome === 'failed') return 1
  return findings.some(({ outcome }) => outcome === 'failed') ? 3 : 0
}
