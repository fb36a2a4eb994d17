import { describe, expect, test } from 'vitest'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import type { EC2NodeClassSpec } from '../node-class/ec2-node-class.ts'
import { nodeClassTraits, type PlacementGroup } from '../node-class/node-class-traits.ts'
import { ec2Type } from '../testing/type-table.ts'
import { findIncompatibility } from './compatibility.ts'

describe('compatibility with the node class', () => {
  const why = (type: Ec2InstanceType, spec: Partial<EC2NodeClassSpec>, group?: PlacementGroup): boolean =>
    findIncompatibility(
      type,
      nodeClassTraits(
        {
          spec: {
            amiFamily: 'AL2023',
            amiSelectorTerms: [],
            subnetSelectorTerms: [],
            securityGroupSelectorTerms: [],
            ...spec,
          },
        },
        group,
      ),
    ) === undefined
  const m5 = ec2Type('m5.large')
  const interfaces = (card: number, device: number, interfaceType: 'interface' | 'efa-only' = 'interface') => ({
    networkInterfaces: [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' as const },
      { networkCardIndex: card, deviceIndex: device, interfaceType },
    ],
  })
  test.each<readonly [string, boolean, boolean]>([
    ['a1 and AL2023', why(ec2Type('a1.large'), {}), false],
    ['a1 and AL2', why(ec2Type('a1.large'), { amiFamily: 'AL2' }), true],
    ['connection tracking on Nitro', why(m5, { connectionTracking: { udpTimeout: 30 } }), true],
    ['connection tracking on Xen', why(ec2Type('i3.large'), { connectionTracking: { udpTimeout: 30 } }), false],
    ['connection tracking on metal', why(ec2Type('m5.metal'), { connectionTracking: { udpTimeout: 30 } }), false],
    ['nested virtualization without', why(m5, { cpuOptions: { nestedVirtualization: 'enabled' } }), false],
    ['nested virtualization off', why(m5, { cpuOptions: { nestedVirtualization: 'disabled' } }), true],
    [
      'nested virtualization with',
      why(
        { ...m5, ProcessorInfo: { SupportedFeatures: ['nested-virtualization'] } },
        { cpuOptions: { nestedVirtualization: 'enabled' } },
      ),
      true,
    ],
    ['a device that is there', why(m5, interfaces(0, 2)), true],
    ['a device that is not', why(m5, interfaces(0, 3)), false],
    ['a card that is not', why(m5, interfaces(1, 0)), false],
    ['an EFA that is not', why(m5, interfaces(0, 1, 'efa-only')), false],
    ['an EFA that is', why(ec2Type('c6i.32xlarge'), interfaces(0, 1, 'efa-only')), true],
    ['no ENA', why({ ...m5, NetworkInfo: { ...m5.NetworkInfo, EnaSupport: 'unsupported' } }, interfaces(0, 1)), false],
    ['a strategy it has', why(m5, {}, { id: 'pg-1', strategy: 'spread' }), true],
    [
      'a strategy it has not',
      why({ ...m5, PlacementGroupInfo: { SupportedStrategies: ['spread'] } }, {}, { id: 'pg-1', strategy: 'cluster' }),
      false,
    ],
  ])('%s', (_, actual, wanted) => {
    expect(actual).toBe(wanted)
  })
})
