import { capacityTypes, type Milliseconds } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import type { LaunchOption, UnavailableOfferings } from '@kerf/provider-kit'
import type { FailureKind } from '../failures/failure-kind.ts'
import type { OciType } from '../instance-types/instance-types.ts'

/** How long an offering stays unavailable because no host had capacity for it. zoom/karpenter-oci uses the same duration. */
export const UNAVAILABLE_FOR: Milliseconds = 180_000
/** How long sizes stay unavailable because of a limit. Removed nodes free part of the limit. */
const LIMITED_FOR: Milliseconds = 300_000

const REASONS = { capacity: 'OutOfHostCapacity', limit: 'LimitExceeded', server: 'LaunchFailed' } as const

const isAtLeast = (type: OciType, { size }: OciType): boolean =>
  type.size.facts.name === size.facts.name && type.size.ocpus >= size.ocpus

/**
 * Marks the offerings that a refused launch proves to be unavailable. If no host has capacity for a size, none has capacity for a larger
 * size of the same shape in the same availability domain. A smaller size may still fit. The kind `server` means that an accepted launch
 * failed for an unknown reason.
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
  // A reservation covers only one size, and an unknown failure proves nothing about other sizes.
  const isAlone = capacityType === capacityTypes.reserved || kind === 'server'
  const concerned =
    refused === undefined || isAlone
      ? [option.type]
      : types.filter((each) => isAtLeast(each, refused)).map(({ type }) => type)
  for (const { name } of concerned) unavailable.mark({ instanceType: name, zone, capacityType }, REASONS[kind], ttl)
}
