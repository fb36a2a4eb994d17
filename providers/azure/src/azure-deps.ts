import { formatResources, InvariantError } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { ClaimIndex, type HttpClient, instanceNaming, type PriceTable } from '@kerf/provider-kit'
import type { Metrics } from '@kerf/runtime'
import type { AzureApi } from './api/azure-api.ts'
import { customData } from './bootstrap/custom-data.ts'
import { registeredTaints } from './bootstrap/registered-taints.ts'
import { ClusterNetwork } from './discovery/cluster-network.ts'
import { LoadBalancerPools } from './discovery/load-balancer-pools.ts'
import { managedSecurityGroup } from './discovery/security-group.ts'
import { overheadOf } from './instance-type/capacity.ts'
import { classTraits } from './instance-type/class-traits.ts'
import { Fleet, isMachine } from './instances/fleet.ts'
import { vmNameOfProviderId } from './instances/instance-names.ts'
import { Instances } from './instances/instances.ts'
import { machineScopeOf } from './instances/machine-names.ts'
import { Machines } from './instances/machines.ts'
import { MachineLauncher } from './launch/machine-launcher.ts'
import { nodeLabels } from './launch/node-labels.ts'
import { type MakeCustomData, VmLauncher } from './launch/vm-launcher.ts'
import { VmWatch } from './launch/vm-watch.ts'
import { type AKSNodeClass, aksNodeClassKind } from './node-class/aks-node-class.ts'
import { TypeResolver } from './offerings/type-resolver.ts'
import { UnavailableSizes } from './offerings/unavailable-sizes.ts'
import { AzurePrices } from './pricing/azure-prices.ts'
import { CoreQuotas } from './quota/core-quotas.ts'
import { parseSubnetId } from './resource-ids/subnet-id.ts'
import type { AzureSettings } from './settings/azure-settings.ts'
import { LocationSizes } from './sizes/location-sizes.ts'
import { findGpuSize } from './tables/gpu-sizes.ts'

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
  /** Sends requests to the retail price API. Absent if the API does not know the cloud. */
  readonly priceHttp?: Pick<HttpClient, 'call'>
  /** Whether an Azure VM extension bills VMs as part of AKS. */
  readonly hasBilling: boolean
}

const naming = instanceNaming(aksNodeClassKind, (providerID) => vmNameOfProviderId(providerID)?.toLowerCase())

/** Returns the function that creates the custom data of a new node. */
const customDataOf =
  (settings: AzureSettings, network: ClusterNetwork, caBundle: string): MakeCustomData =>
  async ({ claim, nodeClass, option: { type, offering }, size, subnetId, group }, signal) => {
    const [vnetGuid, dnsServiceIP] = await Promise.all([network.guidOf(subnetId, signal), network.dnsServiceIP(signal)])
    const subnet = parseSubnetId(subnetId)
    if (subnet === undefined) throw new InvariantError(`${subnetId} is no resource ID of a subnet`)
    const traits = classTraits(nodeClass, settings)
    return customData({
      ...{ settings, caBundle, dnsServiceIP, subnet, maxPods: traits.maxPods, sizeName: size.name, arch: size.arch },
      kubernetesVersion: nodeClass.status?.kubernetesVersion ?? '',
      kubelet: nodeClass.spec?.kubelet,
      kubeReserved: formatResources(overheadOf(size).kubeReserved ?? {}),
      taints: registeredTaints(claim),
      installsGpuDriver: traits.gpuDrivers && findGpuSize(size.name)?.manufacturer === 'nvidia',
      securityGroup: group?.name ?? '',
      routeTable: group?.routeTable ?? '',
      labels: nodeLabels(claim, type.requirements, offering.requirements, {
        ...{ nodeClass, settings, subnetId, vnetGuid, arch: size.arch },
      }),
    })
  }

/** Creates the parts of the provider. Each is created once and shared by the provider and its controllers. */
export const makeAzureDeps = (context: ProviderContext, options: AzureOptions) => {
  const { clock, client, informers, log, random } = context
  const { api, settings, metrics, namespace, caBundle, hasBilling } = options
  const { azureLocation: location, azureNodeResourceGroup: nodeResourceGroup, clusterName } = settings
  const sizes = new LocationSizes(api.compute, clock, location)
  const unavailable = new UnavailableSizes(clock, location)
  const quotas = new CoreQuotas(clock)
  const prices = new AzurePrices(
    { clock, client, ...(options.priceHttp === undefined ? {} : { http: options.priceHttp }) },
    {
      location,
      ...(namespace === undefined ? {} : { namespace }),
      ...(options.priceFile === undefined ? {} : { file: options.priceFile }),
    },
  )
  const types = new TypeResolver({ sizes, prices, unavailable, quotas, settings })
  const instances = new Instances({ api, clock, log }, { nodeResourceGroup, clusterName, location })
  const network = new ClusterNetwork({ client, network: api.network, clock }, settings)
  const typesOf = (nodeClass: AKSNodeClass, signal: AbortSignal) => types.resolve(nodeClass, signal)
  const launcher = new VmLauncher({
    ...{ api, clock, random, metrics, settings, sizes, unavailable, instances, typesOf },
    pools: new LoadBalancerPools(api.network, clock),
    securityGroup: managedSecurityGroup(api.network),
    customData: customDataOf(settings, network, caBundle),
  })
  const scope = machineScopeOf(settings)
  const machines = scope === undefined ? undefined : new Machines(api.machines, scope, clock)
  const fleet = new Fleet(instances, machines)
  const machineLauncher =
    machines === undefined || settings.provisionMode !== 'aksmachineapi'
      ? undefined
      : new MachineLauncher({
          ...{ api: api.machines, machines, clock, log, random, metrics, settings, sizes, unavailable, typesOf },
        })
  const watch = new VmWatch({
    ...{ context, compute: api.compute, instances: fleet, unavailable, metrics },
    stateOf: async (id, signal) => {
      const instance = machineLauncher === undefined ? undefined : await fleet.get(id, signal)
      if (instance !== undefined && isMachine(instance)) return instance.machine.state
      return (await api.compute.vm(id, signal)).properties?.provisioningState ?? ''
    },
    // AKS bills its machines itself.
    ...(hasBilling && machineLauncher === undefined ? { billing: { location } } : {}),
  })
  const claims = new ClaimIndex(informers, naming)
  return {
    context,
    options,
    sizes,
    unavailable,
    quotas,
    prices,
    types,
    instances,
    fleet,
    launcher,
    machineLauncher,
    watch,
    claims,
  }
}

export type AzureDeps = ReturnType<typeof makeAzureDeps>
