import { capacityTypes, type Milliseconds } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import type { LaunchOption, UnavailableOfferings } from '@kerf/provider-kit'
import type { FailureKind } from '../failures/failure-kind.ts'
import type { OciType } from '../instance-types/instance-types.ts'

/** How long an offering stays unavailable after it lacked hosts. The community's provider uses the same time. */
export const UNAVAILABLE_FOR: Milliseconds = 180_000
/** How long sizes stay unavailable because of a limit. The limit has room again when nodes are removed. */
const LIMITED_FOR: Milliseconds = 300_000

const isAtLeast = (type: OciType, { size }: OciType): boolean =>
  type.size.facts.name === size.facts.name && type.size.ocpus >= size.ocpus

/**
 * Marks what a refused launch means for other offerings. If no host has room for a size, none has room for a larger size of the same shape
 * in the same availability domain. A smaller size may still fit.
 */
export const markRefused = (
  unavailable: UnavailableOfferings,
  kind: FailureKind,
  option: LaunchOption,
  types: readonly OciType[],
): void => {
  if (kind !== 'capacity' && kind !== 'limit') return
  const refused = types.find(({ type }) => type === option.type)
  const { zone, capacityType } = offeringCoordinates(option.type, option.offering)
  const reason = kind === 'capacity' ? 'OutOfHostCapacity' : 'LimitExceeded'
  const ttl = kind === 'capacity' ? UNAVAILABLE_FOR : LIMITED_FOR
  // A reservation is of one size.
  const isReserved = capacityType === capacityTypes.reserved
  const concerned =
    refused === undefined || isReserved
      ? [option.type]
      : types.filter((each) => isAtLeast(each, refused)).map(({ type }) => type)
  for (const { name } of concerned) unavailable.mark({ instanceType: name, zone, capacityType }, reason, ttl)
}
