/** Labels of AKS nodes and Azure's VM sizes (`docs/spec/azure.md#labels-and-tags`). */

export const AZURE_GROUP = 'karpenter.azure.com'
const AKS_DOMAIN = 'kubernetes.azure.com'

const own = <const Name extends string>(name: Name): `${typeof AZURE_GROUP}/${Name}` => `${AZURE_GROUP}/${name}`
const aks = <const Name extends string>(name: Name): `${typeof AKS_DOMAIN}/${Name}` => `${AKS_DOMAIN}/${name}`

/** Labels that every instance type has a requirement for. */
export const azureLabels = {
  /** As `Standard_D4pls_v6`. */
  skuName: own('sku-name'),
  /** The first letters' group, as `D`. */
  skuFamily: own('sku-family'),
  /** As `Dpls_v6`. */
  skuSeries: own('sku-series'),
  /** The number without `v`; `1` where the name has none. */
  skuVersion: own('sku-version'),
  /** vCPUs. */
  skuCpu: own('sku-cpu'),
  /** MiB. */
  skuMemory: own('sku-memory'),
  /** `true` or `false`. */
  acceleratedNetworking: own('sku-networking-accelerated'),
  /** `true` or `false`. */
  premiumStorage: own('sku-storage-premium-capable'),
  /** GB of the largest ephemeral OS disk. */
  ephemeralOsDiskSize: own('sku-storage-ephemeralos-maxsize'),
  /** `true` or `false`. */
  ultraSsd: own('sku-storage-ultra-ssd'),
  /** The accelerator in the size's name, as `A100`. */
  gpuName: own('sku-gpu-name'),
  /** `nvidia` or `amd`. */
  gpuManufacturer: own('sku-gpu-manufacturer'),
  gpuCount: own('sku-gpu-count'),
  /** `zonal` or `regional`. */
  placementScope: own('placement-scope'),
  aksCpu: aks('sku-cpu'),
  aksMemory: aks('sku-memory'),
  /** The node resource group, as far as a label can hold its name. */
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

/** `1` or `2`: what images need of a size. Users may not name it. */
export const HYPER_V_GENERATION_LABEL = own('sku-hyperv-generation')

/** What Azure adds to the well-known labels. */
export const azureWellKnownLabels: readonly string[] = Object.values(azureLabels)
