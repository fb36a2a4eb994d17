import type { Milliseconds } from '@kerf/apis'
import { InsufficientCapacity } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { PlacementGroup } from '../node-class/node-class-traits.ts'

/** How long what ran out is not tried again (`docs/spec/aws.md#caches`). */
export const INSUFFICIENT_CAPACITY_TTL: Milliseconds = 180_000

/** What EC2 recently refused for lack of capacity or addresses (`docs/spec/aws.md#offerings`). */
export const insufficientCapacity = (clock: Clock): InsufficientCapacity =>
  new InsufficientCapacity(clock, { ttl: INSUFFICIENT_CAPACITY_TTL })

const NONE: readonly string[] = []

/** What capacity runs out in apart from the rest of a zone: the placement group, then the partition of it; the narrowest last. */
export const capacityScopes = (
  group: Pick<PlacementGroup, 'id'> | undefined,
  partition: string | undefined,
): readonly string[] =>
  group === undefined ? NONE : partition === undefined ? [group.id] : [group.id, `${group.id}:${partition}`]
