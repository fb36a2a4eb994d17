import { expect, test } from 'vitest'
import { normalizedUnits } from './normalized-units.ts'

// providers/aws/docs/spec/aws.md#normalised-units

const units = (InstanceType: string, DefaultVCpus = 2) => normalizedUnits({ InstanceType, VCpuInfo: { DefaultVCpus } })

test.each([
  ['t3.nano', 0.25],
  ['t3.micro', 0.5],
  ['t3.small', 1],
  ['t3.medium', 2],
  ['m5.large', 4],
  ['m5.xlarge', 8],
  ['m5.2xlarge', 16],
  ['c5.9xlarge', 72],
  ['m5.24xlarge', 192],
  ['c7i.metal-24xl', 192],
  ['c7i.metal-48xl', 384],
])('%s has %d normalised units', (name, expected) => {
  expect(units(name)).toBe(expected)
})

test('bare metal has two units per vCPU, with exceptions', () => {
  expect(units('c5.metal', 96)).toBe(192)
  expect(units('i3.metal', 72)).toBe(128)
})

test.each(['g4dn.xlarge', 'g5.2xlarge', 'inf1.xlarge', 'p5.48xlarge', 'u7i-12tb.224xlarge', 'm5.unknown', ''])(
  '%s has none',
  (name) => {
    expect(units(name)).toBeUndefined()
  },
)

test('families whose names begin alike are not left out', () => {
  expect(units('g3.4xlarge')).toBe(32)
  expect(units('p4d.24xlarge')).toBe(192)
})
