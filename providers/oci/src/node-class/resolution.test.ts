import { expect, test } from 'vitest'
import { communityNodeClassDescriptor } from './community-descriptor.ts'
import { resolveCommunityClass } from './community-resolution.ts'
import { hasNativePods } from './native-pods.ts'
import { oracleNodeClassDescriptor } from './oracle-descriptor.ts'
import { resolveOracleClass } from './oracle-resolution.ts'

const community = communityNodeClassDescriptor.example
const oracle = oracleNodeClassDescriptor.example
const subnetConfig = { subnetId: 'ocid1.subnet.a' }

test('an unresolved class has no images and subnets', () => {
  for (const resolved of [resolveCommunityClass(community), resolveOracleClass(oracle)])
    expect([resolved.images, resolved.primaryVnic.subnets, resolved.primaryVnic.nsgIds]).toEqual([[], [], []])
})

test('an OciNodeClass: the images with their requirements, the subnets and the groups come from the status', () => {
  const requirements = [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }]
  const resolved = resolveCommunityClass({
    ...community,
    status: {
      images: [{ id: 'i', name: 'image', requirements }, { name: 'without OCID' }],
      subnets: [{ id: 's', name: 'workers' }],
      securityGroups: [{ id: 'g' }],
    },
  })
  expect(resolved.images).toEqual([{ id: 'i', name: 'image', requirements }])
  expect(resolved.primaryVnic.subnets).toEqual([{ id: 's', name: 'workers' }])
  expect(resolved.primaryVnic.nsgIds).toEqual(['g'])
})

test.each([
  ['OracleOKELinux', 'oke-mime'],
  ['anything else', 'oke-mime'],
  ['Ubuntu2204', 'ubuntu'],
  ['Custom', 'custom'],
])('the image family %s is started as %s', (imageFamily, form) => {
  const { spec } = community
  if (spec === undefined) throw new Error('no spec')
  expect(resolveCommunityClass({ ...community, spec: { ...spec, imageFamily } }).bootstrap.form).toBe(form)
})

test('an OCINodeClass: each status entry belongs to the network interface at the same index', () => {
  const { spec } = oracle
  if (spec === undefined) throw new Error('no spec')
  const resolved = resolveOracleClass({
    ...oracle,
    spec: {
      ...spec,
      networkConfig: { primaryVnicConfig: { subnetConfig }, secondaryVnicConfigs: [{ subnetConfig, ipCount: 16 }] },
    },
    status: {
      network: {
        primaryVnic: { subnet: { subnetId: 'a' }, networkSecurityGroups: [{ networkSecurityGroupId: 'g' }] },
        secondaryVnics: [{ subnet: { subnetId: 'b', displayName: 'pods' } }],
      },
      computeCluster: { ComputeClusterId: 'c', availabilityDomain: 'x:PHX-AD-1' },
    },
  })
  expect(resolved.primaryVnic).toMatchObject({ subnets: [{ id: 'a' }], nsgIds: ['g'] })
  expect(resolved.secondaryVnics).toMatchObject([{ subnets: [{ id: 'b', name: 'pods' }], nsgIds: [], ipCount: 16 }])
  expect(resolved.computeCluster).toEqual({ id: 'c', name: undefined, availabilityDomain: 'x:PHX-AD-1' })
  expect(hasNativePods(resolved)).toBe(true)
})

test('an OciNodeClass enables native pod networking in its metadata', () => {
  const { spec } = community
  if (spec === undefined) throw new Error('no spec')
  const withMetadata = (metaData: Readonly<Record<string, string>>) =>
    hasNativePods(resolveCommunityClass({ ...community, spec: { ...spec, metaData } }))
  expect([withMetadata({}), withMetadata({ 'oke-native-pod-networking': 'true' })]).toEqual([false, true])
})
