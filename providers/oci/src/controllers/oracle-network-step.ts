import type { Step } from '@kerf/provider-kit'
import type { OciNetworkSecurityGroup, OciSubnet } from '../api/oci-shapes.ts'
import type { OracleNodeClass, OracleNodeClassSpec } from '../node-class/oracle-node-class.ts'
import { byId, type CloudLookup, collected, type Found, hasTags, isProblem, shownFilter } from './lookup.ts'
import { exactlyOneOf, type OracleSteps, result } from './oracle-result.ts'

type Vnic = OracleNodeClassSpec['networkConfig']['primaryVnicConfig']
type GroupConfig = NonNullable<Vnic['networkSecurityGroupConfigs']>[number]

const findSubnet = async (
  { subnetId, subnetFilter }: Vnic['subnetConfig'],
  { api, compartments }: OracleSteps,
  signal: AbortSignal,
): Promise<Found<OciSubnet>> => {
  if (subnetId !== undefined) return await byId('the subnet', subnetId, () => api.subnet(subnetId, signal))
  const { compartmentId = compartments.network, displayName, ...tags } = subnetFilter ?? {}
  const query = { compartmentId, ...(displayName === undefined ? {} : { displayName }) }
  const all = await api.subnets(query, signal)
  return exactlyOneOf(
    'subnet',
    subnetFilter ?? {},
    all.filter((each) => hasTags(each, tags)),
  )
}

const findGroups = async (
  { networkSecurityGroupId: id, networkSecurityGroupFilter: filter }: GroupConfig,
  { api, compartments }: OracleSteps,
  signal: AbortSignal,
): Promise<Found<OciNetworkSecurityGroup>> => {
  if (id !== undefined) return await byId('the network security group', id, () => api.networkSecurityGroup(id, signal))
  const { compartmentId = compartments.network, displayName, ...tags } = filter ?? {}
  const query = { compartmentId, ...(displayName === undefined ? {} : { displayName }) }
  const found = (await api.networkSecurityGroups(query, signal)).filter((each) => hasTags(each, tags))
  return found.length > 0
    ? found
    : { problem: `there is no network security group that matches ${shownFilter(filter ?? {})}` }
}

const resolveVnic = async (where: string, vnic: Vnic, deps: OracleSteps, signal: AbortSignal) => {
  const subnet = await findSubnet(vnic.subnetConfig, deps, signal)
  const groups = collected(
    await Promise.all((vnic.networkSecurityGroupConfigs ?? []).map((config) => findGroups(config, deps, signal))),
  )
  const [found] = isProblem(subnet) ? [] : subnet
  const others = groups.found.filter(({ vcnId }) => found !== undefined && vcnId !== found.vcnId)
  return {
    status: {
      subnet: found === undefined ? {} : { subnetId: found.id, displayName: found.displayName },
      networkSecurityGroups: groups.found.map(({ id, displayName }) => ({ networkSecurityGroupId: id, displayName })),
    },
    problems: [
      ...(isProblem(subnet) ? [subnet.problem] : []),
      ...groups.problems,
      ...others.map(
        ({ displayName }) => `the network security group ${displayName} is in another network than the subnet`,
      ),
      ...(where === 'primaryVnicConfig' && found?.availabilityDomain !== undefined
        ? [`the subnet ${found.displayName} belongs to one availability domain; use a regional subnet`]
        : []),
    ].map((problem) => `${where}: ${problem}`),
  }
}

/** Returns the step that resolves the network interfaces of an OCINodeClass. */
export const networkStep = (deps: OracleSteps & { readonly api: CloudLookup }): Step<OracleNodeClass> => ({
  condition: 'Network',
  run: async ({ spec }, signal) => {
    const { primaryVnicConfig, secondaryVnicConfigs = [] } = spec?.networkConfig ?? {}
    if (primaryVnicConfig === undefined) return result('Network', ['spec.networkConfig is missing'])
    const primary = await resolveVnic('primaryVnicConfig', primaryVnicConfig, deps, signal)
    const secondary = await Promise.all(
      secondaryVnicConfigs.map((vnic, index) => resolveVnic(`secondaryVnicConfigs[${index}]`, vnic, deps, signal)),
    )
    return {
      status: {
        network: {
          primaryVnic: primary.status,
          ...(secondary.length === 0 ? {} : { secondaryVnics: secondary.map(({ status }) => status) }),
        },
      },
      ...result('Network', [...primary.problems, ...secondary.flatMap(({ problems }) => problems)]),
    }
  },
})
