import type { Step } from '@kerf/provider-kit'
import type { OracleNodeClass } from '../node-class/oracle-node-class.ts'
import { byId, collected, type Found, hasTags, isProblem, type ResourceFilter } from './lookup.ts'
import { exactlyOneOf, type OracleSteps, result } from './oracle-result.ts'

type ClassStep = Step<OracleNodeClass>

const query = ({ compartmentId, displayName }: ResourceFilter, usual: string) => ({
  compartmentId: compartmentId ?? usual,
  ...(displayName === undefined ? {} : { displayName }),
})

/** Returns true if Kerf can use the reservation or cluster. Oracle Cloud still lists deleted ones for some time. */
const isActive = ({ lifecycleState }: { readonly lifecycleState: string }): boolean => lifecycleState === 'ACTIVE'

export const reservationStep = ({ api, compartments }: OracleSteps): ClassStep => ({
  condition: 'CapacityReservation',
  run: async ({ spec }, signal) => {
    const found = collected(
      await Promise.all(
        (spec?.capacityReservationConfigs ?? []).map(
          async ({ capacityReservationId: id, capacityReservationFilter: filter = {} }) => {
            if (id !== undefined)
              return await byId('the capacity reservation', id, () => api.capacityReservation(id, signal))
            const all = await api.capacityReservations(query(filter, compartments.nodes), signal)
            const matching = all.filter((each) => isActive(each) && hasTags(each, filter))
            return exactlyOneOf('capacity reservation', filter, matching)
          },
        ),
      ),
    )
    return {
      status: {
        capacityReservations: found.found.map(({ id, displayName, availabilityDomain }) => ({
          ...{ capacityReservationId: id, displayName, availabilityDomain },
        })),
      },
      ...result('CapacityReservation', found.problems),
    }
  },
})

export const computeClusterStep = ({ api, compartments }: OracleSteps): ClassStep => ({
  condition: 'ComputeCluster',
  run: async ({ spec }, signal) => {
    const { computeClusterId: id, computeClusterFilter: filter = {} } = spec?.computeClusterConfig ?? {}
    if (spec?.computeClusterConfig === undefined) return result('ComputeCluster', [])
    const find = async () => {
      if (id !== undefined) return await byId('the compute cluster', id, () => api.computeCluster(id, signal))
      const all = await api.computeClusters(query(filter, compartments.nodes), signal)
      const matching = all.filter((each) => isActive(each) && hasTags(each, filter))
      return exactlyOneOf('compute cluster', filter, matching)
    }
    const found: Found<Awaited<ReturnType<typeof api.computeCluster>>> = await find()
    if (isProblem(found)) return result('ComputeCluster', [found.problem])
    const [cluster] = found
    return {
      ...(cluster === undefined
        ? {}
        : {
            status: {
              computeCluster: {
                ...{ ComputeClusterId: cluster.id, displayName: cluster.displayName },
                availabilityDomain: cluster.availabilityDomain,
              },
            },
          }),
      ...result('ComputeCluster', []),
    }
  },
})

/**
 * Copies the OCID without a check, because placement groups belong to a service that Kerf does not call. A launch fails if the OCID is
 * wrong.
 */
export const placementGroupStep = (): ClassStep => ({
  condition: 'ClusterPlacementGroup',
  run: async ({ spec }) => {
    const configs = spec?.clusterPlacementGroupConfigs ?? []
    return {
      status: {
        clusterPlacementGroups: configs.flatMap(({ clusterPlacementGroupId: id }) =>
          id === undefined ? [] : [{ clusterPlacementGroupId: id }],
        ),
      },
      ...result(
        'ClusterPlacementGroup',
        configs.flatMap(({ clusterPlacementGroupFilter: filter }) =>
          filter === undefined ? [] : ['Kerf does not search placement groups; write clusterPlacementGroupId'],
        ),
      ),
    }
  },
})
