import { partition } from '@aws-sdk/core/client'
import { expect, test } from 'vitest'
import { awsPartition } from './partition.ts'

test.each([
  'us-east-1',
  'eu-central-2',
  'il-central-1',
  'cn-north-1',
  'us-gov-west-1',
  'us-iso-east-1',
  'us-iso-west-1',
  'us-isob-east-1',
  'us-isob-west-1',
  'eu-isoe-west-1',
  'us-isof-south-1',
  'us-isof-east-1',
  'eusc-de-east-1',
])('%s is in the same partition as in the AWS SDK', (region) => {
  const { name, dnsSuffix } = partition(region)
  expect(awsPartition(region)).toEqual({ name, dnsSuffix })
})
