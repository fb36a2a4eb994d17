import { kinds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import { type Clock, isNotFound, type KubeClient } from '@kerf/runtime'
import type { NetworkApi } from '../api/azure-api.ts'
import { parseSubnetId } from '../resource-ids/subnet-id.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'

/** The default of AKS. */
const USUAL_DNS = '10.0.0.10'
const KEPT_FOR = 24 * 3_600_000

type NetworkSettings = Pick<AzureSettings, 'vnetGuid' | 'dnsServiceIP' | 'networkPlugin' | 'networkPluginMode'>

/** The facts about the cluster's network that nodes need and that the settings may omit (`providers/azure/docs/spec/azure.md#settings`). */
export class ClusterNetwork {
  readonly #client: KubeClient
  readonly #network: Pick<NetworkApi, 'virtualNetwork'>
  readonly #settings: NetworkSettings
  readonly #answers: ReadCache<string>

  constructor(
    deps: { readonly client: KubeClient; readonly network: Pick<NetworkApi, 'virtualNetwork'>; readonly clock: Clock },
    settings: NetworkSettings,
  ) {
    this.#client = deps.client
    this.#network = deps.network
    this.#settings = settings
    this.#answers = new ReadCache(deps.clock, { ttl: KEPT_FOR })
  }

  /** Returns the GUID of the virtual network, or an empty string if nodes do not need it. */
  async guidOf(subnetId: string, signal: AbortSignal): Promise<string> {
    const { vnetGuid, networkPlugin, networkPluginMode } = this.#settings
    if (networkPlugin !== 'azure' || networkPluginMode !== 'overlay' || vnetGuid !== '') return vnetGuid
    const subnet = parseSubnetId(subnetId)
    if (subnet === undefined) return ''
    const { resourceGroup, virtualNetwork } = subnet
    const read = async (inner: AbortSignal): Promise<string> =>
      (await this.#network.virtualNetwork(resourceGroup, virtualNetwork, inner)).properties?.resourceGuid ?? ''
    return this.#answers.read(`guid ${resourceGroup}/${virtualNetwork}`, read, signal)
  }

  /** Returns the address of the cluster's DNS service. */
  async dnsServiceIP(signal: AbortSignal): Promise<string> {
    const { dnsServiceIP } = this.#settings
    if (dnsServiceIP !== '') return dnsServiceIP
    const read = async (inner: AbortSignal): Promise<string> => {
      try {
        const service = await this.#client.get(
          kinds.Service,
          { namespace: 'kube-system', name: 'kube-dns' },
          { signal: inner },
        )
        return service.spec?.clusterIP ?? USUAL_DNS
      } catch (error) {
        if (isNotFound(error)) return USUAL_DNS
        throw error
      }
    }
    return this.#answers.read('dns', read, signal)
  }
}
