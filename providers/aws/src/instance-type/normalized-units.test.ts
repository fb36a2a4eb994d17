import { expect, test } from 'vitest'
import { readInstanceFacts } from '../tables/instance-facts.ts'
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
  expect(units('u-12tb1.metal', 448)).toBe(896)
  expect(units('u-24tb1.metal', 448)).toBe(448)
})

const ONE_SIZE = 'g4ad g4dn g5 g5g g6 g6e g6f gr6 gr6f hpc7a p5 inf1 inf2 u7i-6tb u7i-8tb'.split(' ')

test('every instance type of the tables has units, except the families with one size', () => {
  const names = [...readInstanceFacts().keys()]
  expect(names.length).toBeGreaterThan(800)
  const without = names.filter((name) => units(name) === undefined)
  const families = new Set(without.map((name) => name.split('.')[0] ?? ''))
  expect([...families].filter((family) => !ONE_SIZE.includes(family))).toEqual([])
  expect(without).toEqual(names.filter((name) => ONE_SIZE.includes(name.split('.')[0] ?? '')))
})

test.each(['p5.48xlarge', 'u7i-6tb.112xlarge', 'm5.unknown', ''])('%s has none', (name) => {
  expect(units(name)).toBeUndefined()
})

test('families whose names begin alike are not left out', () => {
  expect(units('g3.4xlarge')).toBe(32)
  expect(units('p5en.48xlarge')).toBe(384)
  expect(units('u7i-12tb.224xlarge')).toBe(1792)
})
