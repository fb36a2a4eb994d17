import { expect, test } from 'vitest'
import { familyTraits, isKnownFamily, nodeClassAmiAlias, nodeClassAmiFamily } from './ami-family.ts'

const aliased = (...aliases: readonly (string | undefined)[]) => ({
  amiSelectorTerms: aliases.map((alias) => (alias === undefined ? { id: 'ami-1' } : { alias })),
})

test.each([
  ['al2@v20240807', 'AL2', 'v20240807'],
  ['al2023@latest', 'AL2023', 'latest'],
  ['bottlerocket@v1.20.4', 'Bottlerocket', 'v1.20.4'],
  ['windows2019@latest', 'Windows2019', 'latest'],
  ['windows2022@latest', 'Windows2022', 'latest'],
  ['windows2025@latest', 'Windows2025', 'latest'],
  ['al2@a@b', 'AL2', 'a@b'],
] as const)('the alias %s is of %s', (alias, family, version) => {
  expect(nodeClassAmiAlias(aliased(alias))).toEqual({ family, version })
  expect(nodeClassAmiFamily(aliased(alias))).toBe(family)
})

test('the first known alias counts; anything else means a custom image', () => {
  expect(nodeClassAmiAlias(aliased(undefined, 'ubuntu@latest', 'al2@latest', 'al2023@latest'))).toEqual({
    family: 'AL2',
    version: 'latest',
  })
  for (const none of [aliased(), aliased(undefined), aliased('', 'ubuntu@latest')]) {
    expect(nodeClassAmiAlias(none)).toBeUndefined()
    expect(nodeClassAmiFamily(none)).toBe('Custom')
  }
})

test('families of other releases are unknown', () => {
  expect(Object.keys(familyTraits).every(isKnownFamily)).toBe(true)
  expect(['Ubuntu', 'al2023', '', 'toString'].filter(isKnownFamily)).toEqual([])
})

// The expected values come from the table in `providers/aws/docs/spec/aws.md#defaults-of-image-families` and the Windows builds in
// `providers/aws/docs/spec/aws.md#images`.
const xvda = [{ deviceName: '/dev/xvda', size: '20Gi' }]
const sda1 = [{ deviceName: '/dev/sda1', size: '50Gi' }]
const linux = [xvda, '/dev/xvda', true, true, true, undefined] as const
test.each([
  ['AL2', ...linux],
  ['AL2023', ...linux],
  ['Custom', [], undefined, true, true, true, undefined],
  [
    'Bottlerocket',
    [
      { deviceName: '/dev/xvda', size: '4Gi' },
      { deviceName: '/dev/xvdb', size: '20Gi' },
    ],
    '/dev/xvdb',
    false,
    false,
    true,
    undefined,
  ],
  ['Windows2019', sda1, '/dev/sda1', false, true, false, '10.0.17763'],
  ['Windows2022', sda1, '/dev/sda1', false, true, false, '10.0.20348'],
  ['Windows2025', sda1, '/dev/sda1', false, true, false, '10.0.26100'],
] as const)(
  'the differences of %s',
  (family, defaultVolumes, ephemeralDevice, reservesForNetworkPods, supportsPodsPerCore, hasNetworkPodDensity, windowsBuild) => {
    expect(familyTraits[family]).toEqual({
      defaultVolumes,
      ephemeralDevice,
      reservesForNetworkPods,
      supportsPodsPerCore,
      hasNetworkPodDensity,
      windowsBuild,
    })
  },
)
