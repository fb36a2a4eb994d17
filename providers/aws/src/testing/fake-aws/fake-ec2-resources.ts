import type {
  CapacityReservation,
  Filter,
  Image,
  InstanceStatus,
  PlacementGroup,
  ReservedInstances,
  SecurityGroup,
  SpotPrice,
  Subnet,
} from '@aws-sdk/client-ec2'
import { Faults } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'
import { tagMap } from '../../api/aws-api.ts'
import type { Ec2InstanceType } from '../../api/ec2-instance-type.ts'
import { ec2Type } from '../type-table.ts'
import { fakePrice } from './fake-price.ts'
import { passes, tagValues } from './filters.ts'
import { someGroups, someImages, someSubnets, TYPES, ZONES } from './inventory.ts'
import { Requests } from './requests.ts'
import { sdkError } from './sdk-error.ts'

/** The resources of the account and the region before any launch, and the calls that describe them. Tests may change the resources. */
export class FakeEc2Resources {
  readonly faults: Faults
  readonly requests: Requests
  types: readonly Ec2InstanceType[] = TYPES.map(ec2Type)
  subnets: Subnet[] = someSubnets()
  groups: SecurityGroup[] = someGroups()
  images: Image[] = someImages()
  statuses: InstanceStatus[] = []
  reservations: CapacityReservation[] = []
  placementGroups: PlacementGroup[] = []
  reservedInstances: ReservedInstances[] = []
  spotPrices: SpotPrice[] | undefined
  /** Types that a zone does not offer. EC2 does not list them there, and refuses to launch them. */
  readonly notOffered: { readonly type: string; readonly zone: string }[] = []
  /** Types without a price. In reality, the Pricing API lags behind new instance types, and not every type is offered as spot. */
  readonly unpriced = new Set<string>()
  protected readonly clock: Clock

  constructor(clock: Clock, requests = new Requests(clock)) {
    this.requests = requests
    this.faults = new Faults(requests, sdkError)
    this.clock = clock
  }

  async probe(signal: AbortSignal): Promise<void> {
    await this.faults.run('probe', signal, () => undefined)
  }

  /** Returns true if the zone does not offer the instance type. */
  lacks(type: string | undefined, zone: string | undefined): boolean {
    return this.notOffered.some((each) => each.type === type && each.zone === zone)
  }

  describeInstanceTypes(signal: AbortSignal) {
    return this.faults.run('describeInstanceTypes', signal, () => this.types)
  }

  describeInstanceTypeOfferings(signal: AbortSignal) {
    return this.faults.run('describeInstanceTypeOfferings', signal, () =>
      this.types.flatMap(({ InstanceType }) =>
        ZONES.filter((zone) => !this.lacks(InstanceType, zone)).map((Location) => ({
          Location,
          ...(InstanceType === undefined ? {} : { InstanceType: InstanceType as 'm5.large' }),
        })),
      ),
    )
  }

  describeImages({ filters }: { readonly filters: readonly Filter[] }, signal: AbortSignal) {
    return this.faults.run('describeImages', signal, () =>
      this.images.filter((image) =>
        passes(filters, (name) =>
          name === 'image-id'
            ? [image.ImageId]
            : name === 'name'
              ? [image.Name]
              : name === 'state'
                ? [image.State]
                : (tagValues(tagMap(image.Tags), name) ?? []),
        ),
      ),
    )
  }

  describeSubnets(filters: readonly Filter[], signal: AbortSignal) {
    return this.faults.run('describeSubnets', signal, () =>
      this.subnets.filter((subnet) =>
        passes(filters, (name) =>
          name === 'subnet-id' ? [subnet.SubnetId] : (tagValues(tagMap(subnet.Tags), name) ?? []),
        ),
      ),
    )
  }

  describeSecurityGroups(filters: readonly Filter[], signal: AbortSignal) {
    return this.faults.run('describeSecurityGroups', signal, () =>
      this.groups.filter((group) =>
        passes(filters, (name) =>
          name === 'group-id'
            ? [group.GroupId]
            : name === 'group-name'
              ? [group.GroupName]
              : (tagValues(tagMap(group.Tags), name) ?? []),
        ),
      ),
    )
  }

  describeInstanceStatus(filters: readonly Filter[], signal: AbortSignal) {
    return this.faults.run('describeInstanceStatus', signal, () =>
      this.statuses.filter((status) =>
        passes(filters, (name) =>
          name === 'instance-status.status'
            ? [status.InstanceStatus?.Status]
            : name === 'system-status.status'
              ? [status.SystemStatus?.Status]
              : (status.Events ?? []).map(({ Code }) => Code),
        ),
      ),
    )
  }

  describeSpotPriceHistory(_since: Date, signal: AbortSignal) {
    return this.faults.run(
      'describeSpotPriceHistory',
      signal,
      () =>
        this.spotPrices ??
        this.types
          .filter(({ InstanceType = '' }) => !this.unpriced.has(InstanceType))
          .flatMap((type) =>
            ZONES.map((zone) => ({
              InstanceType: (type.InstanceType ?? '') as 'm5.large',
              AvailabilityZone: zone,
              SpotPrice: String(fakePrice(type, 'spot')),
              Timestamp: new Date(this.clock.now()),
            })),
          ),
    )
  }

  describeCapacityReservations(
    query: { readonly id: string } | { readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ) {
    return this.faults.run('describeCapacityReservations', signal, () =>
      this.reservations.filter((reservation) =>
        'id' in query
          ? reservation.CapacityReservationId === query.id
          : passes(query.filters, (name) =>
              name === 'owner-id'
                ? [reservation.OwnerId]
                : name === 'instance-match-criteria'
                  ? [reservation.InstanceMatchCriteria]
                  : (tagValues(tagMap(reservation.Tags), name) ?? []),
            ),
      ),
    )
  }

  describeReservedInstances(signal: AbortSignal) {
    // The real request filters by state=active.
    return this.faults.run('describeReservedInstances', signal, () =>
      this.reservedInstances.filter(({ State }) => State === 'active'),
    )
  }

  describePlacementGroups(query: { readonly id: string } | { readonly name: string }, signal: AbortSignal) {
    return this.faults.run('describePlacementGroups', signal, () => {
      const named = this.placementGroups.filter((group) =>
        'id' in query ? group.GroupId === query.id : group.GroupName === query.name,
      )
      // EC2 API reference, "Error codes": a group that is requested by name and does not exist is an error, not an empty list.
      if (named.length === 0) {
        const name = 'id' in query ? query.id : query.name
        throw sdkError({ code: 'InvalidPlacementGroup.Unknown', message: `The Placement Group '${name}' is unknown.` })
      }
      return named.filter(({ State }) => State === 'available')
    })
  }
}
