import { capacityTypes, type Milliseconds } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import type { LaunchOption, UnavailableOfferings } from '@kerf/provider-kit'
import type { FailureKind } from '../failures/failure-kind.ts'
import type { OciType } from '../instance-types/instance-types.ts'

/** How long an offering stays unavailable because no host had room for it. zoom/karpenter-oci uses the same time. */
export const UNAVAILABLE_FOR: Milliseconds = 180_000
/** How long sizes stay unavailable because of a limit. When nodes are removed, the limit allows new ones again. */
const LIMITED_FOR: Milliseconds = 300_000

const REASONS = { capacity: 'OutOfHostCapacity', limit: 'LimitExceeded', server: 'LaunchFailed' } as const

const isAtLeast = (type: OciType, { size }: OciType): boolean =>
  type.size.facts.name === size.facts.name && type.size.ocpus >= size.ocpus

/**
 * Marks the offerings that a refused launch proves to be unavailable. If no host has room for a size, none has room for a larger size of the same shape
 * in the same availability domain. A smaller size may still fit. `server` is the unknown failure of an accepted launch.
 */
export const markRefused = (
  unavailable: UnavailableOfferings,
  kind: FailureKind,
  option: LaunchOption,
  types: readonly OciType[],
): void => {
  if (kind !== 'capacity' && kind !== 'limit' && kind !== 'server') return
  const refused = types.find(({ type }) => type === option.type)
  const { zone, capacityType } = offeringCoordinates(option.type, option.offering)
  const ttl = kind === 'limit' ? LIMITED_FOR : UNAVAILABLE_FOR
  // A reservation is for one size only, and an unknown failure says nothing about other sizes.
  const isAlone = capacityType === capacityTypes.reserved || kind === 'server'
  const concerned =
    refused === undefined || isAlone
      ? [option.type]
      : types.filter((each) => isAtLeast(each, refused)).map(({ type }) => type)
  for (const { name } of concerned) unavailable.mark({ instanceType: name, zone, capacityType }, REASONS[kind], ttl)
}
