import type { ProviderContext } from '@kerf/provider-contract'
import type { ClaimIndex, HttpClient, NodeClasses, PriceTable } from '@kerf/provider-kit'
import type { Metrics } from '@kerf/runtime'
import type { AzureApi } from './api/azure-api.ts'
import type { Fleet } from './instances/fleet.ts'
import type { Instances } from './instances/instances.ts'
import type { MachineLauncher } from './launch/machine-launcher.ts'
import type { VmLauncher } from './launch/vm-launcher.ts'
import type { VmWatch } from './launch/vm-watch.ts'
import type { AKSNodeClass } from './node-class/aks-node-class.ts'
import type { TypeResolver } from './offerings/type-resolver.ts'
import type { UnavailableSizes } from './offerings/unavailable-sizes.ts'
import type { AzurePrices } from './pricing/azure-prices.ts'
import type { CoreQuotas } from './quota/core-quotas.ts'
import type { AzureSettings } from './settings/azure-settings.ts'
import type { LocationSizes } from './sizes/location-sizes.ts'

/** The options of the Azure provider, in addition to those that every provider gets. */
export interface AzureOptions {
  readonly api: AzureApi
  readonly metrics: Metrics
  readonly settings: AzureSettings
  /** The certificate authority of the API server, in base64. */
  readonly caBundle: string
  /** The namespace of AKS's maintenance window and of the ConfigMap with the last known prices. If absent, Kerf uses neither. */
  readonly namespace?: string
  readonly priceFile?: PriceTable
  /** Sends requests to the retail price API. Absent if the API has no prices for the cloud. */
  readonly priceHttp?: Pick<HttpClient, 'call'>
  /** Whether an Azure VM extension bills VMs as part of AKS. */
  readonly hasBilling: boolean
}

/** The collaborators of the provider. The provider and its controllers share one instance of each. */
export interface AzureDeps {
  readonly context: ProviderContext
  readonly options: AzureOptions
  readonly classes: NodeClasses<AKSNodeClass>
  readonly sizes: LocationSizes
  readonly unavailable: UnavailableSizes
  readonly quotas: CoreQuotas
  readonly prices: AzurePrices
  readonly types: TypeResolver
  readonly instances: Instances
  readonly fleet: Fleet
  readonly launcher: VmLauncher
  /** Creates machines of an AKS pool. Absent if nodes are VMs. */
  readonly machineLauncher: MachineLauncher | undefined
  readonly watch: VmWatch
  readonly claims: ClaimIndex
}
