import { readFile } from 'node:fs/promises'
import { formatResources, InvariantError } from '@kerf/apis'
import {
  declaredPrices,
  type ProviderContext,
  type ProviderSurroundings,
  type RunningProvider,
} from '@kerf/provider-contract'
import { ClaimIndex, instanceNaming, NodeClasses, type PriceTable, parsePriceTable } from '@kerf/provider-kit'
import { runtimeErrors, type Settings, textOfThrown } from '@kerf/runtime'
import { completedSettings, connectAzure } from './api/connect-azure.ts'
import type { AzureOptions } from './azure-deps.ts'
import { AzureProvider } from './azure-provider.ts'
import { customData } from './bootstrap/custom-data.ts'
import { registeredTaints } from './bootstrap/registered-taints.ts'
import { ClusterNetwork } from './discovery/cluster-network.ts'
import { LoadBalancerPools } from './discovery/load-balancer-pools.ts'
import { managedSecurityGroup } from './discovery/security-group.ts'
import { computeOverhead } from './instance-type/capacity.ts'
import { classTraits } from './instance-type/class-traits.ts'
import { Fleet, isMachine } from './instances/fleet.ts'
import { vmNameOfProviderId } from './instances/instance-names.ts'
import { Instances } from './instances/instances.ts'
import { findMachineScope } from './instances/machine-names.ts'
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
import { settingProblems } from './settings/setting-problems.ts'
import { LocationSizes } from './sizes/location-sizes.ts'
import { findGpuSize } from './tables/gpu-sizes.ts'

const naming = instanceNaming(aksNodeClassKind, (providerID) => vmNameOfProviderId(providerID)?.toLowerCase())

/** Returns the function that creates the custom data of a new node. */
const customDataOf =
  (settings: AzureSettings, network: ClusterNetwork, caBundle: string): MakeCustomData =>
  async ({ claim, nodeClass, option: { type, offering }, size, subnetId, group }, signal) => {
    const [vnetGuid, dnsServiceIP] = await Promise.all([network.guidOf(subnetId, signal), network.dnsServiceIP(signal)])
    const subnet = parseSubnetId(subnetId)
    if (subnet === undefined) throw new InvariantError(`${subnetId} is not the resource ID of a subnet`)
    const traits = classTraits(nodeClass, settings)
    return customData({
      ...{ settings, caBundle, dnsServiceIP, subnet, maxPods: traits.maxPods, sizeName: size.name, arch: size.arch },
      kubernetesVersion: nodeClass.status?.kubernetesVersion ?? '',
      kubelet: nodeClass.spec?.kubelet,
      kubeReserved: formatResources(computeOverhead(size).kubeReserved ?? {}),
      taints: registeredTaints(claim),
      installsGpuDriver: traits.gpuDrivers && findGpuSize(size.name)?.manufacturer === 'nvidia',
      securityGroup: group?.name ?? '',
      routeTable: group?.routeTable ?? '',
      labels: nodeLabels(claim, type.requirements, offering.requirements, {
        ...{ nodeClass, settings, subnetId, vnetGuid, arch: size.arch },
      }),
    })
  }

/** Creates the provider with these options. The provider and its controllers share one instance of each collaborator. */
export const assembleAzure = (context: ProviderContext, options: AzureOptions): AzureProvider => {
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
  const types = new TypeResolver({
    ...{ sizes, prices, unavailable, quotas, settings },
    declared: declaredPrices(informers),
  })
  const instances = new Instances({ api, clock, log }, { nodeResourceGroup, clusterName, location })
  const network = new ClusterNetwork({ client, network: api.network, clock }, settings)
  const typesOf = (nodeClass: AKSNodeClass, signal: AbortSignal) => types.resolve(nodeClass, signal)
  const launcher = new VmLauncher({
    ...{ api, clock, random, metrics, settings, sizes, unavailable, instances, typesOf },
    pools: new LoadBalancerPools(api.network, clock),
    securityGroup: managedSecurityGroup(api.network),
    customData: customDataOf(settings, network, caBundle),
  })
  const scope = findMachineScope(settings)
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
  const classes = new NodeClasses(context, aksNodeClassKind, { provider: 'azure', withoutReady: 'unknown' })
  return new AzureProvider({
    context,
    options,
    classes,
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
  })
}

const readPriceFile = async (file: string): Promise<PriceTable | undefined> => {
  if (file === '') return undefined
  try {
    return parsePriceTable(await readFile(file, 'utf8'))
  } catch (error) {
    const problems = [`AZURE_PRICE_FILE ${file} cannot be used: ${textOfThrown(error)}`]
    throw runtimeErrors.InvalidSetting({ problems }, { cause: error })
  }
}

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws Error with all problems of the settings, and for files that cannot be read.
 */
export const createAzure = async (
  given: Settings & AzureSettings,
  context: ProviderContext,
  { metrics, connection, env, version, namespace, gate }: ProviderSurroundings,
): Promise<RunningProvider> => {
  const settings = completedSettings(given, env)
  const problems = settingProblems(settings)
  if (problems.length > 0) throw runtimeErrors.InvalidSetting({ problems })
  const { clock, random, log } = context
  const [{ api, cloud, plain }, priceFile] = await Promise.all([
    connectAzure(settings, { clock, random, log, env, version, gate }),
    readPriceFile(settings.azurePriceFile),
  ])
  const { ca } = connection.tls
  const provider = assembleAzure(context, {
    ...{ api, metrics, settings, namespace, hasBilling: cloud.hasBillingExtension },
    caBundle: ca === undefined ? '' : Buffer.from(ca).toString('base64'),
    ...(priceFile === undefined ? {} : { priceFile }),
    ...(cloud.hasRetailPrices ? { priceHttp: plain } : {}),
  })
  return {
    provider,
    start: (signal) => provider.warmUp(signal),
    ready: { azure: () => provider.access() },
  }
}
