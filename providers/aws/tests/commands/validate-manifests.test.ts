import { coreVocabulary } from '@kerf/apis'
import { expect, test } from 'vitest'
import { parseManifests } from '../../../../packages/cli/src/manifests/parse-manifests.ts'
import { validateManifests } from '../../../../packages/cli/src/manifests/validate-manifests.ts'

const validate = (yaml: string) => () =>
  validateManifests(parseManifests(yaml, 'f.yaml'), coreVocabulary, { warn: expect.fail, validate: 'strict' })

test.each([
  ['karpenter.k8s.aws/v1beta1', 'EC2NodeClass'],
  ['karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate'],
])('kerf migrate is the remedy for %s of %s', (apiVersion, kind) => {
  expect(validate(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a, uid: u}, spec: {}}`)).toThrow(
    'is not served; convert it to v1: kerf migrate manifests -f f.yaml',
  )
})

test('a misspelt label of the cloud is refused in a NodePool of its class', () => {
  const requirements = '[{key: karpenter.k8s.aws/instance-famly, operator: Exists}]'
  const nodeClassRef = '{group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}'
  const yaml = `{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: a}, spec: {template: {spec: {requirements: ${requirements}, nodeClassRef: ${nodeClassRef}}}}}`
  expect(validate(yaml)).toThrow('instance-famly')
})
