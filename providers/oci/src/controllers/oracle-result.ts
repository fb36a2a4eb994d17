import type { StepResult } from '@kerf/provider-kit'
import type { OracleNodeClass } from '../node-class/oracle-node-class.ts'
import type { Compartments } from '../settings/oci-options.ts'
import { type CloudLookup, type Found, type ResourceFilter, shownFilter } from './lookup.ts'
import type { MinorVersion } from './oke-images.ts'

const AGAIN = 5 * 60_000
const MISSING_AGAIN = 60_000

export interface OracleSteps {
  readonly api: CloudLookup
  readonly compartments: Compartments
  readonly defaultIpCount: number
  /** Returns the version of the API server, or undefined if it does not report one. */
  readonly clusterVersion: (signal: AbortSignal) => Promise<MinorVersion | undefined>
}

/** For each condition of OCINodeClass, the reason if it is False because a resource does not exist. */
const FAILURES = {
  Image: 'ImageResolveFailure',
  Network: 'NetworkResolveFailure',
  NodeCompartment: 'NodeCompartmentResolveFailure',
  KmsKey: 'KmsKeyResolveFailure',
  CapacityReservation: 'CapacityReservationResolveFailure',
  ClusterPlacementGroup: 'ClusterPlacementGroupResolveFailure',
  ComputeCluster: 'ComputeClusterResolveFailure',
} as const

/** Returns the condition for one part of an OCINodeClass: False with the problems if there are any, otherwise True. */
export const result = (
  type: keyof typeof FAILURES,
  problems: readonly string[],
): Pick<StepResult<OracleNodeClass>, 'condition' | 'again'> =>
  problems.length === 0
    ? { condition: { type, status: 'True' }, again: AGAIN }
    : {
        condition: { type, status: 'False', reason: FAILURES[type], message: problems.join('; ') },
        again: MISSING_AGAIN,
      }

/** Returns the resource that a filter matches, or a problem if it matches none or several. */
export const exactlyOneOf = <T extends { readonly id: string }>(
  what: string,
  filter: ResourceFilter,
  found: readonly T[],
): Found<T> => {
  if (found.length === 1) return found
  const problem =
    found.length === 0
      ? `there is no ${what} that matches ${shownFilter(filter)}`
      : `${found.length} objects of the kind ${what} match ${shownFilter(filter)}: ${found.map(({ id }) => id).join(', ')}; add tags to the filter`
  return { problem }
}
