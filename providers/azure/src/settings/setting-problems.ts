import { isIP } from 'node:net'
import { parseSubnetId } from '../resource-ids/subnet-id.ts'
import type { AzureSettings } from './azure-settings.ts'

const DISK_ENCRYPTION_SET =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/diskEncryptionSets\/[^/]+$/i

const isUrl = (text: string): boolean => URL.canParse(text) && new URL(text).host !== ''

/** The settings that are required for launches, by the variable that a user would set. */
const REQUIRED = [
  ['CLUSTER_NAME', 'clusterName'],
  ['CLUSTER_ENDPOINT', 'clusterEndpoint'],
  ['KUBELET_BOOTSTRAP_TOKEN', 'kubeletBootstrapToken'],
  ['SSH_PUBLIC_KEY', 'sshPublicKey'],
  ['VNET_SUBNET_ID', 'vnetSubnetID'],
  ['AZURE_NODE_RESOURCE_GROUP', 'azureNodeResourceGroup'],
  ['LOCATION', 'azureLocation'],
  ['AZURE_SUBSCRIPTION_ID', 'azureSubscriptionID'],
] as const satisfies readonly (readonly [string, keyof AzureSettings])[]

/** Provision modes that only AKS itself can use, each with the reason. */
const UNSUPPORTED_MODES: Readonly<Partial<Record<AzureSettings['provisionMode'], string>>> = {
  bootstrappingclient: 'only AKS can use the node bootstrapping service',
  aksmachineapiheaderbatch: 'AKS accepts the batch header only from its own autoscaler',
}

const imageProblems = (settings: AzureSettings): readonly string[] => {
  const isMachineMode = settings.provisionMode === 'aksmachineapi'
  if (isMachineMode && !settings.useSIG) return ['USE_SIG must be true with PROVISION_MODE=aksmachineapi']
  if (!settings.useSIG) return []
  return [
    ...(settings.sigSubscriptionID === '' ? ['SIG_SUBSCRIPTION_ID is required with USE_SIG=true'] : []),
    ...(isMachineMode || isUrl(settings.sigAccessTokenServerURL)
      ? []
      : ['SIG_ACCESS_TOKEN_SERVER_URL must be an absolute URL with USE_SIG=true']),
  ]
}

/** Checks the settings that identify the AKS pool. */
const machineProblems = (settings: AzureSettings): readonly string[] => {
  const isMachineMode = settings.provisionMode === 'aksmachineapi'
  if (!isMachineMode && !settings.manageExistingAKSMachines) return []
  const because = isMachineMode ? 'PROVISION_MODE=aksmachineapi' : 'MANAGE_EXISTING_AKS_MACHINES=true'
  return [
    ...(settings.aksMachinesPoolName === '' ? [`AKS_MACHINES_POOL_NAME is required with ${because}`] : []),
    ...(settings.azureResourceGroup === '' ? [`ARM_RESOURCE_GROUP is required with ${because}`] : []),
  ]
}

/**
 * Returns all problems across several settings, one sentence each (`providers/azure/docs/spec/azure.md#settings`). The parsers of the
 * settings have already checked single values.
 */
export const settingProblems = (settings: AzureSettings): readonly string[] => {
  const { provisionMode, networkPlugin, networkPluginMode, dnsServiceIP, vnetSubnetID } = settings
  const problems: string[] = REQUIRED.flatMap(([name, key]) => (settings[key] === '' ? [`${name} is required`] : []))
  const reason = UNSUPPORTED_MODES[provisionMode]
  if (reason !== undefined)
    problems.push(`PROVISION_MODE=${provisionMode} is not supported: ${reason}; use aksscriptless or aksmachineapi`)
  if (networkPlugin === 'none' && networkPluginMode !== '')
    problems.push('NETWORK_PLUGIN_MODE must be empty with NETWORK_PLUGIN=none')
  if (dnsServiceIP !== '' && isIP(dnsServiceIP) === 0)
    problems.push(`DNS_SERVICE_IP ${dnsServiceIP} is not an IP address`)
  if (vnetSubnetID !== '' && parseSubnetId(vnetSubnetID) === undefined)
    problems.push(`VNET_SUBNET_ID ${vnetSubnetID} is not the resource ID of a subnet`)
  const { nodeOSDiskEncryptionSetID: encryptionSet } = settings
  if (encryptionSet !== '' && !DISK_ENCRYPTION_SET.test(encryptionSet))
    problems.push(`NODE_OSDISK_DISKENCRYPTIONSET_ID ${encryptionSet} is not the resource ID of a disk encryption set`)
  problems.push(...imageProblems(settings))
  problems.push(...machineProblems(settings))
  if (settings.armCloud !== '' && settings.azureEnvironmentFile !== '')
    problems.push('ARM_CLOUD and AZURE_ENVIRONMENT_FILEPATH are both set; unset one of them')
  if (settings.azureEnvironmentFile !== '' && !settings.azureEnvironmentFile.startsWith('/'))
    problems.push(`AZURE_ENVIRONMENT_FILEPATH ${settings.azureEnvironmentFile} is not an absolute path`)
  return problems
}
