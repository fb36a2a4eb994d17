/** Labels of AKS nodes and Azure's VM sizes (`providers/azure/docs/spec/azure.md#labels-and-tags`). */

export const AZURE_GROUP = 'karpenter.azure.com'
const AKS_DOMAIN = 'kubernetes.azure.com'

const own = <const Name extends string>(name: Name): `${typeof AZURE_GROUP}/${Name}` => `${AZURE_GROUP}/${name}`
const aks = <const Name extends string>(name: Name): `${typeof AKS_DOMAIN}/${Name}` => `${AKS_DOMAIN}/${name}`

/** Labels that every instance type has a requirement for. */
export const azureLabels = {
  /** For example `Standard_D4pls_v6`. */
  skuName: own('sku-name'),
  /** The letters of the family, for example `D`. */
  skuFamily: own('sku-family'),
  /** For example `Dpls_v6`. */
  skuSeries: own('sku-series'),
  /** The version number without `v`. It is `1` if the name has none. */
  skuVersion: own('sku-version'),
  /** vCPUs. */
  skuCpu: own('sku-cpu'),
  /** MiB. */
  skuMemory: own('sku-memory'),
  /** `true` or `false`. */
  acceleratedNetworking: own('sku-networking-accelerated'),
  /** `true` or `false`. */
  premiumStorage: own('sku-storage-premium-capable'),
  /** The size of the largest possible ephemeral OS disk, in GB. */
  ephemeralOsDiskSize: own('sku-storage-ephemeralos-maxsize'),
  /** `true` or `false`. */
  ultraSsd: own('sku-storage-ultra-ssd'),
  /** The accelerator in the name of the size, for example `A100`. */
  gpuName: own('sku-gpu-name'),
  /** `nvidia` or `amd`. */
  gpuManufacturer: own('sku-gpu-manufacturer'),
  gpuCount: own('sku-gpu-count'),
  /** `zonal` or `regional`. */
  placementScope: own('placement-scope'),
  aksCpu: aks('sku-cpu'),
  aksMemory: aks('sku-memory'),
  /** The node resource group, shortened to a valid label value. */
  cluster: aks('cluster'),
  /** `system` or `user`. */
  mode: aks('mode'),
  /** `regular` or `spot`. */
  scaleSetPriority: aks('scalesetpriority'),
  /** `regular` or `spot`. */
  priority: aks('priority'),
  /** `Ubuntu` or `AzureLinux`. */
  osSku: aks('os-sku'),
  /** `true`, or absent. */
  fipsEnabled: aks('fips_enabled'),
} as const

/** The Hyper-V generation that images require of a VM size: `1` or `2`. Users cannot set this label. */
export const HYPER_V_GENERATION_LABEL = own('sku-hyperv-generation')

/** The well-known labels of Azure. */
export const azureWellKnownLabels: readonly string[] = Object.values(azureLabels)
