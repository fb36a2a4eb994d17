import type { LaunchOption } from '@kerf/provider-kit'
import type { OfferedPlace } from '../offers/class-offers.ts'

/** An instance type, and a hypervisor that can launch it. */
export interface PlacedOption {
  readonly option: LaunchOption
  readonly place: OfferedPlace
}

/** Loads are rounded to this fraction before they are compared, because the load of a hypervisor changes every second. */
const LOAD_STEP = 0.1

/**
 * Returns the options in the order in which Kerf tries them. They are sorted by weight. With `Balanced`, the CPU load of the hypervisor
 * comes next. The number of free CPUs comes last, so that simultaneous launches spread.
 */
export const launchOrder = (options: readonly PlacedOption[], isBalanced: boolean): readonly PlacedOption[] => {
  const load = ({ place }: PlacedOption): number => (isBalanced ? Math.round(place.load / LOAD_STEP) : 0)
  const free = ({ place }: PlacedOption): number => place.freeNow()?.cpus ?? 0
  const weight = ({ option }: PlacedOption): number => option.offering.price ?? Number.POSITIVE_INFINITY
  return options.toSorted(
    (a, b) => (weight(a) === weight(b) ? 0 : weight(a) - weight(b)) || load(a) - load(b) || free(b) - free(a),
  )
}
