import { isRestrictedLabel, isWellKnownLabel, normalizeLabel } from '@kerf/apis'
import { expect, test } from 'vitest'
import { awsVocabulary } from './labels.ts'

test('labels of the AWS domain are restricted unless they are well-known', () => {
  for (const key of ['karpenter.k8s.aws/instance-cpu', 'karpenter.k8s.aws/nitro-sandbox', 'topology.k8s.aws/zone-id']) {
    expect(isWellKnownLabel(key, awsVocabulary), key).toBe(true)
    expect(isRestrictedLabel(key, awsVocabulary), key).toBe(false)
  }
  for (const key of ['karpenter.k8s.aws/ec2nodeclass', 'karpenter.k8s.aws/other', 'sub.karpenter.k8s.aws/instance-cpu'])
    expect(isRestrictedLabel(key, awsVocabulary), key).toBe(true)
  expect(isRestrictedLabel('k8s.aws/other', awsVocabulary)).toBe(false)
})

test('the EBS driver’s zone is the zone', () => {
  expect(normalizeLabel('topology.ebs.csi.aws.com/zone', awsVocabulary)).toBe('topology.kubernetes.io/zone')
})
