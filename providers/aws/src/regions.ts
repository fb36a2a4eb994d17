import type { KubeObject } from '@kerf/apis'
import type { RegionEvidence } from '@kerf/provider-contract'
import { regionOfObjects as findRegion } from '@kerf/provider-kit'

/** The regions whose instance types and zones come with Kerf (`providers/aws/docs/spec/aws-emulation.md#instance-types-offline`). */
export const offlineRegions: readonly string[] = [
  'af-south-1',
  'ap-east-1',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ca-central-1',
  'ca-west-1',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
]

/** The region if neither the user nor the cluster specifies one. */
export const USUAL_REGION = 'us-east-1'

/** Matches a region, a zone or a local zone. */
const PLACE = /^([a-z]{2}(?:-[a-z]+)+-\d)(?:-[a-z]+-\d)?[a-z]?$/
const ARN = /^arn:aws[a-z-]*:[a-z0-9-]+:([a-z]{2}(?:-[a-z]+)+-\d):/

/** Returns the region of a zone such as `eu-west-1a`, or undefined if the text is not an AWS zone or region. */
export const regionOfZone = (text: string): string | undefined => PLACE.exec(text)?.[1]

const regionIn = (text: string): string | undefined => regionOfZone(text) ?? ARN.exec(text)?.[1]

/** Returns the region that a cluster's objects mention, and the object that mentions it. */
export const regionOfObjects = (objects: readonly KubeObject[]): RegionEvidence | undefined =>
  findRegion(objects, {
    regionIn,
    classValues: (object) => {
      if (object.kind !== 'EC2NodeClass') return undefined
      const { spec, status }: KubeObject & { spec?: unknown; status?: { subnets?: unknown } } = object
      return [spec, status?.subnets]
    },
  })
