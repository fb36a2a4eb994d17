import { parseTime, setOwnValue } from '@kerf/apis'
import type { DescribedInstance } from '../api/actions.ts'

/** An instance of this cluster, with the fields that the provider uses. */
export interface EcsInstance {
  readonly id: string
  readonly type: string
  readonly zone: string
  readonly isSpot: boolean
  /** `Pending`, `Starting`, `Running`, `Stopping` or `Stopped`. */
  readonly status: string
  readonly image: string | undefined
  readonly vSwitch: string | undefined
  readonly securityGroups: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  /** The creation time in RFC 3339. Undefined if the API's value cannot be parsed. */
  readonly createdAt: string | undefined
}

/** Converts a time of the API, which has no seconds, to RFC 3339. Returns undefined if the text cannot be parsed. */
const createdTime = (text: string | undefined): string | undefined => {
  const whole = text?.replace(/T(\d\d:\d\d)Z$/, 'T$1:00Z')
  return parseTime(whole) === undefined ? undefined : whole
}

export const ecsInstance = (described: DescribedInstance): EcsInstance => {
  const tags: Record<string, string> = {}
  for (const { TagKey, TagValue = '' } of described.Tags?.Tag ?? []) setOwnValue(tags, TagKey, TagValue)
  return {
    id: described.InstanceId,
    type: described.InstanceType,
    zone: described.ZoneId,
    isSpot: (described.SpotStrategy ?? 'NoSpot') !== 'NoSpot',
    status: described.Status,
    image: described.ImageId,
    vSwitch: described.VpcAttributes?.VSwitchId,
    securityGroups: described.SecurityGroupIds?.SecurityGroupId ?? [],
    tags,
    createdAt: createdTime(described.CreationTime),
  }
}
