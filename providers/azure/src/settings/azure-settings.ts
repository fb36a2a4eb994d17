import { clusterSettings } from '@kerf/provider-kit'
import { type SettingsOf, SettingValueError, setting } from '@kerf/runtime'
import { parseTags } from './additional-tags.ts'

const { choice, duration, flagged, integer, list, parsed, text } = setting

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const uuid = (value: string): string => {
  if (value !== '' && !UUID.test(value)) throw new SettingValueError(`${JSON.stringify(value)} is not a UUID`)
  return value
}

const userName = (value: string): string => {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(value))
    throw new SettingValueError(
      `${JSON.stringify(value)} is not a valid user name: up to 32 letters, digits, - and _, starting with a letter`,
    )
  return value
}

/**
 * The settings of the Azure provider: upstream's names, defaults and rules (`providers/azure/docs/spec/azure.md#settings`), then Kerf's
 * additions. `setting-problems.ts` checks rules across several settings.
 */
export const azureSettings = {
  clusterName: clusterSettings.clusterName,
  clusterEndpoint: clusterSettings.clusterEndpoint,
  vmMemoryOverheadPercent: clusterSettings.vmMemoryOverheadPercent,
  kubeletBootstrapToken: text({
    env: 'KUBELET_BOOTSTRAP_TOKEN',
    flag: 'kubelet-bootstrap-token',
    default: '',
    meaning: 'Token with which the kubelet of a new node joins the cluster. The Azure provider requires it.',
  }),
  linuxAdminUsername: parsed({
    env: 'LINUX_ADMIN_USERNAME',
    flag: 'linux-admin-username',
    default: 'azureuser',
    defaultText: 'azureuser',
    parse: userName,
    meaning: 'User of the nodes for `--ssh-public-key`.',
  }),
  sshPublicKey: text({
    env: 'SSH_PUBLIC_KEY',
    flag: 'ssh-public-key',
    default: '',
    meaning:
      'SSH key of the user of the nodes. The Azure provider requires it, because Azure creates no Linux VM without an SSH key.',
  }),
  networkPlugin: choice({
    env: 'NETWORK_PLUGIN',
    flag: 'network-plugin',
    default: 'azure',
    of: ['azure', 'none'],
    meaning: 'Network plugin of the AKS cluster: `azure`, or `none` if you installed your own.',
  }),
  networkPluginMode: choice({
    env: 'NETWORK_PLUGIN_MODE',
    flag: 'network-plugin-mode',
    default: 'overlay',
    of: ['overlay', ''],
    meaning: 'Mode of the network plugin: `overlay`, or empty if pods have addresses of the node subnet.',
  }),
  networkPolicy: text({
    env: 'NETWORK_POLICY',
    flag: 'network-policy',
    default: '',
    meaning: 'Network policy engine of the AKS cluster, such as `cilium`, `azure` or `calico`.',
  }),
  networkDataplane: choice({
    env: 'NETWORK_DATAPLANE',
    flag: 'network-dataplane',
    default: 'cilium',
    of: ['azure', 'cilium', ''],
    meaning: 'Data plane of the network of the AKS cluster.',
  }),
  dnsServiceIP: text({
    env: 'DNS_SERVICE_IP',
    flag: 'dns-service-ip',
    default: '',
    meaning:
      'IP of the DNS service of the cluster. If empty, that of the Service kube-dns in kube-system, or 10.0.0.10 if it does not exist.',
  }),
  vnetGuid: parsed({
    env: 'VNET_GUID',
    flag: 'vnet-guid',
    default: '',
    defaultText: '',
    parse: uuid,
    meaning: 'Resource GUID of the virtual network. If empty, Kerf gets it from Azure if nodes need it.',
  }),
  vnetSubnetID: text({
    env: 'VNET_SUBNET_ID',
    flag: 'vnet-subnet-id',
    default: '',
    meaning: 'Resource ID of the subnet of the nodes, if the AKSNodeClass sets none. The Azure provider requires it.',
  }),
  nodeIdentities: list({
    env: 'NODE_IDENTITIES',
    flag: 'node-identities',
    default: [],
    meaning: 'Resource IDs of the managed identities of the nodes, separated by commas.',
  }),
  kubeletIdentityClientID: parsed({
    env: 'KUBELET_IDENTITY_CLIENT_ID',
    flag: 'kubelet-identity-client-id',
    default: '',
    defaultText: '',
    parse: uuid,
    meaning: 'Client ID of the managed identity of the kubelet.',
  }),
  azureNodeResourceGroup: text({
    env: 'AZURE_NODE_RESOURCE_GROUP',
    flag: 'node-resource-group',
    default: '',
    meaning: 'Resource group that AKS created for the nodes, usually `MC_…`. The Azure provider requires it.',
  }),
  provisionMode: choice({
    env: 'PROVISION_MODE',
    flag: 'provision-mode',
    default: 'aksscriptless',
    of: ['aksscriptless', 'bootstrappingclient', 'aksmachineapi', 'aksmachineapiheaderbatch'],
    meaning:
      'How nodes are created: `aksscriptless` for VMs that Kerf creates, `aksmachineapi` for machines of an AKS pool. The other two modes are only for AKS itself: Kerf does not start with them.',
  }),
  nodeBootstrappingServerURL: text({
    env: 'NODEBOOTSTRAPPING_SERVER_URL',
    flag: 'nodebootstrapping-server-url',
    default: '',
    meaning: 'Accepted for existing charts; used only by the mode `bootstrappingclient`.',
  }),
  useSIG: flagged({
    env: 'USE_SIG',
    flag: 'use-sig',
    default: false,
    meaning: 'Use images of the shared galleries of AKS instead of the community galleries.',
  }),
  sigAccessTokenServerURL: text({
    env: 'SIG_ACCESS_TOKEN_SERVER_URL',
    flag: 'sig-access-token-server-url',
    default: '',
    meaning: 'Server that issues tokens for the shared galleries. Required with `--use-sig` if Kerf creates VMs.',
  }),
  sigSubscriptionID: text({
    env: 'SIG_SUBSCRIPTION_ID',
    flag: 'sig-subscription-id',
    default: '',
    meaning: 'Subscription of the shared galleries. Required with `--use-sig`.',
  }),
  nodeOSDiskEncryptionSetID: text({
    env: 'NODE_OSDISK_DISKENCRYPTIONSET_ID',
    flag: 'node-osdisk-diskencryptionset-id',
    default: '',
    meaning: 'Resource ID of the disk encryption set of OS disks, for customer-managed keys.',
  }),
  manageExistingAKSMachines: flagged({
    env: 'MANAGE_EXISTING_AKS_MACHINES',
    flag: 'manage-existing-aks-machines',
    default: false,
    meaning: 'Continue to manage machines of an AKS pool although new nodes are VMs.',
  }),
  aksMachinesPoolName: text({
    env: 'AKS_MACHINES_POOL_NAME',
    flag: 'aks-machines-pool-name',
    default: '',
    meaning: 'The AKS pool of the machines. Required in the mode `aksmachineapi`.',
  }),
  providerBatchIdleDuration: duration({
    env: 'PROVIDER_BATCH_IDLE_DURATION',
    flag: 'provider-batch-idle-duration',
    default: 1000,
    meaning: 'Accepted for existing charts; used only by the mode `aksmachineapiheaderbatch`.',
  }),
  providerBatchMaxDuration: duration({
    env: 'PROVIDER_BATCH_MAX_DURATION',
    flag: 'provider-batch-max-duration',
    default: 5000,
    meaning: 'Accepted for existing charts; used only by the mode `aksmachineapiheaderbatch`.',
  }),
  providerBatchMaxSize: integer({
    env: 'PROVIDER_BATCH_MAX_SIZE',
    flag: 'provider-batch-max-size',
    default: 50,
    min: 1,
    max: 50,
    meaning: 'Accepted for existing charts; used only by the mode `aksmachineapiheaderbatch`.',
  }),
  additionalTags: parsed({
    env: 'ADDITIONAL_TAGS',
    flag: 'additional-tags',
    default: {} as Readonly<Record<string, string>>,
    defaultText: '',
    parse: parseTags,
    meaning: 'Tags of all resources that Kerf creates in Azure, as `key=value`, separated by commas.',
  }),
  enableAzureSDKLogging: flagged({
    env: 'ENABLE_AZURE_SDK_LOGGING',
    flag: 'enable-azure-sdk-logging',
    default: true,
    meaning: 'Log requests to Azure and responses, without secrets, at the level `debug`.',
  }),
  armCloud: choice({
    env: 'ARM_CLOUD',
    default: '',
    of: ['', 'AzurePublicCloud', 'AzureUSGovernmentCloud', 'AzureChinaCloud'],
    meaning: 'The Azure cloud. Empty means `AzurePublicCloud`. Not together with `AZURE_ENVIRONMENT_FILEPATH`.',
  }),
  azureEnvironmentFile: text({
    env: 'AZURE_ENVIRONMENT_FILEPATH',
    default: '',
    meaning: 'Absolute path of a JSON file with the endpoints of another Azure cloud.',
  }),
  azureLocation: text({
    env: 'LOCATION',
    default: '',
    meaning: 'Azure region of the cluster, such as `westeurope`.',
  }),
  azureResourceGroup: text({
    env: 'ARM_RESOURCE_GROUP',
    default: '',
    meaning: 'Resource group of the AKS cluster.',
  }),
  azureTenantID: text({
    env: 'AZURE_TENANT_ID',
    default: '',
    meaning: 'Tenant of the subscription. If empty, `ARM_TENANT_ID`.',
  }),
  azureSubscriptionID: text({
    env: 'AZURE_SUBSCRIPTION_ID',
    default: '',
    meaning:
      'Subscription of the cluster. If empty, `ARM_SUBSCRIPTION_ID`. The Azure provider requires one of the two.',
  }),
  azureEndpointURL: text({
    env: 'AZURE_ENDPOINT_URL',
    flag: 'azure-endpoint-url',
    default: '',
    origin: 'kerf',
    meaning: 'Send all calls to Azure Resource Manager to this address instead, for example to an emulator.',
  }),
  azurePriceFile: text({
    env: 'AZURE_PRICE_FILE',
    flag: 'azure-price-file',
    default: '',
    origin: 'kerf',
    meaning:
      'JSON file with prices, for environments without access to the retail price API: `{"onDemand": {"Standard_D4s_v5": 0.192}, "spot": {"Standard_D4s_v5": 0.04}}`.',
  }),
} as const

export type AzureSettings = SettingsOf<typeof azureSettings>
