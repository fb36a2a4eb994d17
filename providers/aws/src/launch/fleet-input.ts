import type {
  CreateFleetCommandInput,
  FleetLaunchTemplateConfigRequest,
  FleetLaunchTemplateOverridesRequest,
} from '@aws-sdk/client-ec2'
import { type CapacityType, capacityTypes } from '@kerf/apis'
import { ec2Tags } from '../api/aws-api.ts'
import type { LaunchReservation } from './template-data.ts'

/** The parameters of one launch request to EC2. */
export interface FleetRequest {
  readonly capacityType: CapacityType
  readonly templates: readonly {
    readonly name: string
    readonly overrides: readonly FleetLaunchTemplateOverridesRequest[]
  }[]
  readonly tags: Readonly<Record<string, string>>
  /** The value of `spec.context`. Absent if `minValues` was relaxed for this NodeClaim. */
  readonly context?: string
  /** Whether a price overlay applies. EC2 then uses the given priorities instead of its own prices. */
  readonly byPriority: boolean
  /** The reservation properties that all templates of a reserved launch share. */
  readonly reservation?: LaunchReservation
}

const targetType = ({ capacityType, reservation }: FleetRequest) => {
  if (capacityType === capacityTypes.spot) return 'spot'
  if (reservation?.type === 'capacity-block') return 'capacity-block'
  return reservation?.interruptible === true ? 'reserved-capacity' : 'on-demand'
}

const options = (request: FleetRequest): Partial<CreateFleetCommandInput> => {
  const target = targetType(request)
  switch (target) {
    case 'spot':
      return {
        SpotOptions: {
          AllocationStrategy: request.byPriority ? 'capacity-optimized-prioritized' : 'price-capacity-optimized',
        },
      }
    case 'on-demand':
      return { OnDemandOptions: { AllocationStrategy: request.byPriority ? 'prioritized' : 'lowest-price' } }
    case 'reserved-capacity':
      return { ReservedCapacityOptions: { ReservationTypes: ['interruptible-capacity-reservation'] } }
    case 'capacity-block':
      return {}
  }
}

/**
 * Returns a request for one instance (`providers/aws/docs/spec/aws.md#instances`, step 5). Equal launches produce equal requests, which
 * Kerf can combine into one call.
 */
export const fleetInput = (request: FleetRequest): CreateFleetCommandInput => {
  const tags = ec2Tags(request.tags)
  return {
    Type: 'instant',
    LaunchTemplateConfigs: request.templates.map(
      ({ name, overrides }): FleetLaunchTemplateConfigRequest => ({
        LaunchTemplateSpecification: { LaunchTemplateName: name, Version: '$Latest' },
        Overrides: [...overrides],
      }),
    ),
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: targetType(request) },
    TagSpecifications: (['instance', 'volume', 'fleet'] as const).map((ResourceType) => ({ ResourceType, Tags: tags })),
    ...(request.context === undefined || request.context === '' ? {} : { Context: request.context }),
    ...options(request),
  }
}
