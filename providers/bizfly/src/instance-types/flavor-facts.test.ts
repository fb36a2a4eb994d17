import { expect, test } from 'vitest'
import type { Flavor } from '../api/bizfly-api.ts'
import { flavorFacts, serverWeight } from './flavor-facts.ts'

const flavor = (name: string, more: Partial<Flavor> = {}): Flavor => ({ name, vcpus: 2, ram: 2_048, ...more })

// The expected categories and processors equal the results of Bizfly's own parser.
test.each<readonly [Flavor, string | undefined, string | undefined]>([
  [flavor('p4a.2c_2g'), 'premium', 'AMD4'],
  [flavor('b2.2c_2g'), 'basic', 'Intel2'],
  [flavor('e2.2c_2g'), 'enterprise', 'Intel2'],
  [flavor('d4a.2c_2g'), 'dedicated', 'AMD4'],
  [flavor('p3.2c_2g'), 'premium', undefined],
  [flavor('b2.2c_2g', { category: 'enterprise' }), 'enterprise', 'Intel2'],
  [flavor('x2.2c_2g', { category: 'basic' }), 'basic', 'Intel2'],
  [flavor('p4a.2c_2g', { billing_plans: ['on_demand'] }), 'premium', 'AMD4'],
  [flavor('p4a.2c_2g', { gpu: { name: 'NVIDIA A30', count: 1 } }), 'premium', 'AMD4'],
])('%j: category %s, processor %s', (each, category, vendor) => {
  const facts = flavorFacts(each)
  expect([facts?.category, facts?.cpuVendor]).toEqual([category, vendor])
})

test.each<readonly [string, Flavor]>([
  ['a name with another form', flavor('nix.2c_2g_vps', { category: 'premium' })],
  ['a name without a prefix', flavor('2c_2g', { category: 'premium' })],
  ['a prefix of one letter', flavor('p.2c_2g', { category: 'premium' })],
  ['a category that is unknown', flavor('x2.2c_2g')],
  ['no hourly plan', flavor('p4a.2c_2g', { billing_plans: ['saving_plan'] })],
  ['less than 1 GiB', flavor('p4a.1c_1g', { ram: 512 })],
  ['no vCPU', flavor('p4a.0c_1g', { vcpus: 0 })],
  ['GPUs of an unknown vendor', flavor('p4a.2c_2g', { gpu: { name: 'X', count: 1 } })],
])('%s: nodes cannot have it', (_, each) => {
  expect(flavorFacts(each)).toBeUndefined()
})

test('the weight equals that of Bizfly’s own provider', () => {
  const weight = (name: string, vcpus: number, ram: number) =>
    serverWeight(flavorFacts({ name, vcpus, ram }) ?? expect.unreachable())
  expect(weight('b2.2c_2g', 2, 2_048)).toBeCloseTo(0.022, 9)
  expect(weight('p4a.4c_8g', 4, 8_192)).toBeCloseTo(0.072, 9)
  expect(weight('d4a.1c_1g', 1, 1_024)).toBeCloseTo(0.0275, 9)
})
