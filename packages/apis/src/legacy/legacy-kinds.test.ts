import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { customResourceSchema } from '../crd-manifest.ts'
import { groupVersion } from '../kubernetes/kinds.ts'
import { compileCrdSchema } from '../schema/compiled-schema.ts'
import { legacyKinds } from './legacy-kinds.ts'
import { provisionerResource } from './provisioner.ts'

const schema = compileCrdSchema(customResourceSchema(provisionerResource))
const provisioner = (spec: object) => ({
  apiVersion: 'karpenter.sh/v1alpha5',
  kind: 'Provisioner',
  metadata: { name: 'default' },
  spec,
})

test('the legacy kind has its old name', () => {
  const { Provisioner } = legacyKinds
  expect(`${Provisioner.plural} ${groupVersion(Provisioner)}`).toBe('provisioners karpenter.sh/v1alpha5')
})

test('accepts the Provisioner of the older guides without unknown fields', () => {
  const guide = new URL('../../../../examples/older-guides/provisioner-v1alpha5.yaml', import.meta.url)
  const object = parse(readFileSync(guide, 'utf8'))
  expect(schema.validateCreate(object)).toEqual([])
  expect(schema.unknownFields(object)).toEqual([])
})

test.each([
  ['no fields', {}, undefined],
  ['machines in `provider`', { provider: { anything: { goes: ['here'] } } }, undefined],
  ['a taint without a value', { taints: [{ key: 'a', value: '', effect: 'NoSchedule' }] }, undefined],
  ['both `provider` and `providerRef`', { provider: {}, providerRef: { name: 'a' } }, /may not be given together/],
  ['an unknown operator', { requirements: [{ key: 'a', operator: 'Near' }] }, /Near/],
  ['a weight out of range', { weight: 101 }, /100/],
  ['an invalid quantity', { limits: { resources: { cpu: 'many' } } }, /cpu/],
  ['a negative number of seconds', { ttlSecondsUntilExpired: -1 }, /ttlSecondsUntilExpired/],
])('a Provisioner with %s', (_, spec, problem) => {
  const errors = schema.validateCreate(provisioner(spec))
  if (problem === undefined) expect(errors).toEqual([])
  else expect(JSON.stringify(errors)).toMatch(problem)
})
