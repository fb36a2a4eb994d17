import type { Milliseconds } from '@kerf/apis'
import { InsufficientCapacity } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { PlacementGroup } from '../node-class/node-class-traits.ts'
import { vcpuQuotaOf } from './vcpu-quotas.ts'

/** How long what ran out is not tried again (`docs/spec/aws.md#caches`). */
export const INSUFFICIENT_CAPACITY_TTL: Milliseconds = 180_000

/**
 * How long what a policy denies is not tried again (`docs/spec/aws.md#policies`). A policy lasts, so this is long enough to try
 * all types of a region, sixty in a launch, before the first one is tried again.
 */
export const DENIED_TTL: Milliseconds = 600_000

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

/** What runs out when a quota of the account does: the offerings of all types that count against it. */
export const quotaScope = (instanceType: string, capacityType: string): string =>
  `quota ${vcpuQuotaOf(instanceType, capacityType)}`

/** What is denied to launches from a node class as it is written now; other classes have other images, tags and roles. */
export const classScope = (nodeClassKey: string): string => `class ${nodeClassKey}`
