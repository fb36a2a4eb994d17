import type { CreateFleetError, CreateFleetInstance } from '@aws-sdk/client-ec2'
import type { LaunchReservation } from './template-data.ts'

/** One override of a launch: what EC2 may choose, and what an instance has that came of it. */
export interface AskedOffering {
  readonly instanceType: string
  readonly zone: string
  readonly subnetId: string
  readonly imageId: string
  readonly template: { readonly id: string; readonly name: string }
  readonly efaCount: number
  readonly reservation: LaunchReservation | undefined
}

/** What CreateFleet says of an instance or of an error; each field may be missing. */
export type FleetPlace = Pick<CreateFleetError, 'LaunchTemplateAndOverrides'> &
  Partial<Pick<CreateFleetInstance, 'InstanceType' | 'AvailabilityZone' | 'SubnetId'>>

/** Where EC2 says that something was launched, or could not be. */
export const placeOf = ({ LaunchTemplateAndOverrides: chosen, ...place }: FleetPlace) => {
  const { LaunchTemplateSpecification: template, Overrides: overrides } = chosen ?? {}
  return {
    instanceType: place.InstanceType ?? overrides?.InstanceType,
    zone: place.AvailabilityZone ?? overrides?.AvailabilityZone,
    subnetId: place.SubnetId ?? overrides?.SubnetId,
    imageId: overrides?.ImageId,
    templateId: template?.LaunchTemplateId,
    templateName: template?.LaunchTemplateName,
  }
}

/**
 * The overrides of the launch that an entry of the answer may be about: those that agree with everything that it says.
 * EC2 names the launch template by its id and version alone, the override as it was given, and any of it may be missing
 * (API model of EC2: `LaunchTemplateAndOverridesResponse`, `FleetLaunchTemplateSpecification`). Type and zone tell the
 * overrides of one launch apart; an id that is not known tells nothing.
 */
export const offeringsOf = (entry: FleetPlace, asked: readonly AskedOffering[]): readonly AskedOffering[] => {
  const { instanceType, zone, subnetId, templateId, templateName } = placeOf(entry)
  const agreeing = asked.filter(
    (each) =>
      (instanceType === undefined || each.instanceType === instanceType) &&
      (zone === undefined || each.zone === zone) &&
      (subnetId === undefined || each.subnetId === subnetId),
  )
  const ofTemplate = agreeing.filter(
    ({ template }) => template.id === templateId || (templateName !== undefined && template.name === templateName),
  )
  return ofTemplate.length > 0 ? ofTemplate : agreeing
}
