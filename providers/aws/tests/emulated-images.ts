import { writeFileSync } from 'node:fs'

/** The Kubernetes version of the emulator's images. */
export const IMAGE_VERSION = '1.36'

/** The images of the emulator: one AL2023 image for each architecture. */
export const IMAGES = [
  { id: 'ami-0000000000000a64a', arch: 'x86_64', path: 'x86_64' },
  { id: 'ami-0000000000000a64b', arch: 'arm64', path: 'arm64' },
] as const

/** Writes the file from which the emulator reads its images. */
export const writeImages = (file: string): void =>
  writeFileSync(
    file,
    JSON.stringify(
      IMAGES.map(({ id, arch }) => ({
        ami_id: id,
        name: `amazon-eks-node-al2023-${arch}-standard-${IMAGE_VERSION}-v20260101`,
        description: 'AL2023 for the tests',
        owner_id: '602401143452',
        image_location: `amazon/${id}`,
        image_type: 'machine',
        public: true,
        platform: null,
        architecture: arch,
        state: 'available',
        virtualization_type: 'hvm',
        hypervisor: 'xen',
        root_device_type: 'ebs',
        root_device_name: '/dev/xvda',
        sriov: 'simple',
        creation_date: '2026-01-01T00:00:00.000Z',
      })),
    ),
  )
