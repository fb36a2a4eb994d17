import { ownValue } from '@kerf/apis'
import type { OciApi } from '../api/oci-api.ts'
import { isOciNotFound } from '../api/oci-api-error.ts'
import type { Tagged } from '../api/oci-shapes.ts'

/** The API calls with which the status of classes is resolved. */
export type CloudLookup = Pick<
  OciApi,
  | 'availabilityDomains'
  | 'capacityReservation'
  | 'capacityReservations'
  | 'computeCluster'
  | 'computeClusters'
  | 'image'
  | 'images'
  | 'networkSecurityGroup'
  | 'networkSecurityGroups'
  | 'subnet'
  | 'subnets'
>

/** The problem of a selector term with no match, or with more matches than allowed. */
export interface TermProblem {
  readonly problem: string
}

export type Found<T> = readonly T[] | TermProblem

export const isProblem = <T>(found: Found<T>): found is TermProblem => 'problem' in found

/**
 * Returns the object, or the reason why it was not found. Oracle Cloud also returns 404 if no policy allows the controller to read the
 * object.
 */
export const byId = async <T>(what: string, id: string, read: () => Promise<T>): Promise<Found<T>> => {
  try {
    return [await read()]
  } catch (error) {
    if (!isOciNotFound(error)) throw error
    return { problem: `${what} ${JSON.stringify(id)} does not exist, or no policy lets the controller see it` }
  }
}

/** Returns the objects that the terms match, and the problems of the terms without a match. */
export const collected = <T>(
  results: readonly Found<T>[],
): { readonly found: readonly T[]; readonly problems: readonly string[] } => ({
  found: results.flatMap((result) => (isProblem(result) ? [] : result)),
  problems: results.flatMap((result) => (isProblem(result) ? [result.problem] : [])),
})

/** A filter of OCINodeClass, by name and tags. */
export interface ResourceFilter {
  readonly compartmentId?: string
  readonly displayName?: string
  readonly freeformTags?: Readonly<Record<string, string>>
  readonly definedTags?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Returns whether an object has all tags of a filter. */
export const hasTags = (
  { freeformTags, definedTags }: Tagged,
  filter: Pick<ResourceFilter, 'freeformTags' | 'definedTags'>,
): boolean =>
  Object.entries(filter.freeformTags ?? {}).every(([key, value]) => ownValue(freeformTags, key) === value) &&
  Object.entries(filter.definedTags ?? {}).every(([namespace, tags]) =>
    Object.entries(tags).every(([key, value]) => ownValue(ownValue(definedTags, namespace) ?? {}, key) === value),
  )

/** Returns the filter in the format of messages. */
export const shownFilter = ({ displayName, ...filter }: ResourceFilter): string =>
  displayName === undefined ? JSON.stringify(filter) : JSON.stringify(displayName)
