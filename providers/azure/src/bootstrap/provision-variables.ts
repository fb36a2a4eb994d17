import { containerdConfig } from './containerd-config.ts'
import { chooseGpuDriver } from './gpu-driver.ts'
import { kubeletFlags } from './kubelet-flags.ts'
import { kubernetesMinor } from './kubernetes-minor.ts'
import type { NodeFacts } from './node-facts.ts'

const MIRROR = 'https://acs-mirror.azureedge.net'
const CONTAINERS = '/opt/azure/containers'

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** Kernel limits that AKS sets on every node. */
const SYSCTL = [
  ['net.ipv4.tcp_retries2', 8],
  ['net.core.message_burst', 80],
  ['net.core.message_cost', 40],
  ['net.core.somaxconn', 16384],
  ['net.ipv4.tcp_max_syn_backlog', 16384],
  ['net.ipv4.neigh.default.gc_thresh1', 4096],
  ['net.ipv4.neigh.default.gc_thresh2', 8192],
  ['net.ipv4.neigh.default.gc_thresh3', 16384],
] as const

/** Variables that the provisioning script requires, although only nodes that AKS itself creates need them. */
const UNUSED = [
  ...['MOBY_VERSION', 'HYPERKUBE_URL', 'CUSTOM_KUBE_BINARY_URL', 'KUBEPROXY_URL', 'APISERVER_PUBLIC_KEY'],
  ...['PRIMARY_AVAILABILITY_SET', 'PRIMARY_SCALE_SET', 'CONTAINERD_DOWNLOAD_URL_BASE', 'NETWORK_MODE'],
  ...['TELEPORTD_PLUGIN_DOWNLOAD_URL', 'CONTAINERD_VERSION', 'CONTAINERD_PACKAGE_URL', 'RUNC_VERSION'],
  ...['RUNC_PACKAGE_URL', 'HTTP_PROXY_TRUSTED_CA', 'CUSTOM_ENV_JSON', 'AZURE_PRIVATE_REGISTRY_SERVER'],
  ...['HTTP_PROXY_URLS', 'HTTPS_PROXY_URLS', 'NO_PROXY_URLS', 'DHCPV6_SERVICE_FILEPATH', 'DHCPV6_CONFIG_FILEPATH'],
  ...['THP_ENABLED', 'THP_DEFRAG', 'KUBELET_CLIENT_CONTENT', 'KUBELET_CLIENT_CERT_CONTENT'],
  ...['KUBELET_CONFIG_FILE_CONTENT', 'GPU_INSTANCE_PROFILE', 'CUSTOM_SEARCH_DOMAIN_NAME'],
  ...['CUSTOM_SEARCH_REALM_USER', 'CUSTOM_SEARCH_REALM_PASSWORD', 'MESSAGE_OF_THE_DAY'],
  'AZURE_ENVIRONMENT_FILEPATH',
] as const

/** Features that Kerf disables on all nodes that it creates. */
const OFF = [
  ...['LOAD_BALANCER_DISABLE_OUTBOUND_SNAT', 'SGX_NODE', 'MIG_NODE', 'ENABLE_GPU_DEVICE_PLUGIN_IF_NEEDED'],
  ...['ENABLE_HOSTS_CONFIG_AGENT', 'DISABLE_SSH', 'TELEPORT_ENABLED', 'SHOULD_CONFIGURE_HTTP_PROXY'],
  ...['SHOULD_CONFIGURE_HTTP_PROXY_CA', 'SHOULD_CONFIGURE_CUSTOM_CA_TRUST', 'IS_KRUSTLET'],
  ...['GPU_NEEDS_FABRIC_MANAGER', 'NEEDS_DOCKER_LOGIN', 'IPV6_DUAL_STACK_ENABLED', 'ENABLE_UNATTENDED_UPGRADES'],
  ...['ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE', 'SHOULD_CONFIG_SWAP_FILE', 'SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE'],
  ...['IS_CUSTOM_CLOUD', 'HAS_CUSTOM_SEARCH_DOMAIN', 'ENABLE_SECURE_TLS_BOOTSTRAPPING', 'HAS_KUBELET_DISK_TYPE'],
  ...['ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION', 'KUBELET_CONFIG_FILE_ENABLED', 'IS_KATA'],
  ...['ENABLE_IMDS_RESTRICTION', 'INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE'],
] as const

/** Variables with the same value on every node (`providers/azure/docs/spec/azure.md#bootstrapping`). */
const FIXED: Readonly<Record<string, string>> = {
  VM_TYPE: 'standard',
  SERVICE_PRINCIPAL_CLIENT_ID: 'msi',
  SERVICE_PRINCIPAL_FILE_CONTENT: base64('msi'),
  CLOUDPROVIDER_BACKOFF: 'true',
  CLOUDPROVIDER_BACKOFF_MODE: 'v2',
  CLOUDPROVIDER_BACKOFF_RETRIES: '6',
  CLOUDPROVIDER_BACKOFF_EXPONENT: '0',
  CLOUDPROVIDER_BACKOFF_DURATION: '5',
  CLOUDPROVIDER_BACKOFF_JITTER: '0',
  CLOUDPROVIDER_RATELIMIT: 'true',
  CLOUDPROVIDER_RATELIMIT_QPS: '10',
  CLOUDPROVIDER_RATELIMIT_QPS_WRITE: '10',
  CLOUDPROVIDER_RATELIMIT_BUCKET: '100',
  CLOUDPROVIDER_RATELIMIT_BUCKET_WRITE: '100',
  USE_MANAGED_IDENTITY_EXTENSION: 'true',
  USE_INSTANCE_METADATA: 'true',
  LOAD_BALANCER_SKU: 'Standard',
  EXCLUDE_MASTER_FROM_STANDARD_LB: 'true',
  MAXIMUM_LOADBALANCER_RULE_COUNT: '250',
  CONTAINER_RUNTIME: 'containerd',
  CLI_TOOL: 'ctr',
  IS_VHD: 'true',
  NEEDS_CONTAINERD: 'true',
  NEEDS_CGROUPV2: 'true',
  CUSTOM_CA_TRUST_COUNT: '0',
  SWAP_FILE_SIZE_MB: '0',
  OUTBOUND_COMMAND: 'curl -v --insecure --proxy-insecure https://mcr.microsoft.com/v2/',
  CSE_HELPERS_FILEPATH: `${CONTAINERS}/provision_source.sh`,
  CSE_DISTRO_HELPERS_FILEPATH: `${CONTAINERS}/provision_source_distro.sh`,
  CSE_INSTALL_FILEPATH: `${CONTAINERS}/provision_installs.sh`,
  CSE_DISTRO_INSTALL_FILEPATH: `${CONTAINERS}/provision_installs_distro.sh`,
  CSE_CONFIG_FILEPATH: `${CONTAINERS}/provision_configs.sh`,
  CUSTOM_SEARCH_DOMAIN_FILEPATH: `${CONTAINERS}/setup-custom-search-domains.sh`,
  ENABLE_TLS_BOOTSTRAPPING: 'true',
  SYSCTL_CONTENT: base64(`${SYSCTL.map(([name, value]) => `${name}=${value}`).join('\n')}\n`),
  MCR_REPOSITORY_BASE: 'mcr.microsoft.com',
  CSE_TIMEOUT: '15m',
}

/** The release of the registry credential provider, by Kubernetes minor version. */
const CREDENTIAL_PROVIDERS: ReadonlyMap<number, string> = new Map([
  [30, '1.30.12'],
  [31, '1.31.6'],
  [32, '1.32.5'],
])
const NEWEST_CREDENTIAL_PROVIDER = '1.33.0'

const downloads = (version: string, arch: string): Readonly<Record<string, string>> => {
  const minor = kubernetesMinor(version)
  const provider = CREDENTIAL_PROVIDERS.get(minor) ?? NEWEST_CREDENTIAL_PROVIDER
  return {
    KUBE_BINARY_URL: minor < 34 ? `${MIRROR}/kubernetes/v${version}/binaries/kubernetes-node-linux-${arch}.tar.gz` : '',
    CREDENTIAL_PROVIDER_DOWNLOAD_URL:
      minor < 30
        ? ''
        : `${MIRROR}/cloud-provider-azure/v${provider}/binaries/azure-acr-credential-provider-linux-${arch}-v${provider}.tar.gz`,
    VNET_CNI_PLUGINS_URL: `${MIRROR}/azure-cni/v1.4.32/binaries/azure-vnet-cni-linux-${arch}-v1.4.32.tgz`,
    CNI_PLUGINS_URL: `${MIRROR}/cni-plugins/v1.1.1/binaries/cni-plugins-linux-${arch}-v1.1.1.tgz`,
  }
}

const gpu = ({ sizeName, installsGpuDriver }: NodeFacts): Readonly<Record<string, string>> => {
  const driver = installsGpuDriver ? chooseGpuDriver(sizeName) : undefined
  return {
    GPU_NODE: `${driver !== undefined}`,
    CONFIG_GPU_DRIVER_IF_NEEDED: `${driver !== undefined}`,
    GPU_DRIVER_VERSION: driver?.version ?? '',
    GPU_DRIVER_TYPE: driver?.type ?? '',
    GPU_IMAGE_SHA: driver?.imageSuffix ?? '',
  }
}

const joined = (pairs: Readonly<Record<string, string>>, separator: string): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join(separator)

/**
 * Returns the network plugin that the image configures, or `none` if a DaemonSet installs the plugin. A DaemonSet does so with Cilium, in
 * overlay mode, and for plugins other than Azure's.
 */
const networkPlugin = ({
  networkPlugin: plugin,
  networkPluginMode,
  networkDataplane,
}: NodeFacts['settings']): string =>
  plugin === 'azure' && networkPluginMode !== 'overlay' && networkDataplane !== 'cilium' ? 'azure' : 'none'

/** Returns the variables that the provisioning on AKS images reads (`providers/azure/docs/spec/azure.md#bootstrapping`), by name. */
export const provisionVariables = (facts: NodeFacts): Readonly<Record<string, string>> => {
  const { settings, subnet, kubernetesVersion, arch } = facts
  return {
    ...Object.fromEntries(UNUSED.map((name) => [name, ''])),
    ...Object.fromEntries(OFF.map((name) => [name, 'false'])),
    ...FIXED,
    ...downloads(kubernetesVersion, arch),
    ...gpu(facts),
    ADMINUSER: settings.linuxAdminUsername,
    TENANT_ID: settings.azureTenantID,
    SUBSCRIPTION_ID: settings.azureSubscriptionID,
    RESOURCE_GROUP: settings.azureNodeResourceGroup,
    LOCATION: settings.azureLocation,
    TARGET_CLOUD: settings.armCloud === '' ? 'AzurePublicCloud' : settings.armCloud,
    TARGET_ENVIRONMENT: settings.armCloud === '' ? 'AzurePublicCloud' : settings.armCloud,
    KUBERNETES_VERSION: kubernetesVersion,
    API_SERVER_NAME: new URL(settings.clusterEndpoint).hostname,
    KUBE_CA_CRT: facts.caBundle,
    TLS_BOOTSTRAP_TOKEN: settings.kubeletBootstrapToken,
    USER_ASSIGNED_IDENTITY_ID: settings.kubeletIdentityClientID,
    SUBNET: subnet.subnet,
    VIRTUAL_NETWORK: subnet.virtualNetwork,
    VIRTUAL_NETWORK_RESOURCE_GROUP: subnet.resourceGroup,
    NETWORK_SECURITY_GROUP: facts.securityGroup,
    ROUTE_TABLE: facts.routeTable,
    NETWORK_PLUGIN: networkPlugin(settings),
    NETWORK_POLICY: settings.networkPolicy,
    CONTAINERD_CONFIG_CONTENT: base64(containerdConfig(facts.installsGpuDriver)),
    KUBELET_FLAGS: joined(kubeletFlags(facts), ' '),
    KUBELET_NODE_LABELS: joined(facts.labels, ','),
  }
}
