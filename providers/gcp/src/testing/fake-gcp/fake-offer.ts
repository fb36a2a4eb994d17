import { formatTime } from '@kerf/apis'
import { diskTypes } from '../../tables/disk-types.ts'
import { knownTypes, zonesOfType } from '../../tables/known-types.ts'
import type { TypeFacts } from '../../type-facts.ts'
import { COMPUTE_ROOT, POD_RANGE, PROJECT, REGION, SUBNETWORK, selfLink } from './names.ts'

/** An image of the fake. */
export interface FakeImage {
  readonly project: string
  readonly name: string
  readonly arch: 'X86_64' | 'ARM64' | undefined
  readonly createdAt: number
  readonly deprecated?: 'DEPRECATED' | 'OBSOLETE' | 'DELETED'
}

const PARTITION_GIB = 375

/** Returns an instance type in the format in which `machineTypes` lists it for one zone. */
const listedType = (
  { name, vcpus, memoryMiB, arch, accelerators, localSsdGiB }: TypeFacts,
  zone: string,
  id: number,
) => ({
  kind: 'compute#machineType',
  id: `${id}`,
  name,
  guestCpus: vcpus,
  memoryMb: memoryMiB,
  zone,
  selfLink: selfLink(`projects/${PROJECT}/zones/${zone}/machineTypes/${name}`),
  isSharedCpu: /^(?:e2-(?:micro|small|medium)|f1-micro|g1-small)$/.test(name),
  architecture: arch === 'arm64' ? 'ARM64' : 'X86_64',
  maximumPersistentDisks: 128,
  maximumPersistentDisksSizeGb: '263168',
  ...(accelerators.length === 0
    ? {}
    : {
        accelerators: accelerators.map(({ type, count }) => ({
          guestAcceleratorType: type,
          guestAcceleratorCount: Math.ceil(count),
        })),
      }),
  ...(localSsdGiB === 0
    ? {}
    : { bundledLocalSsds: { defaultInterface: 'NVME', partitionCount: Math.ceil(localSsdGiB / PARTITION_GIB) } }),
})

/** The resources of the fake's region: zones, instance types, disk types and images. Tests may change it. */
export class FakeOffer {
  zones: readonly string[] = ['a', 'b', 'c', 'f'].map((letter) => `${REGION}-${letter}`)
  types: readonly TypeFacts[] = [
    'e2-medium',
    'e2-standard-4',
    'n2-standard-4',
    'n2-standard-8',
    'c4-standard-8',
    'c4a-standard-4',
    'c3-standard-8-lssd',
    'g2-standard-8',
  ].flatMap((name) => knownTypes.get(name) ?? [])
  readonly images: FakeImage[] = []
  /** The secondary ranges of each subnetwork. */
  readonly ranges = new Map<string, readonly string[]>([[SUBNETWORK, [POD_RANGE]]])

  hasType(name: string, zone: string): TypeFacts | undefined {
    return zonesOfType(name, REGION).includes(zone) ? this.types.find((type) => type.name === name) : undefined
  }

  hasDiskType(name: string): boolean {
    return name === 'local-ssd' || diskTypes.includes(name)
  }

  /** Returns every instance type once per zone, like the aggregated list. */
  listedTypes(): readonly { readonly zone: string; readonly name: string }[] {
    return this.zones.flatMap((zone, zoneIndex) =>
      this.types.flatMap((type, index) =>
        this.hasType(type.name, zone) === undefined ? [] : [listedType(type, zone, (zoneIndex + 1) * 1_000 + index)],
      ),
    )
  }

  hasImage(path: string): boolean {
    return this.images.some(({ project, name }) => path === `projects/${project}/global/images/${name}`)
  }

  listedZones(): readonly object[] {
    return this.zones.map((name, index) => ({
      kind: 'compute#zone',
      id: `${2_000 + index}`,
      name,
      status: 'UP',
      region: selfLink(`projects/${PROJECT}/regions/${REGION}`),
      selfLink: selfLink(`projects/${PROJECT}/zones/${name}`),
    }))
  }

  region(): object {
    return {
      kind: 'compute#region',
      id: '1',
      name: REGION,
      status: 'UP',
      zones: this.zones.map((zone) => selfLink(`projects/${PROJECT}/zones/${zone}`)),
      selfLink: `${COMPUTE_ROOT}/projects/${PROJECT}/regions/${REGION}`,
    }
  }

  /** Returns an image as the service lists it. */
  listedImage({ project, name, arch, createdAt, deprecated }: FakeImage): object {
    return {
      name,
      ...{ kind: 'compute#image', id: `${3_000 + this.images.findIndex((image) => image.name === name)}` },
      creationTimestamp: formatTime(createdAt),
      status: 'READY',
      diskSizeGb: '10',
      selfLink: selfLink(`projects/${project}/global/images/${name}`),
      ...(arch === undefined ? {} : { architecture: arch }),
      ...(deprecated === undefined ? {} : { deprecated: { state: deprecated } }),
    }
  }
}
