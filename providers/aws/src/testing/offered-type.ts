import { labels, parseResources, toQuantity } from '@kerf/apis'
import type { InstanceType, Offering, RequirementSpec } from '@kerf/engine'
import { awsLabels } from '../label-names.ts'

export const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

/** A way to purchase an instance type. */
export interface Buy {
  readonly as: 'spot' | 'on-demand' | 'reserved'
  readonly price: number
  readonly zone?: string
  readonly left?: number
  readonly reservation?: string
  readonly kind?: 'default' | 'capacity-block'
  readonly interruptible?: boolean
  readonly available?: boolean
  readonly partition?: string
}

const offering = ({
  as,
  price,
  zone = 'a',
  left,
  reservation,
  kind = 'default',
  interruptible = false,
  available = true,
  partition,
}: Buy): Offering => ({
  requirements: [
    is(labels.capacityType, as),
    is(labels.zone, zone),
    ...(reservation === undefined
      ? [{ key: awsLabels.capacityReservationId, operator: 'DoesNotExist' as const }]
      : [
          is(awsLabels.capacityReservationId, reservation),
          is(awsLabels.capacityReservationType, kind),
          is(awsLabels.capacityReservationInterruptible, `${interruptible}`),
        ]),
    ...(partition === undefined ? [] : [is(awsLabels.placementGroupPartition, partition)]),
  ],
  price,
  available,
  ...(left === undefined ? {} : { reservationCapacity: left }),
})

/** Returns an instance type with these offerings in zones a and b, four CPUs and a limit of 29 pods. */
export const offeredType = (
  name: string,
  buys: readonly Buy[],
  extra: Readonly<Record<string, number>> = {},
  requirements: readonly RequirementSpec[] = [],
): InstanceType => ({
  name,
  requirements: [
    is(labels.instanceType, name),
    is(awsLabels.size, name.split('.')[1] ?? ''),
    is(labels.capacityType, 'spot', 'on-demand', 'reserved'),
    is(labels.zone, 'a', 'b'),
    ...requirements,
  ],
  offerings: buys.map(offering),
  capacity: {
    ...parseResources({ cpu: '4', memory: '8Gi', pods: '29' }),
    ...Object.fromEntries(Object.entries(extra).map(([key, count]) => [key, toQuantity(count)])),
  },
  overhead: {},
})
