import { atomicConditions, listField, object, optional, text } from '@kerf/apis/schema'

const displayName = optional(text({ description: 'The display name.' }))
const ocid = (what: string) => optional(text({ description: `The OCID of the ${what}.` }))
const availabilityDomain = optional(text({ description: 'The availability domain.' }))

const list = <const Fields extends Parameters<typeof object>[0]>(fields: Fields, description: string) =>
  optional(listField(object(fields, { description: 'One entry.' }), { description, listType: 'atomic' }))

const vnicFields = {
  subnet: optional(object({ subnetId: ocid('subnet'), displayName }, { description: 'The subnet.' })),
  networkSecurityGroups: list(
    { networkSecurityGroupId: ocid('network security group'), displayName },
    'The network security groups.',
  ),
}

/** The status of an OCINodeClass. */
export const oracleStatus = object(
  {
    conditions: optional(atomicConditions()),
    volume: optional(
      object(
        {
          images: list({ imageId: ocid('image'), displayName }, 'The images, the preferred one first.'),
          kmsKey: list({ kmsKeyId: ocid('key'), displayName }, 'The key that encrypts the boot volume.'),
        },
        { description: 'What the boot volume is made from.' },
      ),
    ),
    network: optional(
      object(
        {
          primaryVnic: optional(object(vnicFields, { description: 'The network interface of the node.' })),
          secondaryVnics: list(vnicFields, 'The network interfaces for pods.'),
        },
        { description: 'The subnets and network security groups.' },
      ),
    ),
    capacityReservations: list(
      { capacityReservationId: ocid('capacity reservation'), displayName, availabilityDomain },
      'The capacity reservations.',
    ),
    clusterPlacementGroups: list(
      { clusterPlacementGroupId: ocid('cluster placement group'), displayName, availabilityDomain },
      'The cluster placement groups.',
    ),
    computeCluster: optional(
      object(
        { ComputeClusterId: ocid('compute cluster'), displayName, availabilityDomain },
        { description: 'The compute cluster.' },
      ),
    ),
  },
  { description: 'What the class selects in the cloud.' },
)
