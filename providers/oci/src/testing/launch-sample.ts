import type { LaunchDetails } from '../api/launch-details.ts'
import { AVAILABILITY_DOMAINS, COMPARTMENT, IMAGE, SUBNET } from './fake-oci/names.ts'

/** A launch that the fake accepts. */
export const launchSample: LaunchDetails = {
  availabilityDomain: AVAILABILITY_DOMAINS[0],
  compartmentId: COMPARTMENT,
  displayName: 'default-abcde',
  shape: 'VM.Standard.E4.Flex',
  shapeConfig: { ocpus: 2, memoryInGBs: 16 },
  sourceDetails: { sourceType: 'image', imageId: IMAGE, bootVolumeSizeInGBs: 100, bootVolumeVpusPerGB: 10 },
  createVnicDetails: { subnetId: SUBNET },
  instanceOptions: { areLegacyImdsEndpointsDisabled: true },
  metadata: { user_data: Buffer.from('#!/bin/bash').toString('base64') },
}
