import { parseSettings } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { gcpSettings, memoryOverhead, regionOfLocation, settingProblems } from './gcp-settings.ts'

const read = (env: Readonly<Record<string, string>>) => parseSettings(gcpSettings, env).settings

test('a location is a region, or a zone whose region has one or more digits', () => {
  expect(
    ['us-central1', 'us-central1-b', 'europe-west10-a', 'northamerica-northeast1-c'].map(regionOfLocation),
  ).toEqual(['us-central1', 'us-central1', 'europe-west10', 'northamerica-northeast1'])
})

test('all missing settings are reported at once', () => {
  expect(settingProblems(read({ GCP_ENDPOINT_URL: 'nowhere' }))).toEqual([
    expect.stringContaining('PROJECT_ID is not set'),
    expect.stringContaining('CLUSTER_NAME is not set'),
    expect.stringContaining('CLUSTER_LOCATION is not set'),
    'GCP_ENDPOINT_URL nowhere is no URL',
  ])
  expect(settingProblems(read({ PROJECT_ID: 'p', CLUSTER_NAME: 'c', CLUSTER_LOCATION: 'us-central1' }))).toEqual([])
})

test('the hypervisor’s share of the memory has its own default, and a value that the user sets takes precedence', () => {
  const overhead = (env: Readonly<Record<string, string>>) => memoryOverhead(read(env))
  expect(overhead({})).toBe(0.07)
  expect(overhead({ VM_MEMORY_OVERHEAD_PERCENT: '0.1' })).toBe(0.1)
  expect(overhead({ VM_MEMORY_OVERHEAD_PERCENT: '0.075' })).toBe(0.075)
})
