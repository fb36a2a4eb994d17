import type { CreateFleetError, CreateFleetInstance } from '@aws-sdk/client-ec2'
import type { LaunchReservation } from './template-data.ts'

/** One override of a launch: the offering that EC2 may choose, and facts about an instance of that offering. */
export interface AskedOffering {
  readonly instanceType: string
  readonly zone: string
  readonly subnetId: string
  readonly imageId: string
  readonly template: { readonly id: string; readonly name: string }
  readonly efaCount: number
  readonly reservation: LaunchReservation | undefined
}

/** The fields of an instance or an error in CreateFleet's response that identify its override. Each may be missing. */
export type FleetPlace = Pick<CreateFleetError, 'LaunchTemplateAndOverrides'> &
  Partial<Pick<CreateFleetInstance, 'InstanceType' | 'AvailabilityZone' | 'SubnetId'>>

/** Returns the fields of a response entry that identify its offering, image and launch template. The entry is an instance or an error. */
export const fleetPlaceFields = ({ LaunchTemplateAndOverrides: chosen, ...place }: FleetPlace) => {
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
 * Returns all overrides of the launch that match the fields of a response entry. EC2 returns the launch template by ID and version, and the
 * override as it was requested, but any field may be missing (API model of EC2: `LaunchTemplateAndOverridesResponse`,
 * `FleetLaunchTemplateSpecification`). Type and zone distinguish the overrides of one launch. An unknown template ID is ignored.
 */
export const entryOfferings = (entry: FleetPlace, asked: readonly AskedOffering[]): readonly AskedOffering[] => {
  const { instanceType, zone, subnetId, templateId, templateName } = fleetPlaceFields(entry)
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
