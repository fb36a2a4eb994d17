import type { Milliseconds } from '@kerf/apis'
import { InsufficientCapacity } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { PlacementGroup } from '../node-class/node-class-traits.ts'
import { vcpuQuotaCode } from './vcpu-quotas.ts'

/** How long an offering without capacity stays unavailable (`providers/aws/docs/spec/aws.md#caches`). */
export const INSUFFICIENT_CAPACITY_TTL: Milliseconds = 180_000

/**
 * How long an offering that a policy denies stays unavailable (`providers/aws/docs/spec/aws.md#policies`). Policies rarely change. The time is
 * long enough to try all types of a region, sixty per launch, before the first one is tried again.
 */
export const DENIED_TTL: Milliseconds = 600_000

/** Returns the record of the capacity and addresses that EC2 recently could not provide (`providers/aws/docs/spec/aws.md#offerings`). */
export const insufficientCapacity = (clock: Clock): InsufficientCapacity =>
  new InsufficientCapacity(clock, { ttl: INSUFFICIENT_CAPACITY_TTL })

const NONE: readonly string[] = []

/** Returns the scopes whose capacity is tracked separately: the placement group, then its partition. The narrowest comes last. */
export const capacityScopes = (
  group: Pick<PlacementGroup, 'id'> | undefined,
  partition: string | undefined,
): readonly string[] =>
  group === undefined ? NONE : partition === undefined ? [group.id] : [group.id, `${group.id}:${partition}`]

/** Returns the scope of an account quota, which all offerings of its instance types share. */
export const quotaScope = (instanceType: string, capacityType: string): string =>
  `quota ${vcpuQuotaCode(instanceType, capacityType)}`

/** Returns the scope of denials for the current generation of a node class. Other classes have other images, tags and roles. */
export const classScope = (nodeClassKey: string): string => `class ${nodeClassKey}`
