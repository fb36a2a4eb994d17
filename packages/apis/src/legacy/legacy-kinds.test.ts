import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { apiVersionOf } from '../kubernetes/kinds.ts'
import { compileCrdSchema } from '../schema/compiled-schema.ts'
import { legacyCrdManifests, legacyKinds, legacyResources } from './legacy-kinds.ts'

const schemaOf = (kind: string) => {
  const found = legacyCrdManifests().find(({ manifest }) => manifest.spec.names.kind === kind)
  if (found === undefined) throw new Error(`no definition of ${kind}`)
  return compileCrdSchema(found.manifest.spec.versions[0].schema.openAPIV3Schema)
}
const provisioner = (spec: object) => ({
  apiVersion: 'karpenter.sh/v1alpha5',
  kind: 'Provisioner',
  metadata: { name: 'default' },
  spec,
})

test('the old kinds have their old names', () => {
  expect(legacyResources.map(({ kind }) => kind)).toEqual(Object.values(legacyKinds))
  expect(legacyResources.map(({ kind }) => `${kind.plural} ${apiVersionOf(kind)}`)).toEqual([
    'provisioners karpenter.sh/v1alpha5',
    'awsnodetemplates karpenter.k8s.aws/v1alpha1',
  ])
})

test('accepts the Provisioner of the older guides without unknown fields', () => {
  const guide = new URL('../../../../examples/older-guides/provisioner-v1alpha5.yaml', import.meta.url)
  const object = parse(readFileSync(guide, 'utf8'))
  const schema = schemaOf('Provisioner')
  expect(schema.validateCreate(object)).toEqual([])
  expect(schema.unknownFields(object)).toEqual([])
})

test.each([
  ['nothing said', {}, undefined],
  ['a class inline', { provider: { anything: { goes: ['here'] } } }, undefined],
  ['a taint without value', { taints: [{ key: 'a', value: '', effect: 'NoSchedule' }] }, undefined],
  ['both classes', { provider: {}, providerRef: { name: 'a' } }, /may not be given together/],
  ['an unknown operator', { requirements: [{ key: 'a', operator: 'Near' }] }, /Near/],
  ['a weight out of range', { weight: 101 }, /100/],
  ['an amount that is none', { limits: { resources: { cpu: 'many' } } }, /cpu/],
  ['seconds below none', { ttlSecondsUntilExpired: -1 }, /ttlSecondsUntilExpired/],
])('a Provisioner with %s', (_, spec, problem) => {
  const errors = schemaOf('Provisioner').validateCreate(provisioner(spec))
  if (problem === undefined) expect(errors).toEqual([])
  else expect(JSON.stringify(errors)).toMatch(problem)
})
