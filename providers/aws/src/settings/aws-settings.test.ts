import { parseSettings } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { awsSettings, defaultAwsSettings } from './aws-settings.ts'

test('without any input, settings have their defaults', () => {
  expect(parseSettings(awsSettings, {}).settings).toEqual(defaultAwsSettings(''))
})

test('flags override the environment', () => {
  const env = { CLUSTER_NAME: 'a', RESERVED_ENIS: '1', AWS_FEATURE_GATES: 'NodeClassCEL=true,Unknown=true' }
  const { settings } = parseSettings(awsSettings, env, { 'cluster-name': 'b' })
  expect(settings).toMatchObject({ clusterName: 'b', reservedENIs: 1, awsFeatureGates: { NodeClassCEL: true } })
})

test.each([
  [{ CLUSTER_ENDPOINT: 'demo' }, 'CLUSTER_ENDPOINT: "demo" is not an absolute URL'],
  [{ AMI_REFRESH_INTERVAL: '30s' }, 'AMI_REFRESH_INTERVAL: "30s" is shorter than 1m'],
  [{ SUBNET_REFRESH_INTERVAL: 'soon' }, 'SUBNET_REFRESH_INTERVAL: "soon" is not a duration'],
  [{ AWS_FEATURE_GATES: 'x' }, 'AWS_FEATURE_GATES: "x" must have the form'],
])('%j is rejected', (env, problem) => {
  expect(() => parseSettings(awsSettings, env)).toThrow(problem)
})

test('unreadable numbers give the default in the environment, and are rejected as flags', () => {
  const { settings, warnings } = parseSettings(awsSettings, { VM_MEMORY_OVERHEAD_PERCENT: 'much' })
  expect(settings.vmMemoryOverheadPercent).toBeUndefined()
  expect(warnings).toHaveLength(1)
  expect(() => parseSettings(awsSettings, {}, { 'vm-memory-overhead-percent': '-1' })).toThrow('-1 is negative')
  expect(() => parseSettings(awsSettings, {}, { 'reserved-enis': '-1' })).toThrow(/not between 0/)
})
