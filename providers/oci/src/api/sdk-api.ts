import { allItems } from './all-items.ts'
import type { OciApi } from './oci-api.ts'
import { type SdkOptions, serviceCalls } from './sdk-clients.ts'
import { sdkInstanceCalls } from './sdk-instance-calls.ts'
import { present, readImage, readReservation, readSubnet, tagsIn } from './sdk-readers.ts'

/** The list of shapes has a smaller maximum page size than other lists. */
const SHAPE_PAGE = 100

/** Returns a client for Oracle Cloud that uses the SDK's clients. */
export const sdkApi = (options: SdkOptions): OciApi => {
  const ask = serviceCalls(options)
  return {
    ...sdkInstanceCalls(ask),

    availabilityDomains: async (compartmentId, signal) => {
      const answer = await ask(
        'identity',
        'ListAvailabilityDomains',
        (client) => client.listAvailabilityDomains({ compartmentId }),
        signal,
      )
      return answer.items.flatMap(({ name }) => name ?? [])
    },

    shapes: (compartmentId, availabilityDomain, signal) =>
      allItems(
        (page) =>
          ask(
            'compute',
            'ListShapes',
            (client) => client.listShapes({ compartmentId, availabilityDomain, ...page }),
            signal,
          ),
        SHAPE_PAGE,
      ),

    image: async (imageId, signal) =>
      readImage((await ask('compute', 'GetImage', (client) => client.getImage({ imageId }), signal)).image),

    images: async (query, signal) => {
      const found = await allItems((page) =>
        ask(
          'compute',
          'ListImages',
          (client) => client.listImages({ ...query, lifecycleState: 'AVAILABLE', ...page }),
          signal,
        ),
      )
      return found.map(readImage).toSorted((a, b) => (a.timeCreated < b.timeCreated ? 1 : -1))
    },

    shapesOfImage: async (imageId, signal) => {
      const entries = await allItems((page) =>
        ask(
          'compute',
          'ListImageShapeCompatibilityEntries',
          (client) => client.listImageShapeCompatibilityEntries({ imageId, ...page }),
          signal,
        ),
      )
      return entries.map(({ shape }) => shape)
    },

    subnet: async (subnetId, signal) =>
      readSubnet((await ask('network', 'GetSubnet', (client) => client.getSubnet({ subnetId }), signal)).subnet),

    subnets: async (query, signal) => {
      const found = await allItems((page) =>
        ask('network', 'ListSubnets', (client) => client.listSubnets({ ...query, ...page }), signal),
      )
      return found.map(readSubnet)
    },

    subnetUtilization: async (subnetId, signal) => {
      const answer = await ask(
        'network',
        'GetSubnetCidrUtilization',
        (client) => client.getSubnetCidrUtilization({ subnetId }),
        signal,
      )
      const { ipInventoryCidrUtilizationSummary: blocks = [] } = answer.ipInventoryCidrUtilizationCollection
      return blocks.map(({ cidr = '', addressType = '', utilization = 0 }) => ({ cidr, addressType, utilization }))
    },

    networkSecurityGroup: async (networkSecurityGroupId, signal) => {
      const answer = await ask(
        'network',
        'GetNetworkSecurityGroup',
        (client) => client.getNetworkSecurityGroup({ networkSecurityGroupId }),
        signal,
      )
      const group = answer.networkSecurityGroup
      return { ...group, displayName: group.displayName ?? '', ...tagsIn(group) }
    },

    networkSecurityGroups: async (query, signal) => {
      const found = await allItems((page) =>
        ask(
          'network',
          'ListNetworkSecurityGroups',
          (client) => client.listNetworkSecurityGroups({ ...query, ...page }),
          signal,
        ),
      )
      return found.map((group) => ({ ...group, displayName: group.displayName ?? '', ...tagsIn(group) }))
    },

    capacityReservation: async (capacityReservationId, signal) => {
      const answer = await ask(
        'compute',
        'GetComputeCapacityReservation',
        (client) => client.getComputeCapacityReservation({ capacityReservationId }),
        signal,
      )
      return readReservation(answer.computeCapacityReservation)
    },

    capacityReservations: async (query, signal) => {
      const found = await allItems((page) =>
        ask(
          'compute',
          'ListComputeCapacityReservations',
          (client) => client.listComputeCapacityReservations({ ...query, ...page }),
          signal,
        ),
      )
      return found.map(readReservation)
    },

    computeCluster: async (computeClusterId, signal) => {
      const answer = await ask(
        'compute',
        'GetComputeCluster',
        (client) => client.getComputeCluster({ computeClusterId }),
        signal,
      )
      const cluster = answer.computeCluster
      return { ...cluster, displayName: cluster.displayName ?? '', ...tagsIn(cluster) }
    },

    computeClusters: async (query, signal) => {
      const found = await allItems((page) =>
        ask(
          'compute',
          'ListComputeClusters',
          async (client) => {
            const { computeClusterCollection, opcNextPage } = await client.listComputeClusters({ ...query, ...page })
            return { items: computeClusterCollection?.items ?? [], ...present({ opcNextPage }) }
          },
          signal,
        ),
      )
      return found.map((cluster) => ({ ...cluster, displayName: cluster.displayName ?? '', ...tagsIn(cluster) }))
    },
  }
}
