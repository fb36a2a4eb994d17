import { LabelVocabulary } from '@kerf/apis'
import { expect, test } from 'vitest'
import { awsVocabulary } from './labels.ts'

const vocabulary = new LabelVocabulary(awsVocabulary)

test('labels of the AWS domain are restricted unless they are well-known', () => {
  for (const key of ['karpenter.k8s.aws/instance-cpu', 'karpenter.k8s.aws/nitro-sandbox', 'topology.k8s.aws/zone-id']) {
    expect(vocabulary.isWellKnown(key), key).toBe(true)
    expect(vocabulary.isRestricted(key), key).toBe(false)
  }
  for (const key of ['karpenter.k8s.aws/ec2nodeclass', 'karpenter.k8s.aws/other', 'sub.karpenter.k8s.aws/instance-cpu'])
    expect(vocabulary.isRestricted(key), key).toBe(true)
  expect(vocabulary.isRestricted('k8s.aws/other')).toBe(false)
})

test('the EBS driver’s zone label is normalised to the zone label', () => {
  expect(vocabulary.normalize('topology.ebs.csi.aws.com/zone')).toBe('topology.kubernetes.io/zone')
})
