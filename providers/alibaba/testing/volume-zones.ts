import { ZONES } from '@kerf/provider-alibaba/testing'
import type { Cloud, VolumeZones } from '../../../tests/integration/volumes/volume-zones.ts'
import { ecsNodeClassDescriptor } from '../src/node-class/node-class-descriptor.ts'
import { story } from '../tests/kerf-on-fake-alibaba.ts'

const [, zone] = ZONES

const alibaba: Cloud = {
  provider: 'alibaba',
  region: 'cn-hangzhou',
  nodeClass: ecsNodeClassDescriptor.example,
  written: 'cn-hangzhou-i',
  zone: 'cn-hangzhou-i',
  type: 'ecs.g7.xlarge',
  here: { written: zone, zone },
  launches: async (prepare) => {
    const { client, pass, instances } = await story({ replicas: 0 })
    await prepare(client)
    await pass(60)
    return instances().map((instance) => instance.zone)
  },
}

export const volumeZones: readonly VolumeZones[] = [
  { cloud: alibaba, key: 'topology.diskplugin.csi.alibabacloud.com/zone' },
]
